package fuzz_test

import (
	"fmt"
	"maps"
	"slices"

	"example.com/custody/array"
	"example.com/custody/hashmap"
	"example.com/custody/parallelfor"
	"example.com/custody/queue"
	"example.com/custody/table"
)

func ofQueue(q *queue.Queue[int]) *victim {
	return newVictim("queue", q, ofQueue, func() string { return fmt.Sprint(slices.Collect(q.All())) }, []*abuseLoop{
		over("ParallelWriter", q.ParallelWriter, func(w *queue.ParallelWriter[int], i int) { w.Enqueue(i) }),
		over("Reader", q.Reader, func(r *queue.Reader[int], _ int) { _ = r.Len() }),
		over("Writer", q.Writer, func(w *queue.Writer[int], i int) { w.Set(i, i) }).limited(),
		over("Shared", q.Shared, func(s *queue.Shared[int], i int) { s.Enqueue(i) }).inAnyOrder(),
	},
		shown("Enqueue", func(x, _ int) bool { return q.Enqueue(x) }),
		shown("TryDequeue", func(_, _ int) bool { _, ok := q.TryDequeue(); return ok }),
		shown("Dequeue", func(_, _ int) bool { _, err := q.Dequeue(endedContext); return err == nil }),
		shown("EnqueueAll", func(x, _ int) int { return q.EnqueueAll(make([]int, pick(x))) }),
		done("All and Clear", func(_, _ int) {
			for range boundedSeq(q.All()) {
				q.Clear()
			}
		}),
		done("Drain and Enqueue", func(x, _ int) {
			left := 8
			for range boundedSeq(q.Drain()) {
				if left--; left > 0 {
					q.Enqueue(x)
				}
			}
		}),
	)
}

func ofRing(r *queue.Ring[int]) *victim {
	return newVictim("ring", r, ofRing, func() string { return fmt.Sprint(slices.Collect(r.All())) }, []*abuseLoop{
		over("Shared", r.Shared, func(s *queue.RingShared[int], i int) { s.TryEnqueue(i) }).inAnyOrder(),
		over("Reader", r.Reader, func(v *queue.Reader[int], _ int) { _ = v.Len() }),
		over("Writer", r.Writer, func(w *queue.Writer[int], i int) { w.Set(i, i) }).limited(),
	},
		shown("Enqueue", func(x, _ int) bool { return r.Enqueue(endedContext, x) == nil }),
		shown("Dequeue", func(_, _ int) bool { _, err := r.Dequeue(endedContext); return err == nil }),
		shown("TryEnqueue", func(x, _ int) bool { return r.TryEnqueue(x) }),
		shown("DequeueInto", func(x, _ int) int { return r.DequeueInto(make([]int, pick(x))) }),
		shown("New", func(x, _ int) int { return queue.NewRing[[9]int](x).Cap() }),
		done("Clear", func(_, _ int) { r.Clear() }),
	)
}

func ofMap(m *hashmap.Map[int, int]) *victim {
	update := func(old, y int) (int, hashmap.Op) { return old + y, hashmap.Update }
	return newVictim("map", m, ofMap, func() string { return fmt.Sprint(maps.Collect(m.All())) }, []*abuseLoop{
		over("ParallelWriter", m.ParallelWriter, func(w *hashmap.ParallelWriter[int, int], i int) { w.Set(i%5, i) }),
		over("ParallelMerger", func() hashmap.ParallelMerger[int, int] {
			return m.ParallelMerger(func(a, b int) int { return a*3 + b })
		},
			func(w *hashmap.ParallelMerger[int, int], i int) { w.Merge(i%5, i) }),
		over("a merger that comes back", func() hashmap.ParallelMerger[int, int] {
			return m.ParallelMerger(func(a, b int) int { m.Store(1, 1); return a + b })
		}, func(w *hashmap.ParallelMerger[int, int], i int) { w.Merge(i%5, i) }).comingBack(),
		over("Reader", m.Reader, func(r *hashmap.Reader[int, int], i int) { r.Load(i) }),
		over("Shared", m.Shared, func(s *hashmap.Shared[int, int], i int) { s.Store(i%5, i) }).inAnyOrder(),
	},
		done("Store", func(x, y int) { m.Store(pick(x), y) }),
		shown("Load", func(x, _ int) bool { _, ok := m.Load(pick(x)); return ok }),
		done("Compute and Store", func(x, y int) {
			m.Compute(pick(x), func(old int, _ bool) (int, hashmap.Op) { m.Store(pick(y), 1); return update(old, y) })
		}),
		done("Compute and a loop", func(x, y int) {
			m.Compute(pick(x), func(old int, _ bool) (int, hashmap.Op) {
				parallelfor.For(2, m.Shared(), func(s *hashmap.Shared[int, int], i int) { s.Store(pick(y), 1) })
				return update(old, y)
			})
		}),
		done("Compute and Dispose", func(x, y int) {
			m.Compute(pick(x), func(old int, _ bool) (int, hashmap.Op) {
				if pick(y) == 0 {
					m.Dispose()
				}
				return update(old, y)
			})
		}),
		done("DeleteFunc and Clear", func(_, _ int) { m.DeleteFunc(func(k, _ int) bool { m.Clear(); return k == 0 }) }),
		done("Grow", func(x, _ int) { m.Grow(x) }),
		done("All and Store", func(x, y int) {
			for range bounded(m.All()) {
				m.Store(pick(x), y)
			}
		}),
	)
}

func ofMulti(m *hashmap.MultiMap[int, int]) *victim {
	read := func() string { return fmt.Sprint(maps.Collect(m.Groups())) }
	return newVictim("multimap", m, ofMulti, read, []*abuseLoop{
		over("ParallelWriter", m.ParallelWriter, func(w *hashmap.MultiParallelWriter[int, int], i int) { w.Add(i%5, i) }),
		over("Reader", m.Reader, func(r *hashmap.MultiReader[int, int], i int) { r.Values(i) }),
		over("Shared", m.Shared, func(s *hashmap.MultiShared[int, int], i int) { s.Add(i%5, i) }).inAnyOrder(),
	},
		done("Add", func(x, y int) { m.Add(pick(x), y) }),
		shown("Delete", func(x, _ int) int { return m.Delete(pick(x)) }),
		shown("Replace", func(x, y int) int { return m.Replace(pick(x), make([]int, pick(y))) }),
		done("Clear", func(_, _ int) { m.Clear() }),
		done("Groups and Add", func(x, y int) {
			left := 8
			for range bounded(m.Groups()) {
				if left--; left > 0 {
					m.Add(pick(x), y)
				}
			}
		}),
	)
}

// spark is a row.
type spark struct{ Age, Heat int }

func ofTable(t *table.Table[spark]) *victim {
	return withColumns(t, table.ColumnOf(t, func(s *spark) *int { return &s.Heat }))
}

func withColumns(t *table.Table[spark], heat *table.Column[int]) *victim {
	read := func() string {
		var rows []spark
		for _, row := range t.All() {
			rows = append(rows, row)
		}
		return fmt.Sprint(rows)
	}
	id := func(x int) table.ID {
		if n := t.Len(); n > 0 {
			return t.ID(((x % n) + n) % n)
		}
		return table.ID{}
	}
	again := func(c *table.Table[spark]) *victim { return withColumns(c, heat) }
	return newVictim("table", t, again, read, []*abuseLoop{
		over("column", heat.Writer, func(w *array.Writer[int], i int) { w.Set(i, i) }).limited(),
		over("reader", heat.Reader, func(r *array.Reader[int], i int) { _ = r.Len() }),
		over("Stager", t.Stager, func(s *table.Stager[spark], i int) { s.Add(spark{i, i}) }),
		over("IDs", t.IDs, func(r *array.Reader[table.ID], i int) { _ = r.At(i % 4) }),
	},
		done("Add", func(x, y int) { t.Add(spark{x, y}) }),
		done("Remove", func(x, _ int) { t.Remove(id(x)) }),
		done("Remove what never was", func(x, _ int) { t.Remove(table.ID{}) }),
		shown("Apply", func(_, _ int) int { return t.Apply().Removed }),
		shown("Apply", func(_, _ int) int { return t.Apply().Removed }),
		done("Sweep that applies", func(x, _ int) { t.Sweep(func(row int) bool { t.Apply(); return row != pick(x) }) }),
		done("Sweep that adds", func(x, _ int) { t.Sweep(func(row int) bool { t.Add(spark{}); return row != pick(x) }) }),
		shown("Set", func(x, y int) bool { return t.Set(id(x), spark{y, y}) }),
		shown("At", func(x, _ int) int { return heat.At(x) }),
		done("All and Add", func(x, _ int) {
			for range bounded(t.All()) {
				t.Add(spark{x, x})
			}
		}),
		done("All and Apply", func(x, _ int) {
			for range bounded(t.All()) {
				t.Apply()
			}
		}),
	)
}
