package array_test

import (
	"runtime"
	"testing"
	"weak"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/arraylaw"
	"example.com/custody/internal/atom"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// What was cleared, or is on its way only, keeps nothing alive.
func TestAStreamKeepsNothingAlive(t *testing.T) {
	s := array.NewStream[*[4]int]()
	fill := func(n int) (all []weak.Pointer[[4]int]) {
		for i := range n {
			for range 2 {
				p := new([4]int)
				all = append(all, weak.Make(p))
				parallelfor.Do(s.ParallelWriter(), func(w *array.StreamParallelWriter[*[4]int]) { w.Append(i, p) })
			}
		}
		return all
	}
	all := fill(5)
	require.Equal(t, 10, s.Total())
	s.Clear()
	for range 3 {
		runtime.GC()
	}
	for i := range all {
		require.Nil(t, all[i].Value())
	}
	all = fill(3)
	s.Trim()
	runtime.GC()
	for i := range all {
		require.NotNil(t, all[i].Value())
	}
	s.Dispose()
	for range 3 {
		runtime.GC()
	}
	for i := range all {
		require.Nil(t, all[i].Value())
	}
	runtime.KeepAlive(s)
}

// A stream that is filled again and again, by loops of the same size, allocates nothing.
func TestAStreamThatIsFilledAgainAllocatesNothing(t *testing.T) {
	if safety.Strict || atom.Explored {
		t.Skip("jobs are made anew in this build")
	}
	s := array.NewStream[int]()
	body := func(w *streamFiller, i int) {
		for range i % 4 {
			w.Append(i, i)
		}
	}
	fill := func() {
		s.Clear()
		parallelfor.For(100_000, s.ParallelWriter(), body, parallelfor.Sequential())
		parallelfor.For(100_000, s.ParallelWriter(), body, parallelfor.Sequential())
	}
	fill()
	fill()
	require.LessOrEqual(t, testing.AllocsPerRun(10, fill), 1.0)
	require.Equal(t, 300_000, s.Total())
}

// A view of another batch that is used in strict builds leaves the row of the batch what it is.
func TestAStrictViewOfAnotherBatchMovesNoRow(t *testing.T) {
	if !safety.Strict || atom.Race { // the test's own kept is a race
		t.Skip("the views of a worker are not told apart in this build")
	}
	for name, use := range map[string]func(w *streamFiller){
		"Append":    func(w *streamFiller) { w.Append(3, -1) },
		"AppendAll": func(w *streamFiller) { w.AppendAll(3, []int{-1}) },
		"Row":       func(w *streamFiller) { w.Row(3) },
	} {
		s := array.NewStream[int]()
		var kept streamFiller
		parallelfor.ForBatch(4, s.ParallelWriter(), func(w *streamFiller, begin, _ int) {
			if begin == 0 {
				kept = *w
			} else {
				arraylaw.Breaks(t, safety.ErrStaleView, func() { use(&kept) }, name)
			}
			w.Append(begin, begin)
		}, parallelfor.Batch(2), parallelfor.Workers(1))
		require.Equal(t, [][]int{{0}, {}, {2}, {}}, rowsOf(t, s), name)
	}
}
