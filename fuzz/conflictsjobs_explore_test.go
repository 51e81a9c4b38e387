//go:build custody_explore && !race

package fuzz_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/hashmap"
	"example.com/custody/internal/spec"
	"example.com/custody/queue"
	"example.com/custody/safety"
	"example.com/custody/table"
)

// seat is what a worker of a job has: a copy of the view, for a batch of its own.
type seat[V any] struct {
	view  V
	batch int // 0 or 1, of each 64 indices
	other *seat[V]
	close func()        // ends the job
	left  func() string // what is in the container after the job
}

// seats begins a job of two workers, and returns the seat of the first. Each has a batch.
func seats[V any, P interface {
	*V
	safety.View
}](view V, left func() string) *seat[V] {
	first, second := &seat[V]{view: view, left: left}, &seat[V]{view: view, batch: 1, left: left}
	first.other, second.other = second, first
	job := new(safety.Ticket)
	job.Reset("job", safety.Caller(1))
	for _, v := range within(P(&first.view)) {
		job.ClaimOf(safety.FieldOf(v, "view"))
	}
	if v := job.Open(nil, 128, true); v != nil {
		panic(v)
	}
	inTurn := func(n int, f func(i int)) {
		for i := range n {
			f(i)
		}
	}
	job.Start(safety.Phase{Workers: 2, N: 128, Batches: 2, BatchSize: 64, Parallel: inTurn})
	var scopes []*safety.Scope
	for _, s := range []*seat[V]{first, second} {
		l := safety.NewScope()
		scopes = append(scopes, l)
		l.Open(job, s.batch, true)
		var b safety.Binder
		for i, v := range within(P(&s.view)) {
			b = safety.FieldOf(v, "").Binder
			b.Bind(safety.NewBinding(l, i, v))
		}
		if b, ok := b.(safety.SpanView); ok {
			b.BeginSpan(s.batch)
		}
		if b, ok := b.(interface{ BeginBatch(int) }); ok {
			b.BeginBatch(s.batch)
		}
		if b, ok := b.(safety.RangeView); ok {
			b.SetRange(64*s.batch, 64*s.batch+64)
		}
	}
	first.close = func() {
		for _, l := range scopes {
			l.Close()
			l.Discard()
		}
		job.Seal(2, false, inTurn)
		job.Return()
		first.close = func() {}
	}
	second.close = func() { first.close() }
	return first
}

// own returns an index of the worker's batch.
func (s *seat[V]) own() int { return 64*s.batch + 5 }

// inJobs are operations of the workers of a job.
func inJobs[V any, P interface {
	*V
	safety.View
}](name string, fresh func() (view V, left func() string), ops ...operation[*seat[V]]) *subject[*seat[V]] {
	type C = *seat[V]
	return &subject[C]{name: name, states: map[string]func() C{"two workers": func() C {
		view, left := fresh()
		return seats[V, P](view, left)
	}}, ops: ops, other: func(s C) C { return s.other }, end: func(s C) { s.close() }, dump: func(s C) string {
		s.close()
		return s.left()
	}}
}

func ofJobs(t *testing.T) []meeting {
	return slices.Concat(ofAppends(t), ofShared(t), ofPositions(t), ofWindows(t))
}

// ofAppends are views that append in the order of the sequential loop.
func ofAppends(t *testing.T) []meeting {
	type (
		list  = *seat[array.ParallelWriter[int]]
		row   = *seat[array.StreamParallelWriter[int]]
		keyed = *seat[array.StreamKeyedWriter[int]]
		count = *seat[counter.ParallelWriter]
		sum   = *seat[counter.SumParallelWriter[float64]]
		best  = *seat[counter.ExtremumParallelWriter[int]]
		bin   = *seat[counter.HistogramParallelWriter]
		item  = *seat[queue.ParallelWriter[int]]
		put   = *seat[hashmap.ParallelWriter[int, int]]
		merge = *seat[hashmap.ParallelMerger[int, int]]
		value = *seat[hashmap.MultiParallelWriter[int, int]]
		stage = *seat[table.Stager[point3]]
	)
	return slices.Concat(
		inJobs("List.ParallelWriter", func() (array.ParallelWriter[int], func() string) {
			l := array.NewList[int]()
			return l.ParallelWriter(), func() string { return fmt.Sprint(l.Slice()) }
		}, operation[list]{"Append", func(s list) any { s.view.Append(7); return nil }},
			operation[list]{"AppendAll", func(s list) any { s.view.AppendAll(make([]int, 500)); return nil }}).meetings(t),
		inJobs("Stream.ParallelWriter", func() (array.StreamParallelWriter[int], func() string) {
			l := array.NewStream[int]()
			return l.ParallelWriter(), func() string { return fmt.Sprint(maps.Collect(l.All())) }
		}, operation[row]{"Append", func(s row) any { s.view.Append(s.own(), 7); return nil }},
			operation[row]{"Row", func(s row) any { s.view.Row(s.own()); return nil }},
			operation[row]{"AppendAll", func(s row) any { s.view.AppendAll(s.own(), make([]int, 500)); return nil }}).meetings(t),
		inJobs("Stream.KeyedWriter", func() (array.StreamKeyedWriter[int], func() string) {
			l := array.NewStream[int]()
			l.Resize(10)
			return l.KeyedWriter(), func() string { return fmt.Sprint(maps.Collect(l.All())) }
		}, operation[keyed]{"Add", func(s keyed) any { s.view.Add(1, 7); return nil }},
			operation[keyed]{"Add to another row", func(s keyed) any { s.view.Add(2, 7); return nil }}).meetings(t),
		inJobs("Counter.ParallelWriter", func() (counter.ParallelWriter, func() string) {
			c := counter.New()
			return c.ParallelWriter(), func() string { return fmt.Sprint(c.Value()) }
		}, operation[count]{"Add", func(s count) any { s.view.Add(7); return nil }}).meetings(t),
		inJobs("Sum.ParallelWriter", func() (counter.SumParallelWriter[float64], func() string) {
			c := counter.NewSum[float64]()
			return c.ParallelWriter(), func() string { return fmt.Sprint(c.Value()) }
		}, operation[sum]{"Add", func(s sum) any { s.view.Add(7); return nil }}).meetings(t),
		inJobs("Max.ParallelWriter", func() (counter.ExtremumParallelWriter[int], func() string) {
			c := counter.NewMax[int]()
			return c.ParallelWriter(), func() string { return fmt.Sprint(c.Value()) }
		}, operation[best]{"Observe", func(s best) any { s.view.Observe(7); return nil }}).meetings(t),
		inJobs("Histogram.ParallelWriter", func() (counter.HistogramParallelWriter, func() string) {
			c := counter.NewHistogram(64)
			return c.ParallelWriter(), func() string { return fmt.Sprint(c.Counts(nil)) }
		}, operation[bin]{"Add", func(s bin) any { s.view.Add(1, 7); return nil }},
			operation[bin]{"Len", func(s bin) any { return s.view.Len() }}).meetings(t),
		inJobs("Queue.ParallelWriter", func() (queue.ParallelWriter[int], func() string) {
			q := queue.New[int]()
			return q.ParallelWriter(), func() string { return items(q) }
		}, operation[item]{"Enqueue", func(s item) any { s.view.Enqueue(7); return nil }},
			operation[item]{"EnqueueAll", func(s item) any { s.view.EnqueueAll(make([]int, 500)); return nil }}).meetings(t),
		inJobs("Map.ParallelWriter", func() (hashmap.ParallelWriter[int, int], func() string) {
			m := hashmap.New[int, int]()
			return m.ParallelWriter(), func() string { return fmt.Sprint(maps.Collect(m.All())) }
		}, operation[put]{"Set", func(s put) any { s.view.Set(1, 7); return nil }},
			operation[put]{"Add", func(s put) any { s.view.Add(2, 7); return nil }}).meetings(t),
		inJobs("Map.ParallelMerger", func() (hashmap.ParallelMerger[int, int], func() string) {
			m := hashmap.New[int, int]()
			return m.ParallelMerger(hashmap.Add), func() string { return fmt.Sprint(maps.Collect(m.All())) }
		}, operation[merge]{"Merge", func(s merge) any { s.view.Merge(1, 7); return nil }}).meetings(t),
		inJobs("MultiMap.ParallelWriter", func() (hashmap.MultiParallelWriter[int, int], func() string) {
			m := hashmap.NewMulti[int, int]()
			return m.ParallelWriter(), func() string { return fmt.Sprint(maps.Collect(m.Groups())) }
		}, operation[value]{"Add", func(s value) any { s.view.Add(1, 7); return nil }},
			operation[value]{"AddAll", func(s value) any { s.view.AddAll(2, []int{7, 7}); return nil }}).meetings(t),
		inJobs("Stager", func() (table.Stager[point3], func() string) {
			p := table.New[point3]()
			table.KeyOf(p, func(r *point3) *int { return &r.Name })
			return p.Stager(), func() string { return fmt.Sprint(p.Apply().Added, p.Len()) }
		}, operation[stage]{"Remove", func(s stage) any { s.view.Remove(table.ID{}); return nil }}, operation[stage]{"Add", func(s stage) any { s.view.Add(point3{Name: s.batch}); return nil }}).meetings(t),
	)
}

// ofShared are views with which workers use a container as goroutines do.
func ofShared(t *testing.T) []meeting {
	type (
		item  = *seat[queue.Shared[int]]
		place = *seat[queue.RingShared[int]]
		key   = *seat[hashmap.Shared[int, int]]
		group = *seat[hashmap.MultiShared[int, int]]
	)
	return slices.Concat(
		inJobs("Queue.Shared", func() (queue.Shared[int], func() string) {
			q := queue.New[int]()
			q.EnqueueAll(make([]int, 20))
			return q.Shared(), func() string { return items(q) }
		}, operation[item]{"Enqueue", func(s item) any { return s.view.Enqueue(7) }},
			operation[item]{"EnqueueAll", func(s item) any { return s.view.EnqueueAll([]int{7, 7}) }},
			operation[item]{"TryDequeue", func(s item) any { return both(s.view.TryDequeue()) }},
			operation[item]{"DequeueInto", func(s item) any { dst := make([]int, 3); return both(s.view.DequeueInto(dst), dst) }},
			operation[item]{"Len", func(s item) any { return s.view.Len() }}).
			by(queueModel(func(item) ([]int, bool) { return make([]int, 20), false })).meetings(t),
		inJobs("Ring.Shared", func() (queue.RingShared[int], func() string) {
			r := queue.NewRing[int](32)
			r.EnqueueAll(make([]int, 16))
			return r.Shared(), func() string { return items(r) }
		}, operation[place]{"TryEnqueue", func(s place) any { return s.view.TryEnqueue(7) }},
			operation[place]{"EnqueueAll", func(s place) any { return s.view.EnqueueAll([]int{7, 7}) }},
			operation[place]{"TryDequeue", func(s place) any { return both(s.view.TryDequeue()) }},
			operation[place]{"DequeueInto", func(s place) any { dst := make([]int, 3); return both(s.view.DequeueInto(dst), dst) }},
			operation[place]{"Len", func(s place) any { return s.view.Len() }}).
			by(queueModel(func(place) ([]int, bool) { return make([]int, 16), false }, spec.Capacity(32))).meetings(t),
		inJobs("Map.Shared", func() (hashmap.Shared[int, int], func() string) {
			m := hashmap.New[int, int]()
			m.Grow(2048)
			for i := range 64 {
				m.Store(i, i)
			}
			return m.Shared(), func() string { return fmt.Sprint(maps.Collect(m.All())) }
		}, operation[key]{"Load", func(s key) any { return both(s.view.Load(1)) }},
			operation[key]{"Store of an own key", func(s key) any { s.view.Store(2+s.batch, 7); return nil }},
			operation[key]{"Store of a new key", func(s key) any { s.view.Store(1001+s.batch, 13); return nil }},
			operation[key]{"LoadOrStore", func(s key) any { return both(s.view.LoadOrStore(1, 11)) }},
			operation[key]{"Compute of an own key", func(s key) any {
				var was any
				v, ok := s.view.Compute(2+s.batch, func(old int, loaded bool) (int, hashmap.Op) {
					was = both(old, loaded)
					return 77, hashmap.Update
				})
				return both(was, both(v, ok))
			}},
			operation[key]{"LoadOrCompute", func(s key) any { return both(s.view.LoadOrCompute(1, func() (int, bool) { return 88, false })) }},
			operation[key]{"LoadAndDelete of an own key", func(s key) any { return both(s.view.LoadAndDelete(4 + s.batch)) }},
			operation[key]{"Delete of an own key", func(s key) any { s.view.Delete(2 + s.batch); return nil }},
			operation[key]{"Len", func(s key) any { return s.view.Len() }}).by(mapModel(func(key) map[int]int {
			there := map[int]int{}
			for i := range 64 {
				there[i] = i
			}
			return there
		}, func(s key) int { return s.batch })).meetings(t),
		inJobs("MultiMap.Shared", func() (hashmap.MultiShared[int, int], func() string) {
			m := hashmap.NewMulti[int, int]()
			for i := range 100 {
				m.Add(i, i)
			}
			return m.Shared(), func() string { return fmt.Sprint(maps.Collect(m.Groups())) }
		}, operation[group]{"Add to an own key", func(s group) any { s.view.Add(2+s.batch, 7); return nil }},
			operation[group]{"Count of an own key", func(s group) any { return s.view.Count(4 + s.batch) }},
			operation[group]{"Values", func(s group) any { return s.view.Values(1) }},
			operation[group]{"Replace of an own key", func(s group) any { return s.view.Replace(8+s.batch, []int{7}) }},
			operation[group]{"DeleteValue of an own key", func(s group) any { return s.view.DeleteValue(10+s.batch, 1) }},
			operation[group]{"LenKeys", func(s group) any { return s.view.LenKeys() }},
			operation[group]{"Delete of an own key", func(s group) any { return s.view.Delete(6 + s.batch) }},
			operation[group]{"Len", func(s group) any { return s.view.Len() }}).meetings(t),
	)
}

// ofPositions are views with which workers read, or write what is theirs.
func ofPositions(t *testing.T) []meeting {
	type (
		read     = *seat[array.Reader[int]]
		write    = *seat[array.Writer[int]]
		permuted = *seat[array.PermutedWriter[int]]
		rows     = *seat[array.StreamReader[int]]
		bins     = *seat[counter.HistogramWriter]
		count    = *seat[counter.Reader]
		queued   = *seat[queue.Reader[int]]
		found    = *seat[hashmap.Reader[int, int]]
		replaced = *seat[hashmap.Writer[int, int]]
		groups   = *seat[hashmap.MultiReader[int, int]]
	)
	numbers := func() (*array.Array[int], func() string) {
		a := array.New[int](128)
		return a, func() string { return fmt.Sprint(a.Slice()) }
	}
	keys := func() (*hashmap.Map[int, int], func() string) {
		m := hashmap.New[int, int]()
		for i := range 128 {
			m.Store(i, i)
		}
		return m, func() string { return fmt.Sprint(maps.Collect(m.All())) }
	}
	return slices.Concat(
		inJobs("Array.Reader", func() (array.Reader[int], func() string) {
			a, left := numbers()
			return a.Reader(), left
		}, operation[read]{"At", func(s read) any { return s.view.At(1) }},
			operation[read]{"Slice", func(s read) any { return s.view.Slice() }},
			operation[read]{"Len", func(s read) any { return s.view.Len() }}).meetings(t),
		inJobs("Array.Writer", func() (array.Writer[int], func() string) {
			a, left := numbers()
			return a.Writer(), left
		}, operation[write]{"Set", func(s write) any { s.view.Set(s.own(), 7); return nil }},
			operation[write]{"Slice", func(s write) any { return s.view.Slice() }}).meetings(t),
		inJobs("Array.PermutedWriter", func() (array.PermutedWriter[int], func() string) {
			a, left := numbers()
			return array.Permuted(a.Writer()), left
		}, operation[permuted]{"Set", func(s permuted) any { s.view.Set(s.own(), 7); return nil }},
			operation[permuted]{"Len", func(s permuted) any { return s.view.Len() }}).meetings(t),
		inJobs("Stream.Reader", func() (array.StreamReader[int], func() string) {
			l := array.StreamOf(make([][]int, 128))
			return l.Reader(), func() string { return fmt.Sprint(l.Total()) }
		}, operation[rows]{"At", func(s rows) any { return s.view.At(1) }},
			operation[rows]{"Total", func(s rows) any { return s.view.Total() }}).meetings(t),
		inJobs("Counter.Reader", func() (counter.Reader, func() string) {
			c := counter.New()
			return c.Reader(), func() string { return fmt.Sprint(c.Value()) }
		}, operation[count]{"Value", func(s count) any { return s.view.Value() }}).meetings(t),
		inJobs("Histogram.Writer", func() (counter.HistogramWriter, func() string) {
			h := counter.NewHistogram(128)
			return h.Writer(), func() string { return fmt.Sprint(h.Counts(nil)) }
		}, operation[bins]{"Add", func(s bins) any { s.view.Add(s.own(), 7); return nil }},
			operation[bins]{"Set", func(s bins) any { s.view.Set(s.own()+1, 7); return nil }},
			operation[bins]{"At", func(s bins) any { return s.view.At(s.own()) }}).meetings(t),
		inJobs("Queue.Reader", func() (queue.Reader[int], func() string) {
			q := queue.New[int]()
			q.EnqueueAll(make([]int, 128))
			return q.Reader(), func() string { return items(q) }
		}, operation[queued]{"At", func(s queued) any { return s.view.At(1) }},
			operation[queued]{"Len", func(s queued) any { return s.view.Len() }}).meetings(t),
		inJobs("Map.Reader", func() (hashmap.Reader[int, int], func() string) {
			m, left := keys()
			return m.Reader(), left
		}, operation[found]{"Load", func(s found) any { return both(s.view.Load(1)) }},
			operation[found]{"At", func(s found) any { return both(s.view.At(1)) }},
			operation[found]{"All", func(s found) any { return maps.Collect(s.view.All()) }},
			operation[found]{"Len", func(s found) any { return s.view.Len() }}).meetings(t),
		inJobs("Map.Writer", func() (hashmap.Writer[int, int], func() string) {
			m, left := keys()
			return m.Writer(), left
		}, operation[replaced]{"At", func(s replaced) any { return both(s.view.At(s.own())) }},
			operation[replaced]{"Set", func(s replaced) any { s.view.Set(s.own(), 7); return nil }}).meetings(t),
		inJobs("MultiMap.Reader", func() (hashmap.MultiReader[int, int], func() string) {
			m := hashmap.NewMulti[int, int]()
			for i := range 128 {
				m.Add(i, i)
			}
			return m.Reader(), func() string { return fmt.Sprint(maps.Collect(m.Groups())) }
		}, operation[groups]{"Values", func(s groups) any { return s.view.Values(1) }},
			operation[groups]{"At", func(s groups) any { return both(s.view.At(1)) }},
			operation[groups]{"Len", func(s groups) any { return s.view.Len() }}).meetings(t),
	)
}
