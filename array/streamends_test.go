package array_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/arraylaw"
	"example.com/custody/internal/handout"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

type streamFiller = array.StreamParallelWriter[int]

// digits appends i to each row below i%4 times.
type digits struct{ Out streamFiller }

func (j *digits) Execute(i int) {
	for range i % 4 {
		j.Out.Append(i, i)
	}
}

func digitsOf(n int) (rows [][]int) {
	for i := range n {
		rows = append(rows, slices.Repeat([]int{i}, i%4))
	}
	return rows
}

func TestAStreamOutsideJobs(t *testing.T) {
	s := array.StreamOf([][]int{{1, 2}, nil, {3}})
	require.Equal(t, [][]int{{1, 2}, {}, {3}}, rowsOf(t, s))
	s.AppendRow()
	s.AppendRow(4, 5)
	s.Items()[0] = 7
	s.At(2)[0] = 8
	_ = append(s.At(2), -1)
	_ = append(s.Items(), -1)
	require.Equal(t, [][]int{{7, 2}, {}, {8}, {}, {4, 5}}, rowsOf(t, s))
	require.Equal(t, []int{0, 2, 2, 3, 3, 5}, s.Offsets())
	for i := range s.All() {
		if i == 1 {
			s.Clear()
		}
		require.Less(t, i, 2)
	}
	for range array.StreamOf([][]int{{1}, {2}}).All() {
		break
	}
	require.Empty(t, rowsOf(t, s))
	s.Grow(3, 10)
	require.Zero(t, testing.AllocsPerRun(1, func() {
		s.Clear()
		s.AppendRow(1, 2, 3)
		s.AppendRow(1, 2, 3, 4, 5)
		s.AppendRow()
	}))
	s.Trim()
	s.Trim()
	require.Equal(t, [][]int{{1, 2, 3}, {1, 2, 3, 4, 5}, {}}, rowsOf(t, s))
	parallelfor.For(5, digits{s.ParallelWriter()}, (*digits).Execute)
	require.Equal(t, [][]int{{1, 2, 3}, {1, 2, 3, 4, 5, 1}, {2, 2}, {3, 3, 3}, {}}, rowsOf(t, s))
	require.False(t, s.Disposed())
	s.Dispose()
	require.True(t, s.Disposed())
}

// Rows that a shorter loop does not reach are what they were.
func TestAShorterLoopAddsToAStream(t *testing.T) {
	for _, n := range []int{0, 1, 3} {
		s := array.StreamOf([][]int{{1}, {}, {2}, {3}, {}})
		parallelfor.For(n, digits{s.ParallelWriter()}, (*digits).Execute, parallelfor.Batch(math.MaxInt))
		rows := [][]int{{1}, {}, {2}, {3}, {}}
		for i, r := range digitsOf(n) {
			rows[i] = append(rows[i], r...)
		}
		require.Equal(t, rows, rowsOf(t, s))
	}
	s := array.StreamOf([][]int{{}, {}, {}, {}, {}})
	parallelfor.For(3, digits{s.ParallelWriter()}, (*digits).Execute)
	require.Equal(t, [][]int{{}, {1}, {2, 2}, {}, {}}, rowsOf(t, s))
	s = array.NewStream[int]()
	parallelfor.For(4, idle{s.ParallelWriter()}, (*idle).Execute)
	require.Equal(t, [][]int{{}, {}, {}, {}}, rowsOf(t, s))
}

type idle struct{ Out streamFiller }

func (*idle) Execute(int) {}

// What the batches below one that fails have appended, and that one until then, is there; a
// cancelled loop changes nothing.
func TestAStreamOfALoopThatFails(t *testing.T) {
	failed := errors.New("failed")
	for workers := 1; workers <= 4; workers++ {
		for _, end := range []string{"error", "panic"} {
			for _, before := range [][][]int{nil, {{-1}, {}, {-2}}} {
				s := array.StreamOf(before)
				body := func(w *streamFiller, i int) error {
					w.Append(i, i)
					if i == 60 || i == 90 {
						if end == "panic" {
							panic(failed)
						}
						return failed
					}
					w.Append(i, i)
					return nil
				}
				for range 2 { // what the one leaves behind does not come up in the other
					s = array.StreamOf(before)
					stop := handout.Force(uint64(workers))
					parallelfor.For(100, s.ParallelWriter(), func(w *streamFiller, i int) { w.AppendAll(i, []int{1, 2, 3}) })
					s.Clear()
					for _, r := range before {
						s.AppendRow(r...)
					}
					func() {
						defer func() { recover() }()
						require.ErrorIs(t, parallelfor.ForErr(context.Background(), 100, s.ParallelWriter(), body, parallelfor.Batch(8), parallelfor.Workers(workers)), failed)
					}()
					stop()
				}
				var rows [][]int
				for i := range 100 {
					rows = append(rows, []int{})
					if i < len(before) {
						rows[i] = append(rows[i], before[i]...)
					}
					if i <= 60 {
						rows[i] = append(rows[i], i)
					}
					if i < 60 {
						rows[i] = append(rows[i], i)
					}
				}
				require.Equal(t, rows, rowsOf(t, s))
			}
		}
	}
	s := array.StreamOf([][]int{{-1}})
	ctx, cancel := context.WithCancel(context.Background())
	err := parallelfor.ForErr(ctx, 100, s.ParallelWriter(), func(w *streamFiller, i int) error {
		w.Append(i, i)
		cancel()
		return nil
	})
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, [][]int{{-1}}, rowsOf(t, s))
}

// A single job may append to any rows, one after the other.
func TestASingleJobFillsAStream(t *testing.T) {
	s := array.NewStream[int]()
	for round := range 3 {
		parallelfor.Do(s.ParallelWriter(), func(w *streamFiller) {
			w.Append(2, 1)
			w.Append(2, 2)
			w.AppendAll(5, []int{3, 4})
			parallelfor.Do(*w, func(w *streamFiller) { w.Append(6, 5) })
			parallelfor.Do(w.Row(6), func(w *array.StreamRow[int]) { w.Append(6) })
		}, parallelfor.Name("single"))
		r := func(vs ...int) []int { return slices.Repeat(vs, round+1) }
		require.Equal(t, [][]int{{}, {}, r(1, 2), {}, {}, r(3, 4), r(5, 6)}, rowsOf(t, s))
	}
	parallelfor.Do(s.ParallelWriter(), func(w *streamFiller) {})
	require.Equal(t, 7, s.Len())
	parallelfor.ForBatch(3, s.ParallelWriter(), func(w *streamFiller, begin, end int) {
		parallelfor.Do(*w, func(w *streamFiller) { w.Append(0, -begin) })
	}, parallelfor.Batch(1))
	require.Equal(t, []int{0}, s.At(0))
	require.Equal(t, -2, s.At(2)[6])
	v := arraylaw.Caught(func() {
		parallelfor.ForBatch(3, s.ParallelWriter(), func(w *streamFiller, begin, end int) {
			parallelfor.Do(*w, func(w *streamFiller) { w.Append(1, 0) })
		}, parallelfor.Batch(1))
	})
	require.ErrorIs(t, v, safety.ErrWriteRange)
}

func TestDisposeAfterOfAStream(t *testing.T) {
	lawtest.CheckedOnly(t)
	s := array.StreamOf([][]int{{1}})
	h := parallelfor.Schedule(5, digits{s.ParallelWriter()}, (*digits).Execute)
	s.DisposeAfter(h)
	arraylaw.Breaks(t, safety.ErrDisposed, func() { s.Len() })
	h.Complete()
	require.True(t, s.Disposed())
}

// Rows of what has no size are counted all the same.
func TestAStreamOfNothing(t *testing.T) {
	s := array.NewStream[struct{}]()
	parallelfor.For(100, s.ParallelWriter(), func(w *array.StreamParallelWriter[struct{}], i int) {
		for range i % 7 {
			w.Append(i, struct{}{})
		}
	})
	for i, r := range s.All() {
		require.Len(t, r, i%7)
	}
	parallelfor.For(100, s.Writer(), func(w *array.StreamWriter[struct{}], i int) { w.At(i) })
}

// A body appends to what it is handed, as to any slice, whether or not all finds room there.
func TestBuffersToAppendTo(t *testing.T) {
	s, l := array.NewStream[int](), array.NewList[int]()
	type views struct {
		Rows array.StreamParallelWriter[int]
		All  array.ParallelWriter[int]
	}
	parallelfor.For(300, views{s.ParallelWriter(), l.ParallelWriter()}, func(v *views, i int) {
		if begin, end, _ := safety.FieldOf(&v.Rows, "").Binder.(safety.RangeView).Window(); i < begin || i >= end {
			panic("outside the window")
		}
		row := v.Rows.AvailableBuffer()
		all := v.All.AvailableBuffer()
		for k := range i {
			row, all = append(row, k), append(all, k)
		}
		v.Rows.AppendAll(i, row)
		v.All.AppendAll(all)
		v.All.AvailableBuffer()
		parallelfor.Do(v.Rows.Row(i), func(r *array.StreamRow[int]) {
			r.AppendAll(append(r.AvailableBuffer(), -i))
		})
		parallelfor.Do(v.Rows.Row(i), func(r *array.StreamRow[int]) {
			r.AppendAll(append(r.AvailableBuffer(), -1, -2)[1:])
		})
	})
	require.Equal(t, 299*300/2, l.Len())
	n := 0
	for i, row := range s.All() {
		require.Len(t, row, i+2)
		require.Equal(t, []int{-i, -2}, row[i:])
		for k := range i {
			require.Equal(t, []int{k, k}, []int{row[k], l.At(n)})
			n++
		}
	}
	array.NewStream[int]().Clear()
	parallelfor.Do(array.NewStream[int]().Writer(), func(w *array.StreamWriter[int]) { require.Zero(t, w.Len()) })
}

// A lone worker that takes batches in another order than theirs leaves what the sequential loop
// leaves: a driver of one's own may have one.
func TestStreamOfALoneWorkerOutOfOrder(t *testing.T) {
	for _, order := range [][]int{{0, 1, 2, 3}, {0, 2, 1, 3}, {3, 2, 1, 0}, {1, 3, 0, 2}, {2, 0}, {1}} {
		s := array.NewStream[int]()
		view := s.ParallelWriter()
		var k safety.Ticket
		k.Reset("mine", safety.Caller(0))
		k.ClaimOf(safety.FieldOf(&view, ""))
		require.Nil(t, k.Open(safety.CurrentScope(), 10, true))
		k.Start(safety.Phase{Workers: 1, N: 10, Batches: 4, BatchSize: 3})
		l := safety.NewScope()
		l.Open(&k, 0, true)
		binder := safety.FieldOf(&view, "").Binder
		binder.Bind(safety.NewBinding(l, 0, &view))
		want := make([][]int, 10)
		for _, batch := range order {
			binder.(safety.SpanView).BeginSpan(batch)
			binder.(interface{ BeginBatch(int) }).BeginBatch(batch)
			binder.(safety.RangeView).SetRange(3*batch, min(3*batch+3, 10))
			for i := 3 * batch; i < min(3*batch+3, 10); i++ {
				for n := range i % 3 {
					view.Append(i, 10*i+n)
					want[i] = append(want[i], 10*i+n)
				}
			}
		}
		l.Close()
		l.Discard()
		k.Seal(4, false, func(n int, f func(k int)) {
			for i := range n {
				f(i)
			}
		})
		k.Return()
		for i, row := range want {
			require.Equal(t, len(row), len(s.At(i)), "row %d, order %v", i, order)
			require.Equal(t, append([]int{}, row...), append([]int{}, s.At(i)...), "row %d, order %v", i, order)
		}
		require.Equal(t, 10, s.Len())
	}
}
