package speclaw

import (
	"math/rand/v2"
	"slices"

	"example.com/custody/internal/spec"
)

// keys is the number of keys in the operations of maps.
const keys = 3

// Map returns the kind of maps.
func Map() Kind[spec.Entry, spec.MapIn, spec.MapOut] {
	return Kind[spec.Entry, spec.MapIn, spec.MapOut]{
		Name: "map",
		Spec: spec.Map(),
		New:  func() func(spec.MapIn) spec.MapOut { return mapModel{}.do },
		Draw: drawMap,
		Spoil: func(r *rand.Rand, in spec.MapIn, out *spec.MapOut) {
			out.N += one(r, -1, 1)
			if r.IntN(2) == 0 {
				out.Value = r.IntN(3)
			} else {
				out.OK = !out.OK
			}
		},
	}
}

// drawMap returns a random operation. It never returns a Compute, because the value that a Compute
// saw is part of the operation.
func drawMap(r *rand.Rand) spec.MapIn {
	in := spec.MapIn{
		Op: one(r, spec.Load, spec.Load, spec.Store, spec.LoadOrStore, spec.LoadAndDelete, spec.Delete, spec.Swap,
			spec.CompareAndSwap, spec.CompareAndDelete, spec.Len),
		Key: small(r, keys),
	}
	switch in.Op {
	case spec.Store, spec.LoadOrStore, spec.Swap:
		in.Value = r.IntN(3)
	case spec.CompareAndSwap:
		in.Old, in.Value = r.IntN(3), r.IntN(3)
	case spec.CompareAndDelete:
		in.Old = r.IntN(3)
	case spec.Len:
		in.Key = 0
	}
	return in
}

type mapModel map[int]int

func (m mapModel) do(in spec.MapIn) (out spec.MapOut) {
	old, ok := m[in.Key]
	switch in.Op {
	case spec.Load:
		out.Value, out.OK = old, ok
	case spec.Store:
		m[in.Key] = in.Value
	case spec.LoadOrStore:
		if out.Value, out.OK = old, ok; !ok {
			m[in.Key] = in.Value
			out.Value = in.Value
		}
	case spec.LoadAndDelete:
		out.Value, out.OK = old, ok
		delete(m, in.Key)
	case spec.Delete:
		delete(m, in.Key)
	case spec.Swap:
		out.Value, out.OK = old, ok
		m[in.Key] = in.Value
	case spec.CompareAndSwap:
		if out.OK = ok && old == in.Old; out.OK {
			m[in.Key] = in.Value
		}
	case spec.CompareAndDelete:
		if out.OK = ok && old == in.Old; out.OK {
			delete(m, in.Key)
		}
	case spec.Compute:
		if in.Drop {
			delete(m, in.Key)
			break
		}
		m[in.Key] = in.Value
		out.Value, out.OK = in.Value, true
	case spec.Len:
		out.N = len(m)
	}
	return out
}

// MultiMap returns the kind of multimaps with the given options.
func MultiMap(name string, anyOrder, everyEqual, boolDelete bool) Kind[spec.Batch, spec.MultiMapIn, spec.MultiMapOut] {
	var options []spec.MultiMapOption
	if anyOrder {
		options = append(options, spec.AnyOrder())
	}
	if everyEqual {
		options = append(options, spec.EveryEqual())
	}
	if boolDelete {
		options = append(options, spec.BoolDelete())
	}
	return Kind[spec.Batch, spec.MultiMapIn, spec.MultiMapOut]{
		Name: name,
		Spec: spec.MultiMap(options...),
		New: func() func(spec.MultiMapIn) spec.MultiMapOut {
			return (&multiMap{map[int][]int{}, anyOrder, everyEqual, boolDelete}).do
		},
		Draw: func(r *rand.Rand) spec.MultiMapIn {
			in := spec.MultiMapIn{
				Op: one(r, spec.Add, spec.Add, spec.Add, spec.Add, spec.AddAll, spec.Values, spec.Values, spec.Count, spec.Delete,
					spec.Replace, spec.DeleteValue, spec.DeleteValue, spec.Len),
				Key: small(r, keys),
			}
			switch in.Op {
			case spec.Add, spec.DeleteValue:
				in.Value = r.IntN(3)
			case spec.AddAll, spec.Replace:
				in.Values = spec.BatchOf([]int{r.IntN(3), r.IntN(3)}[:r.IntN(3)]...)
			}
			return in
		},
		Spoil: func(r *rand.Rand, in spec.MultiMapIn, out *spec.MultiMapOut) {
			out.N += one(r, -1, 1)
			values := out.Values.Values()
			if len(values) > 1 && r.IntN(2) == 0 {
				slices.Reverse(values)
			} else {
				values = append(values, r.IntN(3))
			}
			out.Values = spec.BatchOf(values...)
		},
	}
}

type multiMap struct {
	values                           map[int][]int
	anyOrder, everyEqual, boolDelete bool
}

func (m *multiMap) do(in spec.MultiMapIn) (out spec.MultiMapOut) {
	had := m.values[in.Key]
	switch in.Op {
	case spec.Add:
		m.values[in.Key] = append(had, in.Value)
	case spec.AddAll:
		m.values[in.Key] = append(had, in.Values.Values()...)
	case spec.Values:
		values := slices.Clone(had)
		if m.anyOrder {
			slices.Reverse(values)
		}
		out.Values = spec.BatchOf(values...)
	case spec.Count:
		out.N = len(had)
	case spec.Delete:
		out.N = len(had)
		delete(m.values, in.Key)
	case spec.Replace:
		out.N = len(had)
		m.values[in.Key] = in.Values.Values()
	case spec.DeleteValue:
		m.values[in.Key] = slices.DeleteFunc(slices.Clone(had), func(v int) bool {
			gone := v == in.Value && (m.everyEqual || out.N == 0)
			if gone {
				out.N++
			}
			return gone
		})
	case spec.Len:
		for _, values := range m.values {
			out.N += len(values)
		}
		return out
	}
	if m.boolDelete && in.Op != spec.Count {
		out.N = min(out.N, 1)
	}
	return out
}
