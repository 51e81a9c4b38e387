package array_test

import (
	"context"
	"runtime"
	"testing"
	"weak"

	"github.com/stretchr/testify/require"
	"github.com/stretchr/testify/suite"

	"example.com/custody/array"
	"example.com/custody/internal/arraylaw"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

func newDoubleList(n int, opts ...safety.Option) container {
	d := array.NewDoubleList[int](opts...)
	for range 2 { // both buffers have as many
		if n < 0 {
			d.Resize(n)
		}
		parallelfor.For(n, d.ParallelWriter(), func(w *array.ParallelWriter[int], i int) { w.Append(0) })
	}
	return d
}

func TestDoubleListKeepsTheLaw(t *testing.T) {
	l := lawOf("DoubleList", newDoubleList)
	l.Unmade = func() container { return new(array.DoubleList[int]) }
	l.Beside, l.Empties, l.Grows = true, true, true
	suite.Run(t, l)
}

// elements returns what the owner sees.
func elements(d *array.DoubleList[int]) []int {
	out := make([]int, d.Len())
	d.CopyTo(out)
	return out
}

// A job that appends begins with nothing; those that run after it, before custody returns, go on from there.
func TestTheBackOfADoubleListIsEmptyForEachFrame(t *testing.T) {
	d := array.NewDoubleList[int]()
	d.Append(7)
	require.Equal(t, []int{7}, elements(d))
	for frame := range 5 {
		before := elements(d)
		h := parallelfor.Schedule(frame, filling{d.ParallelWriter()}, (*filling).Execute)
		last := parallelfor.Schedule(1, filling{d.ParallelWriter()}, (*filling).Execute, parallelfor.After(h))
		last = parallelfor.Schedule(1, rising{d.Writer()}, (*rising).Execute, parallelfor.After(last))
		for !last.Finished() {
			runtime.Gosched()
		}
		require.Equal(t, before, elements(d), "nothing has returned")
		last.Complete()
		var want []int
		for _, n := range []int{frame, 1} {
			l := array.NewList[int]()
			parallelfor.For(n, filling{l.ParallelWriter()}, (*filling).Execute)
			want = append(want, l.Slice()...)
		}
		if len(want) > 0 {
			want[0] = 0
		}
		require.Equal(t, want, elements(d))
	}
}

// A job that only writes finds what the last job but one left, and one that then appends adds to that.
func TestTheBackOfADoubleListThatIsWritten(t *testing.T) {
	d := array.NewDoubleList[int]()
	fill := func(vs ...int) {
		parallelfor.Do(d.ParallelWriter(), func(w *array.ParallelWriter[int]) { w.AppendAll(vs) })
	}
	fill(1, 2, 3)
	fill(4, 5)
	parallelfor.For(3, rising{d.Writer()}, (*rising).Execute)
	require.Equal(t, []int{0, 1, 2}, elements(d))
	h := parallelfor.Schedule(2, rising{d.Writer()}, (*rising).Execute)
	h = parallelfor.ScheduleDo(appendOne{d.ParallelWriter()}, (*appendOne).Execute, parallelfor.After(h))
	h.Complete()
	require.Equal(t, []int{0, 1, 1}, elements(d))
	for range 2 {
		parallelfor.Do(d.ParallelWriter(), func(w *array.ParallelWriter[int]) {})
		require.Empty(t, elements(d))
	}
}

type appendOne struct{ Out array.ParallelWriter[int] }

func (j *appendOne) Execute() { j.Out.Append(1) }

// A loop that fails changes nothing that is seen; what it has left is not there for the next either.
func TestADoubleListAndAFailingLoop(t *testing.T) {
	d := array.NewDoubleList[int]()
	d.AppendAll([]int{1, 2})
	require.ErrorIs(t, parallelfor.ForErr(context.Background(), 10, d.ParallelWriter(), func(w *array.ParallelWriter[int], i int) error {
		w.Append(i)
		if i == 5 {
			return errIndex
		}
		return nil
	}), errIndex)
	require.Equal(t, []int{1, 2}, elements(d))
	parallelfor.Do(d.ParallelWriter(), func(w *array.ParallelWriter[int]) { w.Append(100) })
	require.Equal(t, []int{100}, elements(d))

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	require.Error(t, parallelfor.ForErr(ctx, 1, d.ParallelWriter(), func(w *array.ParallelWriter[int], i int) error { return nil }))
	failed := parallelfor.Schedule(10, failing{d.ParallelWriter()}, (*failing).Execute)
	last := parallelfor.Schedule(1, rising{d.Writer()}, (*rising).Execute, parallelfor.After(failed))
	require.Panics(t, last.Complete)
	require.Equal(t, []int{100}, elements(d))
	parallelfor.Do(d.ParallelWriter(), func(w *array.ParallelWriter[int]) { w.Append(200) })
	require.Equal(t, []int{200}, elements(d))
}

type failing struct{ Out array.ParallelWriter[int] }

func (j *failing) Execute(i int) {
	j.Out.Append(i)
	if i == 5 {
		panic(errIndex)
	}
}

func TestUsesOfADoubleList(t *testing.T) {
	d := array.NewDoubleList[int](safety.Named("d"))
	d.AppendAll([]int{1, 2, 3})
	d.Resize(2)
	d.Set(0, 5)
	d.Slice()[1] = 6
	d.CopyFrom([]int{8, 9})
	require.Equal(t, 8, d.At(0))
	for i, v := range d.All() {
		require.Equal(t, 8+i, v)
	}
	frames, n := d.Reader(), 0
	parallelfor.For(1, d.ParallelWriter(), func(w *array.ParallelWriter[int], i int) {
		parallelfor.For(3, *w, func(w *array.ParallelWriter[int], i int) { w.Append(i) })
	})
	parallelfor.Do(frames, func(r *reader) { n = r.Len() })
	require.Equal(t, 3, n)
	d.Clear()
	require.Zero(t, d.Len())

	lawtest.CheckedOnly(t)
	v := arraylaw.Breaks(t, safety.ErrIndex, func() { d.At(0) })
	require.ErrorContains(t, v, `array.DoubleList[int] "d"`)
	require.Contains(t, v.Error(), "doublelist_test.go")
	l := array.NewList[int]()
	require.Contains(t, arraylaw.Breaks(t, safety.ErrIndex, func() { l.At(0) }).Error(), "made at doublelist_test.go")
	for _, f := range []func(){
		func() {
			parallelfor.For(1, filling{(*array.DoubleList[int])(nil).ParallelWriter()}, (*filling).Execute)
		},
		func() { parallelfor.For(1, rising{(*array.DoubleList[int])(nil).Writer()}, (*rising).Execute) },
		func() { parallelfor.For(1, holding{(*array.DoubleList[int])(nil).Reader()}, (*holding).Execute) },
		func() { parallelfor.For(1, filling{new(array.DoubleList[int]).ParallelWriter()}, (*filling).Execute) },
	} {
		arraylaw.Breaks(t, safety.ErrUnassigned, f)
	}
	h := parallelfor.Schedule(4, filling{d.ParallelWriter()}, (*filling).Execute)
	arraylaw.Breaks(t, safety.ErrConflict, func() { parallelfor.For(1, filling{d.ParallelWriter()}, (*filling).Execute) })
	d.DisposeAfter(h)
	arraylaw.Breaks(t, safety.ErrDisposed, func() { d.Len() })
	h.Complete()
	require.True(t, d.Disposed())
}

// What both buffers have had keeps nothing alive once it is gone.
func TestADoubleListKeepsNothingAlive(t *testing.T) {
	d := array.NewDoubleList[*[4]int]()
	fill := func() weak.Pointer[[4]int] {
		p := new([4]int)
		parallelfor.Do(d.ParallelWriter(), func(w *array.ParallelWriter[*[4]int]) { w.Append(p) })
		return weak.Make(p)
	}
	first := fill()
	fill()
	require.Equal(t, 1, d.Len())
	last := fill()
	for range 3 {
		runtime.GC()
	}
	require.Nil(t, first.Value())
	require.NotNil(t, last.Value())
	d.Dispose()
	for range 3 {
		runtime.GC()
	}
	require.Nil(t, last.Value())
	runtime.KeepAlive(d)
}

// What was put into a buffer and not passed on is garbage once the loop has ended.
func TestABufferKeepsNothingAlive(t *testing.T) {
	l := array.NewList[*[4]int]()
	var left weak.Pointer[[4]int]
	parallelfor.Do(l.ParallelWriter(), func(w *array.ParallelWriter[*[4]int]) {
		p := new([4]int)
		left = weak.Make(p)
		w.AppendAll(append(w.AvailableBuffer(), new([4]int), p)[:1])
	})
	for k := 0; left.Value() != nil; k++ {
		require.Less(t, k, 20)
		runtime.GC()
	}
	require.Equal(t, 1, l.Len())
	runtime.KeepAlive(l)
}

// Who changes both buffers must have both.
func TestBothBuffersOfADoubleList(t *testing.T) {
	d := array.NewDoubleList[int]()
	d.Both(func(l *array.List[int]) { l.AppendAll([]int{1, 2, 3}) })
	swap := func() { parallelfor.For(1, d.Writer(), func(*array.Writer[int], int) {}) }
	for range 2 {
		require.Equal(t, []int{1, 2, 3}, d.Slice())
		swap()
	}
	first := true
	d.Both(func(l *array.List[int]) {
		if first {
			l.Set(0, 7)
		}
		first = false
	})
	require.Equal(t, 7, d.At(0), "the front one comes first")
	require.Contains(t, arraylaw.Breaks(t, safety.ErrArgument, func() { d.Both(nil) }).Error(), "a nil function")
	seen := map[*array.List[int]]bool{}
	d.Both(func(l *array.List[int]) {
		if seen[l] = true; len(seen) == 1 {
			swap() // which is not what is meant, but then each is changed once all the same
		}
	})
	require.Len(t, seen, 2)
	if !safety.Enabled {
		return
	}
	for _, view := range []any{d.Reader(), d.Writer()} {
		var h parallelfor.Handle
		switch v := view.(type) {
		case array.Reader[int]:
			h = parallelfor.Go(v, func(*array.Reader[int]) {})
		case array.Writer[int]:
			h = parallelfor.Go(v, func(*array.Writer[int]) {})
		}
		arraylaw.Breaks(t, safety.ErrInFlight, func() { d.Both(func(*array.List[int]) { t.Error("called") }) })
		h.Complete()
	}
}

// Both refuses a function that disposes of a list, or leaves a job that holds one, in the first call
// and in the second.
func TestWhatAFunctionOfBothLeaves(t *testing.T) {
	lawtest.CheckedOnly(t)
	for call := range 2 {
		for kind, leaves := range map[error]func(l *array.List[int]) parallelfor.Handle{
			safety.ErrDisposed: func(l *array.List[int]) parallelfor.Handle { l.Dispose(); return parallelfor.Handle{} },
			safety.ErrInFlight: func(l *array.List[int]) parallelfor.Handle {
				return parallelfor.Schedule(1, rising{l.Writer()}, (*rising).Execute)
			},
		} {
			d, calls := array.NewDoubleList[int](safety.Named("d")), 0
			d.Both(func(l *array.List[int]) { l.Append(1) })
			var h parallelfor.Handle
			v := arraylaw.Breaks(t, kind, func() {
				d.Both(func(l *array.List[int]) {
					if calls++; calls == call+1 {
						h = leaves(l)
					}
				})
			})
			require.Equal(t, call+1, calls)
			require.ErrorContains(t, v, `DoubleList.Both was called on array.DoubleList[int] "d"`)
			require.Contains(t, v.At, "doublelist_test.go")
			h.Complete()
		}
	}
}
