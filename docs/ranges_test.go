package docs_test

import (
	"iter"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/hashmap"
	"example.com/custody/parallelfor"
	"example.com/custody/queue"
	"example.com/custody/safety"
	"example.com/custody/table"
)

// steps counts the steps of a range whose body calls do once, and returns what ended the range.
func steps[K any](all iter.Seq[K], do func()) (n int, ended error) {
	defer func() { ended, _ = recover().(error) }()
	for range all {
		if n++; n == 1 {
			do()
		}
	}
	return n, nil
}

func keys[K, V any](all iter.Seq2[K, V]) iter.Seq[K] {
	return func(yield func(K) bool) { all(func(k K, _ V) bool { return yield(k) }) }
}

type holds[V any] struct{ View V }

func (*holds[V]) Execute() {}

// by schedules a job that holds one view.
func by[V any](view V) func() parallelfor.Handle {
	return func() parallelfor.Handle { return parallelfor.ScheduleDo(holds[V]{view}, (*holds[V]).Execute) }
}

// The table of phases.md is that of the containers: a range whose body schedules a job that changes
// the container ends, or goes on, before the job was completed and after it.
func TestRangesOfTheOwner(t *testing.T) {
	if !safety.Enabled {
		t.Skip("unchecked builds refuse nothing")
	}
	a, l, h := array.Of([]int{1, 2}), array.ListOf([]int{1, 2}), counter.NewHistogram(2)
	s, d := array.StreamOf([][]int{{1}, {2}}), array.NewDouble[int](2)
	q, r := queue.New[int](), queue.NewRing[int](8)
	m, mm := hashmap.New[int, int](), hashmap.NewMulti[int, int]()
	tb := table.New[struct{ X, Y int }]()
	x := table.ColumnOf(tb, func(r *struct{ X, Y int }) *int { return &r.X })
	k := table.KeyOf(tb, func(r *struct{ X, Y int }) *int { return &r.Y })
	for i := range 2 {
		q.Enqueue(i)
		r.TryEnqueue(i)
		m.Store(i, i)
		mm.Add(i, i)
		tb.Add(struct{ X, Y int }{i, i})
	}
	tb.Apply()
	removes := func(first int) func() parallelfor.Handle {
		next := 1000 * first
		return func() parallelfor.Handle { // a new row comes and goes, so the rows stay two
			row := tb.Add(struct{ X, Y int }{Y: next})
			next++
			tb.Apply()
			tb.Remove(row)
			tb.Apply()
			return parallelfor.Handle{}
		}
	}
	add := func(old, v int) int { return old + v }
	maps := map[string]func(func()) (int, error){
		"Map.All":         func(do func()) (int, error) { return steps(keys(m.All()), do) },
		"MultiMap.All":    func(do func()) (int, error) { return steps(keys(mm.All()), do) },
		"MultiMap.Groups": func(do func()) (int, error) { return steps(keys(mm.Groups()), do) },
		"DeleteFunc": func(do func()) (int, error) {
			return steps(func(yield func(int) bool) { m.DeleteFunc(func(k, _ int) bool { yield(k); return false }) }, do)
		},
	}
	jobs := map[bool][]func() parallelfor.Handle{
		false: {by(m.Writer()), by(m.ParallelWriter()), by(m.ParallelMerger(add))},
		true:  {by(mm.Writer()), by(mm.ParallelWriter())},
	}
	type row struct {
		name             string
		run              func(func()) (int, error)
		schedule         func() parallelfor.Handle
		before, complete error
	}
	rows := []row{
		{"Array", func(do func()) (int, error) { return steps(keys(a.All()), do) }, by(a.Writer()), safety.ErrInFlight, nil},
		{"List", func(do func()) (int, error) { return steps(keys(l.All()), do) }, by(l.Writer()), safety.ErrInFlight, nil},
		{"List, added to", func(do func()) (int, error) { return steps(keys(l.All()), do) }, by(l.ParallelWriter()), safety.ErrInFlight, nil},
		{"Stream", func(do func()) (int, error) { return steps(keys(s.All()), do) }, by(s.Writer()), safety.ErrInFlight, nil},
		{"Histogram", func(do func()) (int, error) { return steps(keys(h.All()), do) }, by(h.Writer()), safety.ErrInFlight, nil},
		{"Histogram, added to", func(do func()) (int, error) { return steps(keys(h.All()), do) }, by(h.ParallelWriter()), safety.ErrInFlight, nil},
		{"Column", func(do func()) (int, error) { return steps(keys(x.All()), do) }, by(x.Writer()), safety.ErrInFlight, nil},
		{"Double", func(do func()) (int, error) { return steps(keys(d.Front().All()), do) }, func() parallelfor.Handle { return by(d.Back().Writer())() }, nil, nil},
		{"Double, swapped", func(do func()) (int, error) { return steps(keys(d.Front().All()), do) }, func() parallelfor.Handle {
			d.Swap()
			return by(d.Back().Writer())()
		}, safety.ErrInFlight, nil},
		{"Table", func(do func()) (int, error) { return steps(keys(tb.All()), do) }, by(x.Writer()), safety.ErrInFlight, nil},
		{"Key", func(do func()) (int, error) { return steps(keys(k.All()), do) }, by(x.Writer()), nil, nil},
		{"Table, applied in", func(do func()) (int, error) { return steps(keys(tb.All()), do) }, removes(1), safety.ErrBorrowed, safety.ErrBorrowed},
		{"Column, applied in", func(do func()) (int, error) { return steps(keys(x.All()), do) }, removes(2), safety.ErrBorrowed, safety.ErrBorrowed},
		{"Key, applied in", func(do func()) (int, error) { return steps(keys(k.All()), do) }, removes(3), safety.ErrBorrowed, safety.ErrBorrowed},
		{"Queue", func(do func()) (int, error) { return steps(q.All(), do) }, by(q.ParallelWriter()), nil, nil},
		{"Ring", func(do func()) (int, error) { return steps(r.All(), do) }, by(r.Writer()), nil, nil},
	}
	for name, run := range maps {
		for _, schedule := range jobs[name[0:2] == "Mu"] {
			rows = append(rows, row{name, run, schedule, safety.ErrBorrowed, safety.ErrBorrowed})
		}
	}
	for _, c := range rows {
		t.Run(c.name, func(t *testing.T) {
			for _, complete := range []bool{false, true} {
				var held parallelfor.Handle
				n, err := c.run(func() {
					if held = c.schedule(); complete {
						held.Complete()
					}
				})
				held.Complete()
				want := c.before
				if complete {
					want = c.complete
				}
				if want == nil {
					require.NoError(t, err)
					require.Equal(t, 2, n)
				} else {
					require.ErrorIs(t, err, want)
					require.Equal(t, 1, n)
				}
			}
		})
	}
	n, err := steps(q.Drain(), func() { parallelfor.Do(q.ParallelWriter(), func(w *queue.ParallelWriter[int]) { w.Enqueue(1) }) })
	require.NoError(t, err)
	require.Equal(t, 2, n)
	q.Enqueue(1)
	var held parallelfor.Handle
	_, err = steps(q.Drain(), func() { held = by(q.ParallelWriter())() })
	require.ErrorIs(t, err, safety.ErrInFlight)
	held.Complete()
}
