//go:build custody_explore && !race

package fuzz_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/hashmap"
	"example.com/custody/queue"
	"example.com/custody/safety"
	"example.com/custody/table"
)

// within returns a view, after the one of its offsets if it has that.
func within(v safety.View) []safety.View {
	if f := reflect.ValueOf(v).Elem().FieldByName("offsets"); f.IsValid() {
		if offsets, ok := reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Interface().(safety.View); ok {
			return []safety.View{offsets, v}
		}
	}
	return []safety.View{v}
}

// ofWindows are views with which workers read a result, or write their part of what lies in another
// order than the indices.
func ofWindows(t *testing.T) []meeting {
	type (
		best    = *seat[counter.ExtremumReader[int]]
		bins    = *seat[counter.HistogramReader]
		sum     = *seat[counter.SumReader[float64]]
		value   = *seat[array.ValueReader[int]]
		owned   = *seat[array.OffsetWriter[int]]
		rows    = *seat[array.StreamWriter[int]]
		queued  = *seat[queue.Writer[int]]
		groups  = *seat[hashmap.MultiWriter[int, int]]
		names   = *seat[table.Lookup]
		written = *seat[array.Writer[float64]]
	)
	return slices.Concat(
		inJobs("Max.Reader", func() (counter.ExtremumReader[int], func() string) {
			m := counter.NewMax[int]()
			return m.Reader(), m.String
		}, operation[best]{"Value", func(s best) any { return both(s.view.Value()) }}).meetings(t),
		inJobs("Histogram.Reader", func() (counter.HistogramReader, func() string) {
			h := counter.NewHistogram(128)
			return h.Reader(), h.String
		}, operation[bins]{"At", func(s bins) any { return s.view.At(1) }},
			operation[bins]{"Total", func(s bins) any { return s.view.Total() }},
			operation[bins]{"Counts", func(s bins) any { return s.view.Counts(nil) }},
			operation[bins]{"All", func(s bins) any { return maps.Collect(s.view.All()) }}).meetings(t),
		inJobs("Sum.Reader", func() (counter.SumReader[float64], func() string) {
			s := counter.NewSum[float64]()
			return s.Reader(), s.String
		}, operation[sum]{"Value", func(s sum) any { return s.view.Value() }}).meetings(t),
		inJobs("Value.Reader", func() (array.ValueReader[int], func() string) {
			x := array.NewValue(5)
			return x.Reader(), x.String
		}, operation[value]{"Load", func(s value) any { return s.view.Load() }}).meetings(t),
		inJobs("Array.OffsetWriter", func() (array.OffsetWriter[int], func() string) {
			a, offsets := array.New[int](128), array.New[int](129)
			for i := range 129 {
				offsets.Set(i, i)
			}
			return array.ByOffsets(a.Writer(), offsets.Reader()), func() string { return fmt.Sprint(a.Slice()) }
		}, operation[owned]{"Set", func(s owned) any { s.view.Set(s.own(), 7); return nil }},
			operation[owned]{"Row", func(s owned) any { s.view.Row(s.own() + 1)[0] = 7; return nil }},
			operation[owned]{"Len", func(s owned) any { return s.view.Len() }}).meetings(t),
		inJobs("Stream.Writer", func() (array.StreamWriter[int], func() string) {
			l := array.StreamOf(slices.Repeat([][]int{{1}}, 128))
			return l.Writer(), func() string { return fmt.Sprint(l.Items()) }
		}, operation[rows]{"At", func(s rows) any { s.view.At(s.own())[0] = 7; return nil }},
			operation[rows]{"All", func(s rows) any { return len(maps.Collect(s.view.All())) }},
			operation[rows]{"Len", func(s rows) any { return s.view.Len() }}).meetings(t),
		inJobs("Queue.Writer", func() (queue.Writer[int], func() string) {
			q := queue.New[int]()
			q.EnqueueAll(make([]int, 128))
			return q.Writer(), func() string { return items(q) }
		}, operation[queued]{"Set", func(s queued) any { s.view.Set(s.own(), 7); return nil }},
			operation[queued]{"At", func(s queued) any { return s.view.At(s.own() + 1) }},
			operation[queued]{"Len", func(s queued) any { return s.view.Len() }}).meetings(t),
		inJobs("MultiMap.Writer", func() (hashmap.MultiWriter[int, int], func() string) {
			m := hashmap.NewMulti[int, int]()
			for i := range 128 {
				m.Add(i, i)
			}
			return m.Writer(), func() string { return fmt.Sprint(maps.Collect(m.Groups())) }
		}, operation[groups]{"At", func(s groups) any {
			_, values := s.view.At(s.own())
			values[0] = 7
			return nil
		}}, operation[groups]{"Groups", func(s groups) any { return len(maps.Collect(s.view.Groups())) }},
			operation[groups]{"Len", func(s groups) any { return s.view.Len() }}).meetings(t),
		inJobs("Table.Lookup", func() (table.Lookup, func() string) {
			p := table.New[point3]()
			p.AddAll(make([]point3, 128), nil)
			p.Apply()
			return p.Lookup(), p.String
		}, operation[names]{"RowOf", func(s names) any { return both(s.view.RowOf(table.ID{})) }}).meetings(t),
		inJobs("Column.Writer", func() (array.Writer[float64], func() string) {
			p := table.New[point3]()
			x := table.ColumnOf(p, func(r *point3) *float64 { return &r.X })
			p.AddAll(make([]point3, 128), nil)
			p.Apply()
			return x.Writer(), func() string { return fmt.Sprint(x.Slice()) }
		}, operation[written]{"Set", func(s written) any { s.view.Set(s.own(), 7); return nil }}).meetings(t),
	)
}
