package array_test

import (
	"context"
	"math"
	"runtime"
	"testing"
	"weak"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/arraylaw"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// A cancelled loop changes nothing.
func TestACancelledLoopAddsNothingByKey(t *testing.T) {
	g := rowsFor[int](2)
	ctx, cancel := context.WithCancel(context.Background())
	err := parallelfor.ForErr(ctx, 100, g.KeyedWriter(), func(w *keyedWriter, i int) error {
		w.Add(1, i)
		cancel()
		return nil
	})
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, [][]int{{}, {}}, rowsOf(t, g))
}

// Items without a size are counted all the same. Loops add at most so many that 32 bits count them.
func TestItemsOfNothingByKey(t *testing.T) {
	s := rowsFor[struct{}](5)
	fill := func() {
		parallelfor.For(10_000, s.KeyedWriter(), func(w *array.StreamKeyedWriter[struct{}], i int) { w.Add(i%4, struct{}{}) })
	}
	fill()
	for key, n := range []int{2500, 2500, 2500, 2500, 0} {
		require.Len(t, s.At(key), n)
	}
	s.SetCounts([]int{1, 0, 0, 0, math.MaxUint16})
	require.Equal(t, []int{1, math.MaxUint16}, []int{s.Count(0), len(s.At(4))})
	s.SetCounts([]int{0, 0, 0, 0, lawtest.MostOf[struct{}](0)})
	require.Equal(t, 10_000, arraylaw.Breaks(t, safety.ErrLength, fill).N)
}

// What was cleared keeps nothing alive.
func TestKeyedRowsKeepNothingAlive(t *testing.T) {
	g := rowsFor[*[4]int](3)
	all := make([]weak.Pointer[[4]int], 0, 10_000)
	fill := func(n int) {
		all = all[:0]
		values := array.New[*[4]int](n)
		for i := range values.Slice() {
			values.Set(i, new([4]int))
			all = append(all, weak.Make(values.At(i)))
		}
		type views struct {
			Keys   array.Reader[int]
			Values array.Reader[*[4]int]
			Out    array.StreamKeyedWriter[*[4]int]
		}
		v := views{array.New[int](n).Reader(), values.Reader(), g.KeyedWriter()}
		parallelfor.ForBatch(n, v, func(v *views, begin, end int) { array.GroupValues(&v.Out, &v.Keys, &v.Values, begin, end) })
		parallelfor.For(n, v, func(v *views, i int) { v.Out.Add(i%3, v.Values.At(i)) })
	}
	gone := func() {
		t.Helper()
		for range 3 {
			runtime.GC()
		}
		for i := range all {
			require.Nil(t, all[i].Value())
		}
	}
	fill(len(all[:cap(all)]))
	require.NotNil(t, all[7].Value())
	g.Clear()
	gone()
	g.Resize(3)
	fill(100)
	g.Resize(1)
	require.NotNil(t, all[0].Value())
	g.Resize(0)
	gone()
	g.Resize(3)
	fill(100)
	g.SetCounts([]int{0, 0, 0})
	gone()
	fill(100)
	g.Dispose()
	gone()
	runtime.KeepAlive(g)
}

// Rows that are filled by key again and again allocate nothing, at one worker and at two.
func TestKeyedRowsThatAreFilledAgainAllocateNothing(t *testing.T) {
	if safety.Strict || atom.Explored {
		t.Skip("jobs are made anew in this build")
	}
	const n = 50_000
	g, by, of := rowsFor[int32](1000), rowsFor[int32](1000), rowsFor[[3]float64](1000)
	keys, values := array.New[uint16](n), array.New[[3]float64](n)
	type grouping struct {
		Keys   array.Reader[uint16]
		Values array.Reader[[3]float64]
		Out    array.StreamKeyedWriter[[3]float64]
	}
	group := func(j *grouping, begin, end int) { array.GroupValues(&j.Out, &j.Keys, &j.Values, begin, end) }
	for i := range n {
		keys.Set(i, uint16(i*7%1000))
	}
	add := func(w *array.StreamKeyedWriter[int32], i int) { w.Add(i%1000, int32(i)) }
	for _, workers := range []int{1, 2} {
		fill := func() {
			for _, s := range []*array.Stream[int32]{g, by} {
				s.Clear()
				s.Resize(1000)
			}
			of.Clear()
			of.Resize(1000)
			parallelfor.ForBatch(n, grouping{keys.Reader(), values.Reader(), of.KeyedWriter()}, group, parallelfor.Workers(workers))
			parallelfor.For(n, g.KeyedWriter(), add, parallelfor.Workers(workers))
			parallelfor.ForBatch(n, indexing{keys.Reader(), by.KeyedWriter()}, (*indexing).ExecuteBatch, parallelfor.Workers(workers))
		}
		least := math.Inf(1) // now and then a worker gets more than ever before
		for range 5 {
			least = min(least, testing.AllocsPerRun(20, fill))
		}
		require.Zero(t, least, workers)
		require.Equal(t, []int{n, n, n}, []int{g.Total(), by.Total(), of.Total()})
	}
}

func TestMisuseOfKeyedRows(t *testing.T) {
	lawtest.CheckedOnly(t)
	g := array.NewStream[int](safety.Named("g"))
	g.SetCounts([]int{1, 0, 0, 2})
	rows := rowsOf(t, g)
	for _, key := range []int{-1, 4, math.MaxInt, math.MinInt} {
		v := arraylaw.Breaks(t, safety.ErrIndex, func() { g.At(key) })
		require.Equal(t, []int{key, 0, 4, 4}, []int{v.Index, v.Min, v.Max, v.Length})
		v = arraylaw.Breaks(t, safety.ErrIndex, func() {
			parallelfor.For(8, g.KeyedWriter(), func(w *keyedWriter, i int) {
				if i == 0 {
					w.Add(key, 1)
				}
			}, parallelfor.Name("fills"))
		})
		require.Equal(t, []any{"fills", key, 0, 4, 4, `array.Stream[int] "g"`}, []any{v.Job, v.Index, v.Min, v.Max, v.Length, v.Container})
		require.Contains(t, v.At, "streamkeyedends_test.go")
	}
	require.Equal(t, rows, rowsOf(t, g))
	negative := arraylaw.Breaks(t, safety.ErrLength, func() { g.SetCounts([]int{5, -2, 0, -3}) })
	require.Equal(t, -2, negative.N)
	require.ErrorContains(t, negative, `array.Stream[int] "g" was to have a row 1 whose count is -2 items.`)
	require.Equal(t, math.MaxInt, arraylaw.Breaks(t, safety.ErrLength, func() { g.SetCounts([]int{math.MaxInt, math.MaxInt, 2, 0}) }).N)
	require.Equal(t, rows, rowsOf(t, g))

	keys, values := array.Of([]int64{0, 3, 1, -7, 2}, safety.Named("keys")), array.Of([]int{1, 2, 3, 4, 5})
	within := func(kind error, f func(w *byKeys[int64], begin, end int)) *safety.Violation {
		t.Helper()
		j := byKeys[int64]{Keys: keys.Reader(), Others: keys.Reader(), Values: values.Reader(), Out: g.KeyedWriter()}
		return arraylaw.Breaks(t, kind, func() { parallelfor.ForBatch(5, j, f, parallelfor.Batch(2), parallelfor.Name("groups")) })
	}
	v := within(safety.ErrIndex, func(j *byKeys[int64], begin, end int) { array.GroupValues(&j.Out, &j.Keys, &j.Values, begin, end) })
	require.Equal(t, []int{-7, 0, 4, 4}, []int{v.Index, v.Min, v.Max, v.Length})
	require.ErrorContains(t, v, "index 3 of array.Array[int64] \"keys\" has key -7, but array.Stream[int] \"g\" has length 4")
	require.ErrorContains(t, v, "groups")
	within(safety.ErrIndex, func(j *byKeys[int64], begin, end int) { array.GroupIndices(&j.Out, &j.Keys, begin, end) })
	v = within(safety.ErrIndex, func(j *byKeys[int64], begin, end int) {
		parallelfor.Do(*j, func(j *byKeys[int64]) { array.GroupIndices(&j.Out, &j.Keys, 0, 5) })
	})
	require.Equal(t, -7, v.Index, "found at once")
	require.Contains(t, v.At, "streamkeyedends_test.go")
	g.Clear()
	g.SetCounts([]int{1, 0, 0, 2})
	for _, r := range [][2]int{{-1, 3}, {3, 6}, {5, 6}, {7, 9}} {
		v := within(safety.ErrIndex, func(j *byKeys[int64], _, _ int) { array.GroupIndices(&j.Out, &j.Keys, r[0], r[1]) })
		require.True(t, v.Index == -1 || v.Index >= 5, v.Index)
		require.Equal(t, `array.Array[int64] "keys"`, v.Container)
	}
	within(safety.ErrArgument, func(j *byKeys[int64], begin, end int) {
		j.Out.Add(0, 1)
		array.GroupIndices(&j.Out, &j.Keys, 0, 2)
	})
	require.Equal(t, rows, rowsOf(t, g))
	for _, key := range []uint64{4, math.MaxUint64} {
		j := byKeys[uint64]{Keys: array.Of([]uint64{1, key}).Reader(), Others: array.Of([]uint64{1}).Reader(), Values: values.Reader(), Out: g.KeyedWriter()}
		arraylaw.Breaks(t, safety.ErrIndex, func() {
			parallelfor.Do(j, func(j *byKeys[uint64]) {
				array.GroupIndices(&j.Out, &j.Others, 0, 1)
				array.GroupIndices(&j.Out, &j.Keys, 0, 2)
				array.GroupIndices(&j.Out, &j.Others, 0, 1)
			})
		})
	}
	require.Equal(t, rows, rowsOf(t, g))
}

// A range without indices adds nothing, wherever it ends.
func TestRangesOfNoIndicesAddNothing(t *testing.T) {
	g := rowsFor[int](3)
	j := byKeys[int64]{Keys: array.Of([]int64{0, 1, 2, 0, 1, 2}).Reader(), Out: g.KeyedWriter()}
	j.Others, j.Values = j.Keys, array.Of(make([]int, 6)).Reader()
	parallelfor.Do(j, func(j *byKeys[int64]) {
		array.GroupIndices(&j.Out, &j.Keys, 0, 5)
		array.GroupIndices(&j.Out, &j.Keys, 5, 2)
		array.GroupIndices(&j.Out, &j.Keys, -3, -4)
		array.GroupIndices(&j.Out, &j.Keys, 5, 6)
	})
	require.Equal(t, [][]int{{0, 3}, {1, 4}, {2, 5}}, rowsOf(t, g))
}

// Workers read the arrays when the job ends. So the Readers are those of the job that adds.
func TestKeysOfAnotherJob(t *testing.T) {
	lawtest.CheckedOnly(t)
	g := rowsFor[int](3, safety.Named("g"))
	v := arraylaw.Breaks(t, safety.ErrArgument, func() {
		parallelfor.Do(g.KeyedWriter(), func(w *keyedWriter) {
			keys := array.New[int](2)
			defer keys.Dispose()
			parallelfor.Do(keys.Reader(), func(r *array.Reader[int]) { array.GroupIndices(w, r, 0, 2) })
		})
	})
	require.ErrorContains(t, v, `"g" from an array that another job holds`)
	require.Contains(t, v.At, "streamkeyedends_test.go")
	require.Zero(t, g.Total())
}

func TestIndicesThatItemsCannotHold(t *testing.T) {
	lawtest.CheckedOnly(t)
	type job struct {
		Keys array.Reader[int]
		Out  array.StreamKeyedWriter[int8]
	}
	g, keys := rowsFor[int8](1), array.New[int](200)
	add := func(n int) func(j *job) { return func(j *job) { array.GroupIndices(&j.Out, &j.Keys, 0, n) } }
	arraylaw.Breaks(t, safety.ErrArgument, func() { parallelfor.Do(job{keys.Reader(), g.KeyedWriter()}, add(129)) })
	parallelfor.Do(job{keys.Reader(), g.KeyedWriter()}, add(128))
	require.Equal(t, 128, g.Total())
}

// The items of a stream have numbers of 32 bits while they are brought into order.
func TestMoreItemsThanKeysCanBringIntoOrder(t *testing.T) {
	most := uint64(math.MaxUint32)
	if most > math.MaxInt {
		t.Skip("memory has no room for so many")
	}
	s := array.StreamOf([][]struct{}{make([]struct{}, most-1)}, safety.Named("s"))
	add := func() {
		parallelfor.Do(s.KeyedWriter(), func(w *array.StreamKeyedWriter[struct{}]) { w.Add(0, struct{}{}) })
	}
	add()
	v := arraylaw.Breaks(t, safety.ErrLength, add)
	require.Equal(t, most+1, uint64(v.N))
	require.ErrorContains(t, v, "at most 4294967295")
	require.Equal(t, most, uint64(s.Total()))
}

// A job appends to a stream in one way: by index or by key, in whatever order its views stand.
func TestAJobAppendsByIndexOrByKey(t *testing.T) {
	lawtest.CheckedOnly(t)
	s := rowsFor[int](4, safety.Named("s"))
	type indexFirst struct {
		A streamFiller
		B keyedWriter
	}
	type keyFirst struct {
		A keyedWriter
		B streamFiller
	}
	mixed := func(f func()) {
		t.Helper()
		v := arraylaw.Breaks(t, safety.ErrArgument, f)
		require.Equal(t, []string{"both", "B", `array.Stream[int] "s"`}, []string{v.Job, v.Field, v.Container})
		require.ErrorContains(t, v, "a StreamParallelWriter and a StreamKeyedWriter")
	}
	both := parallelfor.Name("both")
	mixed(func() {
		parallelfor.For(4, indexFirst{s.ParallelWriter(), s.KeyedWriter()}, func(*indexFirst, int) {}, both)
	})
	mixed(func() { parallelfor.Do(keyFirst{s.KeyedWriter(), s.ParallelWriter()}, func(*keyFirst) {}, both) })
	require.Equal(t, [][]int{{}, {}, {}, {}}, rowsOf(t, s))
	// A body has one of the two, and may not take the other from the stream.
	arraylaw.Breaks(t, safety.ErrNotLent, func() {
		parallelfor.For(4, s.ParallelWriter(), func(w *streamFiller, _ int) {
			parallelfor.Do(indexFirst{*w, s.KeyedWriter()}, func(*indexFirst) {})
		})
	})
	arraylaw.Breaks(t, safety.ErrNotLent, func() {
		parallelfor.For(4, s.KeyedWriter(), func(w *keyedWriter, _ int) {
			parallelfor.Do(keyFirst{*w, s.ParallelWriter()}, func(*keyFirst) {})
		})
	})
	arraylaw.Breaks(t, safety.ErrNotLent, func() {
		parallelfor.For(4, s.KeyedWriter(), func(*keyedWriter, int) { parallelfor.Do(s.ParallelWriter(), func(*streamFiller) {}) })
	})
	parallelfor.For(4, s.KeyedWriter(), func(w *keyedWriter, i int) { w.Add(3-i, i) })
	require.Equal(t, [][]int{{3}, {2}, {1}, {0}}, rowsOf(t, s), "the stream is as it was")
}

// While a job adds items by key, every use of the stream is a violation, and views work only in it.
func TestAStreamIsNobodysWhileAJobAddsByKey(t *testing.T) {
	lawtest.CheckedOnly(t)
	s := rowsFor[int](3, safety.Named("s"))
	uses := map[string]func(){
		"Len": func() { s.Len() }, "At": func() { s.At(0) }, "Resize": func() { s.Resize(3) }, "SetCounts": func() { s.SetCounts(make([]int, 3)) },
		"Trim": s.Trim, "Clear": s.Clear, "Dispose": s.Dispose,
	}
	h := hold(s.KeyedWriter())
	for name, f := range uses {
		v := arraylaw.Breaks(t, safety.ErrInFlight, f, name)
		require.Equal(t, []string{"holder", "View"}, []string{v.OtherJob, v.OtherField}, name)
	}
	arraylaw.Breaks(t, safety.ErrConflict, func() { hold(s.Reader()) })
	arraylaw.Breaks(t, safety.ErrConflict, func() { hold(s.ParallelWriter()) })
	arraylaw.Breaks(t, safety.ErrConflict, func() { hold(s.KeyedWriter()) })
	h.Complete()
	h = hold(s.Reader())
	for _, name := range []string{"Resize", "SetCounts"} {
		arraylaw.Breaks(t, safety.ErrInFlight, uses[name], name)
	}
	h.Complete()

	var kept keyedWriter
	parallelfor.For(1, s.KeyedWriter(), func(w *keyedWriter, i int) { kept = *w })
	keys := array.New[int](1)
	for i, w := range []keyedWriter{kept, {}, s.KeyedWriter()} {
		arraylaw.Breaks(t, safety.ErrStaleView, func() { w.Add(0, 1) }, i)
		type views struct{ Keys array.Reader[int] }
		parallelfor.Do(views{keys.Reader()}, func(v *views) {
			arraylaw.Breaks(t, safety.ErrStaleView, func() { array.GroupIndices(&w, &v.Keys, 0, 1) }, i)
		})
	}
	h = hold(s.KeyedWriter())
	s.DisposeAfter(h)
	h.Complete()
	require.True(t, s.Disposed())
	for name, f := range map[string]func(){
		"disposed": func() { hold(s.KeyedWriter()) }, "zero": func() { hold(keyedWriter{}) }, "not made": func() { hold(new(array.Stream[int]).KeyedWriter()) },
		"nil": func() { hold((*array.Stream[int])(nil).KeyedWriter()) }, "not made, used": func() { new(array.Stream[int]).Resize(1) },
	} {
		require.NotNil(t, arraylaw.Caught(f), name)
	}
}
