package array_test

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

type nothing = struct{}

// listOf returns a list of n elements.
func listOf(n int) *array.List[nothing] {
	l := array.NewList[nothing](safety.Named("x"))
	l.Resize(n)
	return l
}

// appends runs a loop of two batches, of which each calls f.
func appends(l *array.List[nothing], f func(w *array.ParallelWriter[nothing])) {
	parallelfor.For(2, l.ParallelWriter(), func(w *array.ParallelWriter[nothing], _ int) { f(w) }, parallelfor.Batch(1), parallelfor.Workers(2))
}

// fills runs a loop of two batches, of which each calls f.
func fills(s *array.Stream[nothing], f func(w *array.StreamParallelWriter[nothing], i int)) {
	parallelfor.For(2, s.ParallelWriter(), f, parallelfor.Batch(1), parallelfor.Workers(2))
}

// Elements without a size are as many as memory holds bytes, and no more, whatever makes them.
func TestNoLengthOverflows(t *testing.T) {
	x := safety.Named("x")
	of := lawtest.Nothings
	lawtest.Vast(t, map[string]func(n int){
		"New":            func(n int) { array.New[nothing](n, x) },
		"Of":             func(n int) { array.Of(of(n), x) },
		"NewDouble":      func(n int) { array.NewDouble[nothing](n, x) },
		"ListOf":         func(n int) { array.ListOf(of(n), x) },
		"List.Append":    func(n int) { l := listOf(n); l.Append(nothing{}); l.Append(nothing{}) },
		"ListOf, Append": func(n int) { l := array.ListOf(of(n), x); l.Append(nothing{}); l.Append(nothing{}) },
		"List.AppendAll": func(n int) { l := listOf(5); l.AppendAll(of(n)); l.AppendAll(of(n)); l.AppendAll(of(n)) },
		"List.Insert":    func(n int) { l := listOf(5); l.Insert(2, of(n)...); l.Insert(2, of(n)...); l.Insert(2, of(n)...) },
		"List.Reserve":   func(n int) { listOf(n).Reserve(n); listOf(5).Reserve(n) },
		"List.Grow":      func(n int) { l := listOf(n); l.Grow(n); l.Grow(5) },
		"List.Remove": func(n int) {
			l := listOf(n)
			l.Remove(0)
			l.RemoveSwapBack(0)
			l.RemoveRange(0, n/2)
			l.Trim()
			l.Clear()
		},
		"New, split": func(n int) { array.New[nothing](n, x).SplitAt(n / 2) },
		"New, Split": func(n int) { array.New[nothing](5, x).Split(n) },
		"New, a single job": func(n int) {
			parallelfor.Do(array.New[nothing](n, x).Writer(), func(w *array.Writer[nothing]) { w.Set(n-1, nothing{}) })
		},
		"New, Permuted": func(n int) {
			parallelfor.Do(array.Permuted(array.New[nothing](n, x).Writer()), func(w *array.PermutedWriter[nothing]) { w.Set(n-1, nothing{}) })
		},
		"New, Permuted in a body": func(n int) {
			parallelfor.Do(array.New[nothing](n, x).Writer(), func(w *array.Writer[nothing]) { array.Permuted(*w) })
		},
		"New, Unrestricted": func(n int) {
			parallelfor.Do(array.Unrestricted(array.New[nothing](n, x).Writer()), func(w *array.Writer[nothing]) { w.Set(n-1, nothing{}) })
		},
		"List, Permuted, its length known late": func(n int) {
			l := listOf(5)
			h := parallelfor.Go(l.ParallelWriter(), func(w *array.ParallelWriter[nothing]) { w.AppendAll(of(n)) })
			defer h.Complete()
			parallelfor.Go(array.Permuted(l.Writer()), func(w *array.PermutedWriter[nothing]) {}, parallelfor.After(h)).Complete()
		},
		"ParallelWriter.Append": func(n int) {
			appends(listOf(n), func(w *array.ParallelWriter[nothing]) { w.Append(nothing{}) })
		},
		"ParallelWriter.AppendAll": func(n int) {
			l := listOf(5)
			appends(l, func(w *array.ParallelWriter[nothing]) { w.AppendAll(of(n)); w.AppendAll(of(n)) })
			appends(l, func(w *array.ParallelWriter[nothing]) { w.AppendAll(of(n)); w.AppendAll(of(n)) })
		},
		"ParallelWriter.AppendAll, once": func(n int) {
			l := array.NewList[nothing](x)
			appends(l, func(w *array.ParallelWriter[nothing]) { w.AppendAll(of(n)) })
		},
		"ParallelWriter, passed on": func(n int) {
			parallelfor.Do(listOf(5).ParallelWriter(), func(w *array.ParallelWriter[nothing]) {
				for range 3 {
					parallelfor.Do(*w, func(w *array.ParallelWriter[nothing]) { w.AppendAll(of(n)) })
				}
			})
		},
		"StreamOf": func(n int) { array.StreamOf([][]nothing{of(n), of(n), of(n)}, x) },
		"Stream.AppendRow": func(n int) {
			s := array.NewStream[nothing](x)
			for range 3 {
				s.AppendRow(of(n)...)
			}
		},
		"Stream.Grow": func(n int) { array.StreamOf([][]nothing{of(5)}, x).Grow(5, n) },
		"StreamParallelWriter.AppendAll": func(n int) {
			fills(array.NewStream[nothing](x), func(w *array.StreamParallelWriter[nothing], i int) { w.AppendAll(i, of(n)) })
		},
		"StreamParallelWriter.AppendAll, to rows": func(n int) {
			s := array.StreamOf([][]nothing{of(5)}, x)
			for range 3 {
				fills(s, func(w *array.StreamParallelWriter[nothing], i int) { w.AppendAll(i, of(i*n)) })
			}
		},
	})
}

// Lengths that there can be are refused where their sum cannot be.
func TestNoSumOfLengthsOverflows(t *testing.T) {
	x := safety.Named("x")
	of := lawtest.Nothings(lawtest.MostOf[nothing](0))
	half := of[:len(of)/2+1]
	stream := array.StreamOf([][]nothing{half}, x)
	lawtest.TooLong(t, map[string]func(){
		"Insert": func() { array.ListOf(of, x).Insert(len(of)-1, nothing{}) },
		"ParallelWriter.Append": func() {
			appends(array.ListOf(of[2:], x), func(w *array.ParallelWriter[nothing]) { w.Append(nothing{}); w.AppendAll(of[:1]) })
		},
		"ParallelWriter.AppendAll, of one worker": func() {
			appends(array.NewList[nothing](x), func(w *array.ParallelWriter[nothing]) { w.AppendAll(half); w.AppendAll(half) })
		},
		"ParallelWriter.Append, to a full lane": func() {
			appends(array.NewList[nothing](x), func(w *array.ParallelWriter[nothing]) { w.AppendAll(of); w.Append(nothing{}) })
		},
		"ParallelWriter.AppendAll, of each batch": func() {
			appends(array.NewList[nothing](x), func(w *array.ParallelWriter[nothing]) { w.AppendAll(of) })
		},
		"StreamOf":  func() { array.StreamOf([][]nothing{half, half}, x) },
		"AppendRow": func() { stream.AppendRow(half...) },
		"StreamParallelWriter.AppendAll": func() {
			fills(array.NewStream[nothing](x), func(w *array.StreamParallelWriter[nothing], i int) { w.AppendAll(i, half) })
		},
		"StreamParallelWriter.AppendAll, to rows": func() {
			// A full lane refuses the first batch after the second: then there are two rows.
			s := array.StreamOf([][]nothing{half}, x)
			defer func() { require.Equal(t, len(half), s.Total()) }()
			fills(s, func(w *array.StreamParallelWriter[nothing], i int) { w.AppendAll(i, half[:len(half)-i]) })
		},
	})
	require.Equal(t, len(half), stream.Total())
	require.Equal(t, 1, stream.Len())
}

// A list that cannot become longer stays as it is when it refuses.
func TestTheLongestList(t *testing.T) {
	most := lawtest.MostOf[nothing](0)
	l := listOf(most)
	for name, grow := range map[string]func(){
		"Append":         func() { l.Append(nothing{}) },
		"AppendAll":      func() { l.AppendAll(lawtest.Nothings(2)) },
		"Insert":         func() { l.Insert(1, nothing{}) },
		"ParallelWriter": func() { appends(l, func(w *array.ParallelWriter[nothing]) { w.Append(nothing{}) }) },
	} {
		v := lawtest.Violation(t, func() error { grow(); return nil })
		require.ErrorIs(t, v, safety.ErrLength, name)
		require.Equal(t, `array.List[struct {}] "x"`, v.Container, name)
		require.ErrorContains(t, v, "of length "+strconv.Itoa(most)+" was to grow by ", name)
		require.ErrorContains(t, v, "There can be 0 elements at most", name)
		require.Equal(t, most, l.Len(), name)
	}
	require.Less(t, most, math.MaxInt)
	l.AppendAll(nil)
	l.Remove(0)
	l.Append(nothing{})
	require.Equal(t, most, l.Len())
}

// Strict builds keep a mark for each element of an unrestricted view, of elements without a size
// too.
func TestMarksThatMemoryCannotHold(t *testing.T) {
	if !safety.Strict || atom.Race {
		t.Skip("no marks are kept")
	}
	n := math.MaxInt32 >> 2
	if strconv.IntSize == 64 {
		n <<= 17
	}
	w := array.Unrestricted(array.New[nothing](n, safety.Named("x")).Writer())
	v := lawtest.Violation(t, func() error {
		parallelfor.For(1, w, func(*array.Writer[nothing], int) {})
		return nil
	})
	require.ErrorIs(t, v, safety.ErrLength)
	require.ErrorContains(t, v, "was to have a mark for each of "+strconv.Itoa(n))
}
