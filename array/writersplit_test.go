package array_test

import (
	"math"
	"strconv"
	"sync"
	"testing"

	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/arraylaw"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// side returns what is wrong with a view that must have the elements [lo, hi) of a batch that owns
// [begin, end) of n. It adds 1 to the elements of the view.
func side(w *writer, lo, hi, begin, end, n int) string {
	if w.Begin() != lo || len(w.Slice()) != hi-lo || cap(w.Slice()) != hi-lo || w.Len() != n {
		return "the window of " + strconv.Itoa(lo) + " to " + strconv.Itoa(hi)
	}
	for _, i := range []int{lo - 1, hi, begin - 1, begin, end, -1, n, math.MinInt, math.MaxInt} {
		least, most := lo, hi
		if i >= 0 && i < n && (i < begin || i >= end) {
			least, most = begin, end
		}
		for _, f := range []func(){func() { w.At(i) }, func() { w.Set(i, -1) }, func() { w.Ptr(i) }} {
			if i >= lo && i < hi {
				continue
			}
			if bad := arraylaw.Refused(i, least, most, n, f); bad != "" {
				return bad
			}
		}
	}
	at := lo
	for i, v := range w.All() {
		if i != at || v != w.At(i) {
			return "element " + strconv.Itoa(i)
		}
		*w.Ptr(i) = v + 1
		at++
	}
	if at != hi {
		return "All ends at " + strconv.Itoa(at)
	}
	return ""
}

// Each view has the elements on its side of the split, and no others.
func TestSplitAtGivesEachViewItsSide(t *testing.T) {
	each(t, func(t *testing.T, fresh func(n int, opts ...safety.Option) container) {
		arraylaw.Property(t, 60, "sides", prop.ForAll(
			func(n, batch, workers int) string {
				c := fresh(n)
				var bad faults
				parallelfor.ForBatch(n, c.Writer(), func(w *writer, begin, end int) {
					for i := begin; i <= end; i++ {
						below, from := array.SplitAt(w, i)
						bad.add(side(&below, begin, i, begin, end, n))
						bad.add(side(&from, i, end, begin, end, n))
					}
				}, parallelfor.Batch(min(batch, n)), parallelfor.Workers(workers))
				for i, v := range c.All() {
					if begin := i / min(batch, n) * min(batch, n); v != min(n, begin+batch)-begin+1 {
						bad.add("element " + strconv.Itoa(i) + " is " + strconv.Itoa(v))
					}
				}
				return bad.first()
			},
			gen.IntRange(1, 24), gen.IntRange(1, 24), gen.IntRange(1, 8),
		))
	})
}

// fillHalves sets the elements of w to their indices plus 1. Two goroutines fill the halves.
func fillHalves(w writer) {
	n := len(w.Slice())
	if n < 2 {
		for i := range w.All() {
			w.Set(i, i+1)
		}
		return
	}
	below, from := array.SplitAt(&w, w.Begin()+n/2)
	var both sync.WaitGroup
	both.Go(func() { fillHalves(below) })
	both.Go(func() { fillHalves(from) })
	both.Wait()
}

func TestGoroutinesUseSplitViewsAtTheSameTime(t *testing.T) {
	a := array.New[int](101)
	view := a.Writer()
	for _, w := range []writer{view, array.ByRows(view, 2), array.Unrestricted(view)} {
		a.Clear()
		parallelfor.Do(w, func(w *writer) { fillHalves(*w) })
		for i, v := range a.Slice()[:100] {
			require.Equal(t, i+1, v)
		}
	}
}

// An index of the other view and an index of another batch have texts of their own.
func TestSplitViewsSayWhatTheyWereCutTo(t *testing.T) {
	a := array.New[int](10, safety.Named("a"))
	type job struct{ W writer }
	in := func(use func(w *writer)) *safety.Violation {
		return arraylaw.Breaks(t, safety.ErrWriteRange, func() {
			parallelfor.ForBatch(10, job{a.Writer()}, func(j *job, begin, _ int) {
				if begin == 4 {
					use(&j.W)
				}
			}, parallelfor.Batch(4), parallelfor.Name("sort"))
		})
	}
	cut := func(v *safety.Violation, index, least, most int) {
		require.Equal(t, []int{index, least, most, 10}, []int{v.Index, v.Min, v.Max, v.Length})
		require.Equal(t, []string{"sort", "W"}, []string{v.Job, v.Field})
		require.Regexp(t, `^writersplit_test\.go:`, v.At)
	}
	v := in(func(w *writer) { below, _ := array.SplitAt(w, 6); below.Set(6, 1) })
	cut(v, 6, 4, 6)
	require.Contains(t, v.Error(), `job sort (field W) used index 6 of array.Array[int] "a" through a view that SplitAt cut to 4 <= index < 6.`+"\n\tEach of the two views")
	cut(in(func(w *writer) { _, from := array.SplitAt(w, 6); _, from = array.SplitAt(&from, 7); from.At(6) }), 6, 7, 8)
	v = in(func(w *writer) { below, _ := array.SplitAt(w, 6); below.Set(8, 1) })
	cut(v, 8, 4, 8)
	require.Contains(t, v.Error(), "in a batch that owns 4 <= index < 8.\n\tA parallel loop may touch")
	cut(in(func(w *writer) { array.SplitAt(w, 3) }), 3, 4, 8)
	cut(in(func(w *writer) { array.SplitAt(w, 9) }), 9, 4, 8)
	cut(in(func(w *writer) { below, _ := array.SplitAt(w, 6); array.SplitAt(&below, 7) }), 7, 4, 6)
}

// An index may be that of the end of the array. One behind it, or below 0, is none.
func TestSplitAtTakesTheIndicesThatAreInTheBatchOrAtItsEnd(t *testing.T) {
	for _, n := range []int{0, 1, 5} {
		a := array.New[int](n)
		parallelfor.Do(a.Writer(), func(w *writer) {
			below, from := array.SplitAt(w, n)
			require.Empty(t, side(&below, 0, n, 0, n, n))
			require.Empty(t, side(&from, n, n, 0, n, n))
			below, from = array.SplitAt(w, 0)
			require.Empty(t, side(&below, 0, 0, 0, n, n))
			require.Empty(t, side(&from, 0, n, 0, n, n))
			for _, i := range []int{-1, n + 1, math.MinInt, math.MaxInt} {
				require.Empty(t, arraylaw.Refused(i, 0, n, n, func() { array.SplitAt(w, i) }))
			}
		})
	}
}

func TestSplitAtIsStaleOutsideJobs(t *testing.T) {
	a := array.New[int](4)
	w, none := a.Writer(), writer{}
	for _, i := range []int{-1, 0, 1} {
		arraylaw.Breaks(t, safety.ErrStaleView, func() { array.SplitAt(&w, i) })
		arraylaw.Breaks(t, safety.ErrStaleView, func() { array.SplitAt(&none, i) })
	}
	lawtest.CheckedOnly(t)
	var below, from writer
	parallelfor.Do(w, func(v *writer) { w, below, from = *v, *v, *v; below, from = array.SplitAt(v, 1) })
	for _, v := range []*writer{&w, &below, &from} {
		arraylaw.Breaks(t, safety.ErrStaleView, func() { array.SplitAt(v, 1) })
		arraylaw.Breaks(t, safety.ErrStaleView, func() { v.Slice() })
		arraylaw.Breaks(t, safety.ErrStaleView, func() { v.Row(0) })
		arraylaw.Breaks(t, safety.ErrStaleView, func() { hold(*v) })
		if safety.Strict {
			arraylaw.Breaks(t, safety.ErrStaleView, func() { v.At(1) })
		}
	}
}

// A row belongs to the view that has all of it. One that is cut belongs to none.
func TestSplitViewsHaveTheRowsOnTheirSide(t *testing.T) {
	const k, rows, n = 3, 7, 3*7 + 2
	a := array.New[int](n)
	wrong := func(w *writer) string {
		lo, hi := w.Begin(), w.Begin()+len(w.Slice())
		for r := -1; r <= rows; r++ {
			if whole := lo <= r*k && r*k+k <= hi && r < rows; !whole {
				if arraylaw.Caught(func() { w.Row(r) }) == nil {
					return "row " + strconv.Itoa(r) + " of elements " + strconv.Itoa(lo) + " to " + strconv.Itoa(hi)
				}
			} else if row := w.Row(r); &row[0] != w.Ptr(r*k) || len(row) != k || cap(row) != k {
				return "the elements of row " + strconv.Itoa(r)
			}
		}
		return ""
	}
	view := array.ByRows(a.Writer(), k)
	for batch, view := range map[int]writer{1: view, 4: view, rows: array.Unrestricted(view)} {
		var bad faults
		parallelfor.ForBatch(rows, view, func(w *writer, _, _ int) {
			begin := w.Begin()
			end := begin + len(w.Slice())
			for i := begin; i <= end; i++ {
				below, from := array.SplitAt(w, i)
				bad.add(wrong(&below))
				bad.add(wrong(&from))
				for j := i; j <= end; j++ {
					middle, _ := array.SplitAt(&from, j)
					bad.add(wrong(&middle))
				}
			}
		}, parallelfor.Batch(batch))
		require.Empty(t, bad.first())
	}
	v := arraylaw.Breaks(t, safety.ErrWriteRange, func() {
		parallelfor.Do(array.ByRows(a.Writer(), k), func(w *writer) { below, _ := array.SplitAt(w, 2*k+1); below.Row(2) })
	})
	require.Equal(t, []int{2, 0, 2, rows}, []int{v.Index, v.Min, v.Max, v.Length})
	require.Contains(t, v.Error(), "through a view that owns rows 0 <= row < 2")
	parallelfor.Do(array.Unrestricted(array.ByRows(a.Writer(), math.MaxInt)), func(w *writer) {
		below, from := array.SplitAt(w, 4)
		require.Len(t, below.Slice(), 4)
		require.NotNil(t, arraylaw.Caught(func() { from.Row(0) }))
	})
}

// A view of an Unrestricted one has its side only. Those of several batches may overlap.
func TestSplitViewsOfUnrestrictedOnesAreRestricted(t *testing.T) {
	const n = 12
	a := array.New[int](n)
	var bad faults
	parallelfor.For(4, array.Unrestricted(a.Writer()), func(w *writer, i int) {
		below, from := array.SplitAt(w, 3*i)
		mine, after := array.SplitAt(&from, 3*i+3)
		bad.add(side(&mine, 3*i, 3*i+3, 0, n, n))
		for _, v := range []*writer{&below, &after} {
			if v.Begin() != 3*i+3 && v.Begin() != 0 {
				bad.add("the view from " + strconv.Itoa(v.Begin()))
			}
			bad.add(arraylaw.Refused(3*i+1, v.Begin(), v.Begin()+len(v.Slice()), n, func() { v.At(3*i + 1) }))
		}
	}, parallelfor.Batch(1))
	require.Empty(t, bad.first())
	require.Equal(t, 1, a.At(n-1))
}

// A nested job uses a split view as an array of its own. The marks of the outer job's batches are
// those of the elements in the outer array.
func TestSplitViewsArePassedOn(t *testing.T) {
	a := array.New[int](8)
	halves := func(choose func(batch int) int) {
		parallelfor.For(2, array.Unrestricted(a.Writer()), func(w *writer, i int) {
			below, from := array.SplitAt(w, 4)
			half := []writer{below, from}[choose(i)]
			parallelfor.For(-1, half, func(w *writer, k int) { w.Set(k, 10*i+k) }, parallelfor.LengthOf(half))
		}, parallelfor.Batch(1), parallelfor.Sequential())
	}
	halves(func(batch int) int { return 1 - batch })
	require.Equal(t, []int{10, 11, 12, 13, 0, 1, 2, 3}, a.Slice())
	if shadows() {
		v := arraylaw.Breaks(t, safety.ErrOverlap, func() { halves(func(int) int { return 1 }) })
		require.Contains(t, v.Error(), "batches 0 and 1 of a loop around use element 0 of")
	}
	parallelfor.Do(a.Writer(), func(w *writer) {
		_, from := array.SplitAt(w, 6)
		parallelfor.Do(array.Permuted(from), func(p *array.PermutedWriter[int]) { p.Set(1, 7) })
		require.Empty(t, arraylaw.Refused(2, 0, 2, 2, func() { p := array.Permuted(from); p.Set(2, 0) }))
	})
	require.Equal(t, 7, a.At(7))
}

// A nested job that has one of the views excludes uses of that one, and leaves the other one free.
func TestANestedJobHoldsOneOfTheSplitViews(t *testing.T) {
	lawtest.CheckedOnly(t)
	a := array.New[int](8)
	parallelfor.Do(a.Writer(), func(w *writer) {
		below, from := array.SplitAt(w, 4)
		h := hold(below)
		for _, v := range []*writer{w, &below} {
			arraylaw.Breaks(t, safety.ErrInFlight, func() { array.SplitAt(v, 4) })
			arraylaw.Breaks(t, safety.ErrConflict, func() { hold(*v) })
		}
		last, none := array.SplitAt(&from, 8)
		require.Len(t, last.Slice(), 4)
		require.Empty(t, none.Slice())
		hold(last).Complete()
		h2 := hold(from)
		arraylaw.Breaks(t, safety.ErrInFlight, func() { from.Slice() })
		arraylaw.Breaks(t, safety.ErrInFlight, func() { w.Slice() })
		h.Complete()
		require.Len(t, below.Slice(), 4)
		h2.Complete()
		_, from = array.SplitAt(&from, 7)
		from.Set(7, 1)
	})
	type both struct{ Below, From writer }
	parallelfor.Do(a.Writer(), func(w *writer) {
		below, from := array.SplitAt(w, 4)
		arraylaw.Breaks(t, safety.ErrAliased, func() { hold(both{below, from}) })
	})
}
