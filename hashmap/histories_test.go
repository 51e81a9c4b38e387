package hashmap

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/lawtest"
	"example.com/custody/internal/linear"
	"example.com/custody/internal/spec"
)

// The suites of package fuzz judge histories of maps that are not cleared or shrunk. In these they
// are: 2,000 short histories of real goroutines, of all layouts together.
const (
	historyRounds = 2000
	historyKeys   = 3
	historyOps    = 12 // of each goroutine: all of a history have to be judged together
)

// recorded runs several tasks of so many operations beside each other, each of which act does and
// answers, and returns the history.
func recorded[I, O any](t *testing.T, seed uint64, act func(r *rand.Rand, w int) func() (I, O)) []linear.Op[I, O] {
	var clock atom.Int64
	var ops [several][]linear.Op[I, O]
	together(t, alike(func(w int) {
		r := rand.New(rand.NewPCG(seed, uint64(w)))
		for range historyOps {
			do := act(r, w)
			if do == nil {
				continue
			}
			if r.IntN(8) == 0 {
				runtime.Gosched() // so that tasks on few processors do not work one after the other
			}
			call := clock.Add(1)
			in, out := do()
			ops[w] = append(ops[w], linear.Op[I, O]{Task: w, Call: call, Return: clock.Add(1), In: in, Out: out})
		}
	})...)
	all := slices.Concat(ops[:]...)
	slices.SortFunc(all, func(a, b linear.Op[I, O]) int { return int(a.Call - b.Call) })
	return all
}

// whole is the specification of a map of a few keys that is cleared at one moment.
func whole() *linear.Spec[[6]spec.Entry, spec.MapIn, spec.MapOut] {
	one := spec.Map()
	return &linear.Spec[[6]spec.Entry, spec.MapIn, spec.MapOut]{
		Step: func(s [6]spec.Entry, in spec.MapIn, out spec.MapOut) ([6]spec.Entry, bool) {
			if in.Op == spec.Clear {
				return [6]spec.Entry{}, true
			}
			e, ok := one.Step(s[in.Key], in, out)
			s[in.Key] = e
			return s, ok
		},
		Text: one.Text,
	}
}

// acts are what tasks do to a map: the operations, as the specification has them.
func acts(m subject, r *rand.Rand, w int) func() (spec.MapIn, spec.MapOut) {
	in := spec.MapIn{Key: r.IntN(historyKeys), Value: r.IntN(3), Old: r.IntN(3)}
	asked := func(op spec.Op, f func(k int) (int, bool)) func() (spec.MapIn, spec.MapOut) {
		in.Op = op
		return func() (spec.MapIn, spec.MapOut) {
			v, ok := f(in.Key)
			return in, spec.MapOut{Value: v, OK: ok}
		}
	}
	switch n := r.IntN(20); {
	case n < 4:
		return asked(spec.Load, m.Load)
	case n < 6:
		return asked(spec.Store, func(k int) (int, bool) { m.Store(k, in.Value); return 0, false })
	case n < 8:
		return asked(spec.LoadOrStore, func(k int) (int, bool) { return m.LoadOrStore(k, in.Value) })
	case n < 9:
		return asked(spec.LoadOrStore, func(k int) (int, bool) {
			return m.LoadOrCompute(k, func() (int, bool) { return in.Value, false })
		})
	case n < 11:
		return asked(spec.LoadAndDelete, m.LoadAndDelete)
	case n < 12:
		return asked(spec.Swap, func(k int) (int, bool) { return m.Swap(k, in.Value) })
	case n < 14:
		return asked(spec.CompareAndSwap, func(k int) (int, bool) { return 0, m.CompareAndSwap(k, in.Old, in.Value) })
	case n < 15:
		return asked(spec.CompareAndDelete, func(k int) (int, bool) { return 0, m.CompareAndDelete(k, in.Old) })
	case n < 17:
		in.Drop = in.Old == 0
		return asked(spec.Compute, func(k int) (int, bool) {
			return m.Compute(k, func(old int, loaded bool) (int, Op) {
				if in.Seen, in.SeenOK = old, loaded; in.Drop {
					return 0, Delete
				}
				return in.Value, Update
			})
		})
	case n < 18 && w == 0:
		return asked(spec.Clear, func(int) (int, bool) { m.Clear(); return 0, false })
	case n < 19:
		m.Store(historyKeys+r.IntN(50), 1) // has keys moved, and is no part of the history
	default:
		m.Trim()
	}
	return nil
}

// What goroutines are answered is what one at a time could have been, while others clear the map,
// and have its keys moved.
func TestHistoriesOfMapsAreLinearizable(t *testing.T) {
	seed, checker := lawtest.Seed(t), linear.NewChecker(whole())
	for round := range lawtest.Rounds(historyRounds) {
		k := kinds[round%len(kinds)]
		m := k.fresh(tiny)
		h := recorded(t, seed+uint64(round), func(r *rand.Rand, w int) func() (spec.MapIn, spec.MapOut) { return acts(m, r, w) })
		require.NoError(t, checker.Check(h), k.name)
	}
}

// multiActs are what tasks do to a multimap.
func multiActs(m *MultiMap[int, int], r *rand.Rand, w int) func() (spec.MultiMapIn, spec.MultiMapOut) {
	in := spec.MultiMapIn{Key: r.IntN(historyKeys), Value: r.IntN(3)}
	several := []int{r.IntN(3), r.IntN(3), r.IntN(3)}[:r.IntN(4)]
	asked := func(op spec.Op, f func(k int) spec.MultiMapOut) func() (spec.MultiMapIn, spec.MultiMapOut) {
		in.Op = op
		return func() (spec.MultiMapIn, spec.MultiMapOut) { return in, f(in.Key) }
	}
	switch n := r.IntN(20); {
	case n < 4:
		return asked(spec.Add, func(k int) (o spec.MultiMapOut) { m.Add(k, in.Value); return o })
	case n < 6:
		in.Values = spec.BatchOf(several...)
		return asked(spec.AddAll, func(k int) (o spec.MultiMapOut) { m.AddAll(k, several); return o })
	case n < 9:
		return asked(spec.DeleteValue, func(k int) (o spec.MultiMapOut) {
			if m.DeleteValue(k, in.Value) {
				o.N = 1
			}
			return o
		})
	case n < 11:
		return asked(spec.Count, func(k int) spec.MultiMapOut { return spec.MultiMapOut{N: m.Count(k)} })
	case n < 12:
		return asked(spec.Delete, func(k int) spec.MultiMapOut { return spec.MultiMapOut{N: m.Delete(k)} })
	case n < 14:
		in.Values = spec.BatchOf(several...)
		return asked(spec.Replace, func(k int) spec.MultiMapOut { return spec.MultiMapOut{N: m.Replace(k, several)} })
	case n < 15 && w == 0:
		return asked(spec.Clear, func(int) (o spec.MultiMapOut) { m.Clear(); return o })
	case n < 17:
		k := historyKeys + r.IntN(50) // has parts grow and the order purged, and is no part of the history
		m.Add(k, 1)
		m.Delete(k)
		return nil
	}
	return asked(spec.Values, func(k int) spec.MultiMapOut { return spec.MultiMapOut{Values: spec.BatchOf(m.Values(k)...)} })
}

func TestHistoriesOfMultiMapsAreLinearizable(t *testing.T) {
	one := spec.MultiMap()
	checker := linear.NewChecker(&linear.Spec[[historyKeys]spec.Batch, spec.MultiMapIn, spec.MultiMapOut]{
		Step: func(s [historyKeys]spec.Batch, in spec.MultiMapIn, out spec.MultiMapOut) ([historyKeys]spec.Batch, bool) {
			if in.Op == spec.Clear {
				return [historyKeys]spec.Batch{}, true
			}
			b, ok := one.Step(s[in.Key], in, out)
			s[in.Key] = b
			return s, ok
		},
		Text: one.Text,
	})
	seed := lawtest.Seed(t)
	for round := range lawtest.Rounds(historyRounds) {
		m := multi[int, int](multiSizes{stripes: 1 + round%2, part: 2, few: 1, gone: 1}, nil)
		h := recorded(t, seed+uint64(round), func(r *rand.Rand, w int) func() (spec.MultiMapIn, spec.MultiMapOut) { return multiActs(m, r, w) })
		require.NoError(t, checker.Check(h))
	}
}
