package fuzz

import (
	"math/rand/v2"
	"testing"

	"example.com/custody/internal/linear"
	"example.com/custody/internal/spec"
)

// mapHistory is a history of a map.
type mapHistory = history[spec.MapIn, spec.MapOut]

// linearizable judges histories of a map.
func (s *mapSuite) linearizable(t testing.TB) {
	t.Helper()
	judged(t, &s.settings, s.drawn(t), s.rounds(histories), historyTasks, historyOps, func(int) (*linear.Spec[spec.Entry, spec.MapIn, spec.MapOut], actor[spec.MapIn, spec.MapOut]) {
		return spec.Map(), s.actor()
	})
}

// actor returns an actor on a fresh map.
func (s *mapSuite) actor() actor[spec.MapIn, spec.MapOut] {
	of, items := s.fresh(), fewItems()
	acts := of.acts()
	return func(_ *crew, h *mapHistory, task int, r *rand.Rand) {
		a := acts[r.IntN(len(acts))]
		a(h, task, r.IntN(historyKeys), items[r.IntN(historyValues)], items[r.IntN(historyValues)])
	}
}

// fewItems returns a few values, so that comparisons sometimes succeed.
func fewItems() (items [historyValues]*Item) {
	for i := range items {
		items[i] = &Item{ID: i + 1}
	}
	return items
}

// mapAct does and records an operation on key k. v is its value, and old the value to compare with.
type mapAct func(h *mapHistory, task, k int, v, old *Item)

func mapAnswer(v *Item, ok bool) (out spec.MapOut) {
	if ok {
		out = spec.MapOut{Value: number(v), OK: true}
	}
	return out
}

// acts returns the operations that the map has.
func (m *MapOf) acts() []mapAct {
	acts := []mapAct{
		func(h *mapHistory, task, k int, _, _ *Item) {
			h.do(task, spec.MapIn{Op: spec.Load, Key: k}, func() spec.MapOut { return mapAnswer(m.Load(k)) })
		},
		func(h *mapHistory, task, k int, v, _ *Item) {
			h.do(task, spec.MapIn{Op: spec.Store, Key: k, Value: v.ID}, func() (out spec.MapOut) { m.Store(k, v); return out })
		},
	}
	if m.LoadOrStore != nil {
		acts = append(acts, func(h *mapHistory, task, k int, v, _ *Item) {
			h.do(task, spec.MapIn{Op: spec.LoadOrStore, Key: k, Value: v.ID}, func() spec.MapOut {
				actual, loaded := m.LoadOrStore(k, v)
				return spec.MapOut{Value: number(actual), OK: loaded}
			})
		})
	}
	if m.LoadOrCompute != nil {
		acts = append(acts, func(h *mapHistory, task, k int, v, _ *Item) {
			h.do(task, spec.MapIn{Op: spec.LoadOrStore, Key: k, Value: v.ID}, func() spec.MapOut {
				actual, loaded := m.LoadOrCompute(k, func() (*Item, bool) { return v, false })
				return spec.MapOut{Value: number(actual), OK: loaded}
			})
		})
	}
	if m.LoadAndDelete != nil {
		acts = append(acts, func(h *mapHistory, task, k int, _, _ *Item) {
			h.do(task, spec.MapIn{Op: spec.LoadAndDelete, Key: k}, func() spec.MapOut { return mapAnswer(m.LoadAndDelete(k)) })
		})
	}
	if m.Delete != nil {
		acts = append(acts, func(h *mapHistory, task, k int, _, _ *Item) {
			h.do(task, spec.MapIn{Op: spec.Delete, Key: k}, func() (out spec.MapOut) { m.Delete(k); return out })
		})
	}
	if m.Swap != nil {
		acts = append(acts, func(h *mapHistory, task, k int, v, _ *Item) {
			h.do(task, spec.MapIn{Op: spec.Swap, Key: k, Value: v.ID}, func() spec.MapOut { return mapAnswer(m.Swap(k, v)) })
		})
	}
	if m.CompareAndSwap != nil {
		acts = append(acts, func(h *mapHistory, task, k int, v, old *Item) {
			h.do(task, spec.MapIn{Op: spec.CompareAndSwap, Key: k, Old: old.ID, Value: v.ID}, func() spec.MapOut {
				return spec.MapOut{OK: m.CompareAndSwap(k, old, v)}
			})
		})
	}
	if m.CompareAndDelete != nil {
		acts = append(acts, func(h *mapHistory, task, k int, _, old *Item) {
			h.do(task, spec.MapIn{Op: spec.CompareAndDelete, Key: k, Old: old.ID}, func() spec.MapOut {
				return spec.MapOut{OK: m.CompareAndDelete(k, old)}
			})
		})
	}
	if m.Compute != nil {
		acts = append(acts, m.recordCompute)
	}
	return acts
}

// recordCompute does and records a Compute. The arguments of its function are part of the
// operation, and are known only afterwards.
func (m *MapOf) recordCompute(h *mapHistory, task, k int, v, old *Item) {
	in := spec.MapIn{Op: spec.Compute, Key: k, Value: v.ID, Drop: v == old}
	h.note(task, func() (spec.MapIn, spec.MapOut) {
		out := mapAnswer(m.Compute(k, func(was *Item, loaded bool) (*Item, bool) {
			if in.Seen, in.SeenOK = 0, loaded; loaded {
				in.Seen = number(was)
			}
			return v, !in.Drop
		}))
		return in, out
	})
}

// linearizable judges histories of a multimap.
func (s *multiMapSuite) linearizable(t testing.TB) {
	t.Helper()
	sp := s.sequential()
	judged(t, &s.settings, s.drawn(t), s.rounds(histories), historyTasks, historyOps, func(int) (*linear.Spec[spec.Batch, spec.MultiMapIn, spec.MultiMapOut], actor[spec.MultiMapIn, spec.MultiMapOut]) {
		return sp, s.actor()
	})
}

// sequential returns the specification of the multimap.
func (s *multiMapSuite) sequential() *linear.Spec[spec.Batch, spec.MultiMapIn, spec.MultiMapOut] {
	if s.has(Unordered) {
		return spec.MultiMap(spec.AnyOrder())
	}
	return spec.MultiMap()
}

// actor returns an actor on a fresh multimap.
func (s *multiMapSuite) actor() actor[spec.MultiMapIn, spec.MultiMapOut] {
	of, items := s.fresh(), fewItems()
	return func(_ *crew, h *history[spec.MultiMapIn, spec.MultiMapOut], task int, r *rand.Rand) {
		vs := []*Item{items[r.IntN(historyValues)], items[r.IntN(historyValues)], items[r.IntN(historyValues)]}[:1+r.IntN(3)]
		of.record(h, task, r.IntN(historyKeys), vs, r.IntN(14))
	}
}

// record does and records one of the operations of a multimap, with the first of some values or
// with several of them.
func (m *MultiMapOf) record(h *history[spec.MultiMapIn, spec.MultiMapOut], task, k int, vs []*Item, which int) {
	type out = spec.MultiMapOut
	v := vs[0]
	switch {
	case which == 0 && m.Delete != nil:
		h.do(task, spec.MultiMapIn{Op: spec.Delete, Key: k}, func() out { return out{N: m.Delete(k)} })
	case which <= 3 && m.DeleteValue != nil:
		h.do(task, spec.MultiMapIn{Op: spec.DeleteValue, Key: k, Value: v.ID}, func() (o out) {
			if m.DeleteValue(k, v) {
				o.N = 1
			}
			return o
		})
	case which == 4 && m.Count != nil:
		h.do(task, spec.MultiMapIn{Op: spec.Count, Key: k}, func() out { return out{N: m.Count(k)} })
	case which <= 7:
		h.do(task, spec.MultiMapIn{Op: spec.Values, Key: k}, func() out {
			return out{Values: batch(m.Values(k))}
		})
	case which == 8 && m.AddAll != nil:
		h.do(task, spec.MultiMapIn{Op: spec.AddAll, Key: k, Values: batch(vs)}, func() (o out) { m.AddAll(k, vs); return o })
	case which == 9 && m.Replace != nil:
		vs = vs[1:]
		h.do(task, spec.MultiMapIn{Op: spec.Replace, Key: k, Values: batch(vs)}, func() out { return out{N: m.Replace(k, vs)} })
	default:
		h.do(task, spec.MultiMapIn{Op: spec.Add, Key: k, Value: v.ID}, func() (o out) { m.Add(k, v); return o })
	}
}

// batch returns values as the specification represents them.
func batch(values []*Item) spec.Batch {
	ids := make([]int, len(values))
	for i := range ids {
		ids[i] = number(values[i])
	}
	return spec.BatchOf(ids...)
}
