package speclaw

import (
	"math/rand/v2"

	"example.com/custody/internal/linear"
	"example.com/custody/internal/spec"
)

// Counter returns the kind of counters with a specification.
func Counter(name string, s *linear.Spec[int64, spec.CounterIn, spec.CounterOut]) Kind[int64, spec.CounterIn, spec.CounterOut] {
	return Kind[int64, spec.CounterIn, spec.CounterOut]{
		Name: name,
		Spec: s,
		New: func() func(spec.CounterIn) spec.CounterOut {
			var n int64
			return func(in spec.CounterIn) (out spec.CounterOut) {
				switch in.Op {
				case spec.Add:
					n += in.Value
				case spec.Value:
					out.Value = n
				case spec.Swap:
					out.Value = n
					n = in.Value
				case spec.Set:
					n = in.Value
				case spec.Reset:
					n = 0
				}
				return out
			}
		},
		Draw: func(r *rand.Rand) spec.CounterIn {
			in := spec.CounterIn{Op: one(r, spec.Add, spec.Add, spec.Add, spec.Value, spec.Value, spec.Set, spec.Swap, spec.Reset)}
			if in.Op != spec.Value && in.Op != spec.Reset {
				in.Value = r.Int64N(7) - 3
			}
			return in
		},
		Spoil: func(r *rand.Rand, in spec.CounterIn, out *spec.CounterOut) { out.Value += one[int64](r, -1, 1) },
	}
}

// Register returns the kind of registers.
func Register() Kind[int, spec.RegisterIn, spec.RegisterOut] {
	return Kind[int, spec.RegisterIn, spec.RegisterOut]{
		Name: "register",
		Spec: spec.Register(),
		New: func() func(spec.RegisterIn) spec.RegisterOut {
			v := 0
			return func(in spec.RegisterIn) (out spec.RegisterOut) {
				switch in.Op {
				case spec.Load:
					out.Value = v
				case spec.Store:
					v = in.Value
				case spec.Swap:
					out.Value, v = v, in.Value
				case spec.CompareAndSwap:
					if out.OK = v == in.Old; out.OK {
						v = in.Value
					}
				}
				return out
			}
		},
		Draw: func(r *rand.Rand) spec.RegisterIn {
			in := spec.RegisterIn{Op: one(r, spec.Load, spec.Load, spec.Store, spec.Swap, spec.CompareAndSwap)}
			if in.Op != spec.Load {
				in.Value = r.IntN(4)
			}
			if in.Op == spec.CompareAndSwap {
				in.Old = r.IntN(4)
			}
			return in
		},
		Spoil: func(r *rand.Rand, in spec.RegisterIn, out *spec.RegisterOut) {
			out.Value = r.IntN(4)
			out.OK = !out.OK
		},
	}
}

// Claim returns the kind of claims that are never released. Whether a release is possible depends
// on the answers, which an operation drawn beforehand cannot know.
func Claim() Kind[spec.Holders, spec.ClaimIn, spec.ClaimOut] {
	return Kind[spec.Holders, spec.ClaimIn, spec.ClaimOut]{
		Name: "claim",
		Spec: spec.Claim(),
		New: func() func(spec.ClaimIn) spec.ClaimOut {
			holders := 0 // -1: one exclusive holder
			return func(in spec.ClaimIn) (out spec.ClaimOut) {
				switch in.Op {
				case spec.Acquire:
					if out.OK = holders == 0; out.OK {
						holders = -1
					}
				case spec.AcquireShared:
					if out.OK = holders >= 0; out.OK {
						holders++
					}
				case spec.Release:
					holders = 0
				case spec.ReleaseShared:
					holders--
				}
				return out
			}
		},
		Draw: func(r *rand.Rand) spec.ClaimIn {
			return spec.ClaimIn{Op: one(r, spec.Acquire, spec.AcquireShared)}
		},
		Spoil: func(r *rand.Rand, in spec.ClaimIn, out *spec.ClaimOut) { out.OK = !out.OK },
	}
}
