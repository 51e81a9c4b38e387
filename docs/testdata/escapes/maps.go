package main

import (
	"example.com/custody/hashmap"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// newMap returns a map of four keys.
func newMap() *hashmap.Map[int, int] {
	m := hashmap.New[int, int](safety.Named("m"))
	for k := range 4 {
		m.Store(k, 1)
	}
	return m
}

// newMulti returns a multimap of four keys with some values each.
func newMulti() *hashmap.MultiMap[int, int] {
	m := hashmap.NewMulti[int, int](safety.Named("m"))
	for k := range 4 {
		m.AddAll(k, []int{1, 2, 3})
	}
	return m
}

func mapExcluded() {
	m := newMap()
	parallelfor.For(4, m.ParallelWriter(), func(w *hashmap.ParallelWriter[int, int], i int) {
		if i == 1 {
			sink, _ = m.Load(0)
		}
	}, each(2)...)
}

func multiExcluded() {
	m := newMulti()
	parallelfor.For(4, m.ParallelWriter(), func(w *hashmap.MultiParallelWriter[int, int], i int) {
		if i == 1 {
			sink = m.Count(0)
		}
	}, each(2)...)
}

func mapShared() {
	m := newMap()
	parallelfor.For(4, m.Shared(), func(s *hashmap.Shared[int, int], i int) {
		if i == 1 {
			m.Store(0, 2)
		}
	}, each(2)...)
}

func mapViewKept() {
	var kept hashmap.Reader[int, int]
	parallelfor.For(1, newMap().Reader(), func(r *hashmap.Reader[int, int], i int) { kept = *r }, each(1)...)
	sink, _ = kept.Load(0)
}

func mergedVariable() {
	calls := 0
	plus := func(old, v int) int { calls++; return old + v }
	parallelfor.For(4, newMap().ParallelMerger(plus), func(w *hashmap.ParallelMerger[int, int], i int) {
		for k := range 2000 { // so many are merged by several workers
			w.Merge(k, 1)
		}
	}, each(2)...)
	sink = calls
}

func mergedInBodies() {
	calls := 0
	plus := func(old, v int) int { calls++; return old + v }
	parallelfor.For(4, newMap().ParallelMerger(plus, hashmap.Associative()), func(w *hashmap.ParallelMerger[int, int], i int) {
		w.Merge(0, 1)
		w.Merge(0, 1)
	}, each(2)...)
	sink = calls
}

// valuesOf returns the values of a key, as a job has kept them.
func valuesOf(m *hashmap.MultiMap[int, int], k int) (kept []int) {
	parallelfor.For(1, m.Reader(), func(r *hashmap.MultiReader[int, int], i int) { kept = r.Values(k) }, each(1)...)
	return kept
}

func valuesWritten() {
	parallelfor.For(4, newMulti().Reader(), func(r *hashmap.MultiReader[int, int], i int) {
		if i == 1 {
			r.Values(0)[0] = 4
		}
	}, each(2)...)
}

func valuesKept() {
	m := newMulti()
	kept := valuesOf(m, 0)
	h := parallelfor.Schedule(4, raising{m.Writer()}, (*raising).Execute, each(2)...)
	for !h.Finished() {
		nap()
	}
	sink = kept[0]
	h.Complete()
}

func valuesChanged() {
	m := newMulti()
	kept := valuesOf(m, 0)
	m.DeleteValue(0, 1)
	sink = kept[0]
}

func valuesOfBatch() {
	var kept []int
	var first hint
	parallelfor.For(2, newMulti().Writer(), func(w *hashmap.MultiWriter[int, int], i int) {
		if i == 0 {
			_, kept = w.At(0)
			first.give()
			return
		}
		first.wait()
		kept[0] = 4
	}, each(2)...)
}

func valuesOfJob() {
	m := newMulti()
	var kept []int
	parallelfor.For(1, m.Writer(), func(w *hashmap.MultiWriter[int, int], i int) { _, kept = w.At(0) }, each(1)...)
	h := parallelfor.Schedule(4, grouped{m.Reader()}, (*grouped).Execute, each(2)...)
	for !h.Finished() {
		nap()
	}
	kept[0] = 4
	h.Complete()
}

type raising struct{ Out hashmap.MultiWriter[int, int] }

func (j *raising) Execute(i int) {
	_, vals := j.Out.At(i)
	vals[0]++
}

type grouped struct{ In hashmap.MultiReader[int, int] }

func (j *grouped) Execute(i int) { j.In.Values(i) }
