package array_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/arraylaw"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

func TestMisuseOfAStream(t *testing.T) {
	lawtest.CheckedOnly(t)
	s := array.StreamOf([][]int{{1}, {2, 3}}, safety.Named("s"))
	for _, i := range []int{-1, 2, math.MaxInt} {
		for _, f := range []func(){func() { s.At(i) }, func() { s.Count(i) }} {
			v := arraylaw.Breaks(t, safety.ErrIndex, f)
			require.Equal(t, []int{i, 0, 2, 2}, []int{v.Index, v.Min, v.Max, v.Length})
			require.ErrorContains(t, v, `array.Stream[int] "s"`)
		}
	}
	for _, f := range []func(){func() { s.Grow(-1, 0) }, func() { s.Grow(0, -1) }} {
		require.Equal(t, -1, arraylaw.Breaks(t, safety.ErrLength, f).N)
	}
	within := func(kind error, f func(w *streamFiller)) *safety.Violation {
		t.Helper()
		v := arraylaw.Breaks(t, kind, func() {
			parallelfor.ForBatch(8, s.ParallelWriter(), func(w *streamFiller, begin, end int) {
				if begin == 4 {
					w.Append(5, 1)
					f(w)
				}
			}, parallelfor.Batch(4), parallelfor.Name("fills"))
		})
		require.ErrorContains(t, v, `array.Stream[int] "s"`)
		return v
	}
	for _, i := range []int{0, 3, 8, math.MaxInt} {
		v := within(safety.ErrWriteRange, func(w *streamFiller) { w.Append(i, 1) })
		require.Equal(t, []any{"fills", i, 4, 8}, []any{v.Job, v.Index, v.Min, v.Max})
		require.ErrorContains(t, v, "4 <= row < 8")
	}
	for _, i := range []int{-1, math.MinInt} {
		require.Equal(t, i, within(safety.ErrIndex, func(w *streamFiller) { w.AppendAll(i, nil) }).Index)
	}
	v := within(safety.ErrArgument, func(w *streamFiller) { w.Append(4, 1) })
	require.ErrorContains(t, v, "after row 5")
	within(safety.ErrArgument, func(w *streamFiller) { w.Row(4) })
	v = within(safety.ErrArgument, func(w *streamFiller) {
		r := w.Row(5)
		w.Append(6, 1)
		parallelfor.Do(r, func(r *array.StreamRow[int]) { r.Append(1) })
	})
	require.ErrorContains(t, v, "row 5")
	require.ErrorContains(t, v, "row 6")
	late := safety.ErrArgument
	if safety.Strict {
		late = safety.ErrInFlight // found when the body does it
	}
	within(late, func(w *streamFiller) {
		h := parallelfor.ScheduleDo(toRow{w.Row(5), 1}, (*toRow).Execute)
		w.Append(6, 1)
		h.Complete()
	})
	twice := func(w *streamFiller, f func(a, b array.StreamRow[int])) { f(w.Row(5), w.Row(6)) }
	within(safety.ErrArgument, func(w *streamFiller) {
		twice(w, func(a, b array.StreamRow[int]) { parallelfor.Do(toRows{a, b}, (*toRows).Execute) })
	})
	within(safety.ErrArgument, func(w *streamFiller) {
		twice(w, func(a, b array.StreamRow[int]) { parallelfor.Do(toRows{b, a}, (*toRows).Execute) })
	})
	within(safety.ErrArgument, func(w *streamFiller) { parallelfor.Do(toRowAndAll{w.Row(5), *w}, (*toRowAndAll).Execute) })
	within(safety.ErrArgument, func(w *streamFiller) { parallelfor.Do(toAllAndRow{*w, w.Row(5)}, (*toAllAndRow).Execute) })
	within(safety.ErrArgument, func(w *streamFiller) {
		w.Append(6, 1)
		parallelfor.For(4, *w, func(w *streamFiller, k int) { w.Append(k, k) })
	})
	within(safety.ErrLength, func(w *streamFiller) {
		parallelfor.For(5, *w, func(w *streamFiller, k int) { w.Append(k, k) })
	})
	within(safety.ErrStaleView, func(w *streamFiller) {
		r := w.Row(5)
		r.Append(1)
	})
	// A nested job goes on from a row: what its view hands out is a row again.
	parallelfor.For(2, s.ParallelWriter(), func(w *streamFiller, i int) {
		parallelfor.Do(toRows{w.Row(i), w.Row(i)}, (*toRows).Execute)
		parallelfor.Do(w.Row(i), func(r *array.StreamRow[int]) {
			parallelfor.Do(*r, func(r *array.StreamRow[int]) { r.AppendAll([]int{8, 9}) })
		})
	})
	require.Equal(t, []int{1, 2, 8, 9}, s.At(0)[len(s.At(0))-4:])

	for _, i := range []int{3, 8} {
		v := arraylaw.Breaks(t, safety.ErrWriteRange, func() {
			parallelfor.ForBatch(8, s.Writer(), func(w *array.StreamWriter[int], begin, end int) {
				if begin == 4 {
					w.At(i % 8)
				}
			}, parallelfor.Batch(4), parallelfor.Name("writes"))
		})
		require.Equal(t, []any{"writes", i % 8, 4, 8, 8}, []any{v.Job, v.Index, v.Min, v.Max, v.Length})
		require.ErrorContains(t, v, "rows of its own indices")
	}
	for _, i := range []int{-1, 8} {
		require.Equal(t, i, arraylaw.Breaks(t, safety.ErrIndex, func() {
			parallelfor.For(8, s.Writer(), func(w *array.StreamWriter[int], _ int) { w.At(i) })
		}).Index)
		for _, f := range []func(r *array.StreamReader[int]){func(r *array.StreamReader[int]) { r.At(i) }, func(r *array.StreamReader[int]) { r.Count(i) }} {
			require.Equal(t, i, arraylaw.Breaks(t, safety.ErrIndex, func() { parallelfor.Do(s.Reader(), f) }).Index)
		}
	}
}

type toRow struct {
	Out array.StreamRow[int]
	V   int
}

func (j *toRow) Execute() { j.Out.Append(j.V) }

type toRows struct{ A, B array.StreamRow[int] }

func (j *toRows) Execute() {
	j.A.Append(1)
	j.B.Append(2)
}

type toRowAndAll struct {
	A array.StreamRow[int]
	B streamFiller
}

func (j *toRowAndAll) Execute() {}

type toAllAndRow struct {
	A streamFiller
	B array.StreamRow[int]
}

func (j *toAllAndRow) Execute() {}

// While a job appends, every other use of the stream is a violation.
func TestAStreamIsNobodysWhileAJobAppends(t *testing.T) {
	lawtest.CheckedOnly(t)
	s := array.StreamOf([][]int{{1}, {2, 3}}, safety.Named("s"))
	uses := map[string]func(){
		"Len": func() { s.Len() }, "Total": func() { s.Total() }, "Count": func() { s.Count(0) }, "Offsets": func() { s.Offsets() },
		"All": func() {
			for range s.All() {
			}
		},
		"At": func() { s.At(0) }, "Items": func() { s.Items() }, "AppendRow": func() { s.AppendRow() }, "Grow": func() { s.Grow(0, 0) }, "Trim": s.Trim,
		"Clear": s.Clear, "Dispose": s.Dispose,
	}
	h := parallelfor.Schedule(10, digits{s.ParallelWriter()}, (*digits).Execute, parallelfor.Name("fills"))
	for name, f := range uses {
		v := arraylaw.Breaks(t, safety.ErrInFlight, f, name)
		require.Equal(t, []string{"fills", "Out"}, []string{v.OtherJob, v.OtherField}, name)
	}
	for _, f := range []func(){
		func() { parallelfor.For(1, digits{s.ParallelWriter()}, (*digits).Execute) },
		func() { parallelfor.For(1, rowDoubling{s.Writer()}, (*rowDoubling).Execute) },
		func() {
			parallelfor.For(1, rowSums{s.Reader(), array.NewList[int]().ParallelWriter()}, (*rowSums).Execute)
		},
	} {
		arraylaw.Breaks(t, safety.ErrConflict, f)
	}
	h.Complete()
	require.Equal(t, 10, s.Len())
	r := hold(s.Reader())
	for name, f := range uses {
		switch name {
		case "Len", "Total", "Count", "Offsets", "All":
			f()
		default:
			arraylaw.Breaks(t, safety.ErrInFlight, f, name)
		}
	}
	r.Complete()

	var kept streamFiller
	var keptRow array.StreamRow[int]
	var keptWriter array.StreamWriter[int]
	var keptReader array.StreamReader[int]
	parallelfor.For(1, s.ParallelWriter(), func(w *streamFiller, i int) {
		w.Append(0, 1)
		kept = *w
		parallelfor.Do(w.Row(0), func(r *array.StreamRow[int]) { keptRow = *r })
	})
	parallelfor.For(1, s.Writer(), func(w *array.StreamWriter[int], i int) { keptWriter = *w })
	parallelfor.For(1, s.Reader(), func(r *array.StreamReader[int], i int) { keptReader = *r })
	for i, w := range []streamFiller{kept, {}, s.ParallelWriter()} {
		arraylaw.Breaks(t, safety.ErrStaleView, func() { w.Append(0, 1) }, i)
		arraylaw.Breaks(t, safety.ErrStaleView, func() { w.AppendAll(0, nil) }, i)
		arraylaw.Breaks(t, safety.ErrStaleView, func() { w.Row(0) }, i)
		arraylaw.Breaks(t, safety.ErrStaleView, func() { w.AvailableBuffer() }, i)
	}
	for i, w := range []array.StreamRow[int]{keptRow, {}} {
		arraylaw.Breaks(t, safety.ErrStaleView, func() { w.Append(1) }, i)
		arraylaw.Breaks(t, safety.ErrStaleView, func() { w.AppendAll(nil) }, i)
		arraylaw.Breaks(t, safety.ErrStaleView, func() { w.AvailableBuffer() }, i)
	}
	for i, w := range []array.StreamWriter[int]{keptWriter, {}, s.Writer()} {
		arraylaw.Breaks(t, safety.ErrStaleView, func() {
			for range w.All() {
			}
		}, i)
		if i > 0 || safety.Strict {
			arraylaw.Breaks(t, safety.ErrStaleView, func() { w.At(0) }, i)
			arraylaw.Breaks(t, safety.ErrStaleView, func() { w.Len() }, i)
		}
	}
	for i, r := range []array.StreamReader[int]{keptReader, {}, s.Reader()} {
		arraylaw.Breaks(t, safety.ErrStaleView, func() { r.Items() }, i)
		arraylaw.Breaks(t, safety.ErrStaleView, func() { r.Offsets() }, i)
		arraylaw.Breaks(t, safety.ErrStaleView, func() {
			for range r.All() {
			}
		}, i)
		if i > 0 || safety.Strict {
			for _, f := range []func(){func() { r.At(0) }, func() { r.Count(0) }, func() { r.Len() }, func() { r.Total() }} {
				arraylaw.Breaks(t, safety.ErrStaleView, f, i)
			}
		}
	}

	s.Dispose()
	for name, f := range uses {
		arraylaw.Breaks(t, safety.ErrDisposed, f, name)
	}
	for name, f := range map[string]func(){
		"disposed":       func() { parallelfor.For(1, digits{s.ParallelWriter()}, (*digits).Execute) },
		"zero":           func() { parallelfor.For(1, digits{}, (*digits).Execute) },
		"nil":            func() { parallelfor.For(1, digits{(*array.Stream[int])(nil).ParallelWriter()}, (*digits).Execute) },
		"nil Writer":     func() { parallelfor.For(1, rowDoubling{(*array.Stream[int])(nil).Writer()}, (*rowDoubling).Execute) },
		"nil Reader":     func() { parallelfor.Do((*array.Stream[int])(nil).Reader(), func(*array.StreamReader[int]) {}) },
		"not made":       func() { parallelfor.For(1, digits{new(array.Stream[int]).ParallelWriter()}, (*digits).Execute) },
		"not made, used": func() { new(array.Stream[int]).AppendRow(1) },
		"unlent row":     func() { parallelfor.Do(array.StreamRow[int]{}, func(*array.StreamRow[int]) {}) },
	} {
		require.NotNil(t, arraylaw.Caught(f), name)
	}
	w, r2, pw := s.Writer(), s.Reader(), s.ParallelWriter()
	require.Equal(t, []safety.Mode{safety.Write, safety.Read, safety.Append}, []safety.Mode{lawtest.ClaimOf(&w).Mode, lawtest.ClaimOf(&r2).Mode, lawtest.ClaimOf(&pw).Mode})
}
