package hashmap

import (
	"errors"
	"fmt"
	"hash/maphash"
	"iter"
	"math"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// endsWith runs f, which is to end, and returns what it panicked with. Where it ended its goroutine
// that is an error.
func endsWith(t *testing.T, what string, f func()) any {
	done := make(chan any, 1)
	go func() {
		var value any = errors.New("ended its goroutine")
		defer func() {
			if r := recover(); r != nil {
				value = r
			}
			done <- value
		}()
		f()
		value = nil
	}()
	v := lawtest.Arrives(t, what, done)
	if p, ok := v.(*parallelfor.Panic); ok {
		return p.Value
	}
	return v
}

// asked is a Hasher that calls a function for each key that is hashed.
type asked struct{ by func(k int) }

func (a asked) Hash(h *maphash.Hash, k int) {
	a.by(k)
	maphash.WriteComparable(h, k)
}

func (asked) Equal(a, b int) bool { return a == b }

// adds adds a number to the value at each position.
type adds struct{ W Writer[int, int] }

func (a *adds) Execute(i int) {
	_, v := a.W.At(i)
	a.W.Set(i, v+a.W.Len())
}

// A loop over the positions of a map takes its length from a Reader, or from a Writer.
func TestALoopIsAsLongAsAWriter(t *testing.T) {
	m := New[int, int]()
	for _, n := range []int{0, 10, 5000} {
		for _, length := range []parallelfor.Option{parallelfor.LengthOf(m.Reader()), parallelfor.LengthOf(m.Writer())} {
			for i := range n {
				m.Store(i, i)
			}
			parallelfor.For(-1, adds{m.Writer()}, (*adds).Execute, length)
			require.Equal(t, n, m.Len())
			for k, v := range m.All() {
				require.Equal(t, k+n, v)
			}
		}
	}
	var calls atom.Int64
	parallelfor.ForBatch(10, m.Writer(), func(w *Writer[int, int], begin, end int) {
		parallelfor.For(-1, *w, func(in *Writer[int, int], i int) {
			k, v := in.At(i)
			in.Set(i, v+k)
			calls.Add(1)
		}, parallelfor.LengthOf(*w), parallelfor.Sequential())
		for k, v := range w.All() {
			if v != 2*k+5000 {
				panic("wrong")
			}
		}
	}, parallelfor.Batch(4), parallelfor.Sequential())
	require.EqualValues(t, 10, calls.Load())
}

var shapes = []struct{ n, workers int }{{20, 1}, {20, 3}, {5000, 1}, {5000, 3}}

// A Hasher that panics or ends its goroutine when a job is sealed fails the job, and the map may be
// used.
func TestAHasherThatDoesNotReturnFailsTheJob(t *testing.T) {
	for _, s := range shapes {
		for name, by := range map[string]func(){"panics": func() { panic("no hash") }, "ends": runtime.Goexit} {
			bad := true
			m := NewWith[int, int](asked{func(k int) {
				if bad && k == 13 {
					by()
				}
			}})
			what := fmt.Sprint(name, s)
			v := endsWith(t, what, func() {
				parallelfor.For(s.n, m.ParallelWriter(), func(w *ParallelWriter[int, int], i int) { w.Set(i, i) }, parallelfor.Workers(s.workers))
			})
			if name == "panics" {
				require.Equal(t, "no hash", v, what)
			} else {
				require.ErrorContains(t, v.(error), "the Hasher of", what)
				require.ErrorContains(t, v.(error), "ended its goroutine", what)
			}
			v = endsWith(t, what, func() {
				parallelfor.For(s.n, m.ParallelMerger(sum), func(w *ParallelMerger[int, int], i int) { w.Merge(i, i) }, parallelfor.Workers(s.workers))
			})
			if name == "ends" {
				require.ErrorContains(t, v.(error), "or its Hasher, ended its goroutine", what)
			}
			bad = false
			require.Nil(t, endsWith(t, what, func() {
				parallelfor.For(s.n, m.ParallelWriter(), func(w *ParallelWriter[int, int], i int) { w.Set(i, -i) }, parallelfor.Workers(s.workers))
			}))
			require.Equal(t, s.n, m.Len())
		}
	}
}

// The failure of folds is that of the sequential loop, at any number of workers.
func TestTheFirstFoldThatFailsFailsTheJob(t *testing.T) {
	for _, n := range []int{1000, 5000} {
		for workers := 1; workers <= 3; workers++ {
			for range 10 {
				m := New[int, int]()
				v := endsWith(t, "folds", func() {
					parallelfor.For(n, m.ParallelMerger(func(old, v int) int {
						switch {
						case v == 200:
							runtime.Goexit()
						case v >= 100 && v < 105:
							panic(v)
						}
						return old + v
					}), func(w *ParallelMerger[int, int], i int) { w.Merge(i%50, i) }, parallelfor.Workers(workers))
				})
				require.Equal(t, 100, v, "%d indices, %d workers", n, workers)
				require.Equal(t, m.Len(), len(list(m)))
				v = endsWith(t, "folds", func() {
					parallelfor.For(n, m.ParallelMerger(func(old, v int) int {
						switch {
						case v == 200:
							panic(v)
						case v == 100:
							runtime.Goexit()
						}
						return old + v
					}), func(w *ParallelMerger[int, int], i int) { w.Merge(i%50, i) }, parallelfor.Workers(workers))
				})
				require.ErrorContains(t, v.(error), "ended its goroutine")
			}
		}
	}
	b := New[string, string]()
	b.Store("x", "")
	require.Equal(t, "211", endsWith(t, "folds of strings", func() {
		parallelfor.For(5000, b.ParallelMerger(func(old, v string) string {
			if v >= "2100" && v < "2200" {
				panic(v)
			}
			return v
		}), func(w *ParallelMerger[string, string], i int) { w.Merge(fmt.Sprint(i%40), fmt.Sprint(i)) }, parallelfor.Workers(2))
	}), "the first of those in the order of the loop")
}

// behind returns a key that holds what cannot be compared behind a NaN.
func behind(what any) any {
	return [2]any{math.NaN(), what}
}

// Keys that cannot be compared are refused where they are put in, also behind a NaN. What comes
// before them is in the map.
func TestABodyMustNotPutInWhatCannotBeCompared(t *testing.T) {
	for _, s := range shapes {
		for _, bad := range []any{[]int{1}, behind([]int{1}), [1]any{func() {}}} {
			for name, put := range map[string]func(v *anyViews){
				"Add":         func(v *anyViews) { v.W.Add(bad, 1) },
				"Set":         func(v *anyViews) { v.W.Set(bad, 1) },
				"Merge":       func(v *anyViews) { v.M.Merge(bad, 1) },
				"associative": func(v *anyViews) { v.A.Merge(bad, 1) },
			} {
				m, went := New[any, int](), false
				v := endsWith(t, name, func() {
					parallelfor.For(s.n, anyViews{m.ParallelWriter(), m.ParallelMerger(sum), m.ParallelMerger(sum, Associative())}, func(v *anyViews, i int) {
						v.W.Set(i, i)
						if i == s.n/2 {
							put(v)
							went = true
						}
					}, parallelfor.Workers(s.workers))
				})
				require.ErrorAs(t, v.(error), new(runtime.Error), name)
				require.ErrorContains(t, v.(error), "un", name)
				require.False(t, went, name)
				require.Equal(t, s.n/2+1, m.Len(), name)
			}
		}
	}
	mustCompare(math.NaN())
	mustCompare[any](math.NaN())
	mustCompare(behind(math.NaN()))
	mustCompare(1)
	require.Panics(t, func() { mustCompare(behind([]int{1})) })
	m := New[any, int]()
	parallelfor.For(10, m.ParallelWriter(), func(w *ParallelWriter[any, int], i int) { w.Add(behind(i), i) })
	require.Equal(t, 10, m.Len())
}

type anyViews struct {
	W    ParallelWriter[any, int]
	M, A ParallelMerger[any, int]
}

// A table with more places than can be numbered has no positions.
func TestPlacesThatCannotBeNumbered(t *testing.T) {
	if math.MaxInt == math.MaxInt32 {
		t.Skip("there are no such tables")
	}
	m := New[int, int](safety.Named("large"))
	most := uint64(mostPlaces)
	m.in.mustNumber(int(most))
	v := lawtest.Violation(t, func() error { m.in.mustNumber(int(most + 1)); return nil })
	require.ErrorIs(t, v, safety.ErrArgument)
	require.ErrorContains(t, v, "4294967297 places")
}

// In strict builds an iteration that was kept when its job ended is refused where it goes on.
func TestAnIterationThatWasKeptIsRefused(t *testing.T) {
	if !safety.Strict {
		t.Skip("this build looks when iterations begin")
	}
	m := New[int, int]()
	for i := range 100 {
		m.Store(i, i)
	}
	kept := func(next func() (int, int, bool), _ func()) func() (int, int, bool) {
		next()
		return next
	}
	var all []func() (int, int, bool)
	parallelfor.Do(m.Reader(), func(r *Reader[int, int]) {
		all = append(all, kept(iter.Pull2(r.All())))
	})
	parallelfor.Do(m.Writer(), func(w *Writer[int, int]) { all = append(all, kept(iter.Pull2(w.All()))) })
	for _, next := range all {
		require.ErrorIs(t, lawtest.Violation(t, func() error { next(); return nil }), safety.ErrStaleView)
	}
}
