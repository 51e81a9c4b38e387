package hashmap

import (
	"errors"
	"maps"
	"math"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"weak"

	"github.com/stretchr/testify/require"

	"example.com/custody/fuzz"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// After so many keys that there are no more ages they are given anew, and the order stays.
func TestAgesAreGivenAnew(t *testing.T) {
	t.Run("words", func(t *testing.T) { givesAgesAnew(t, initialised[int, int](tiny, nil), 0) })
	t.Run("small values", func(t *testing.T) { givesAgesAnew(t, initialised[int, int](tiny, same{}), 0) })
	t.Run("large values", func(t *testing.T) { givesAgesAnew(t, initialised[int, [3]int](tiny, nil), twin(0)) })
}

func givesAgesAnew[V any](t *testing.T, m *Map[int, V], v V) {
	fill := func(from int) {
		parallelfor.For(3, m.ParallelWriter(), func(w *ParallelWriter[int, V], i int) { w.Set(from-i, v) })
	}
	fill(10)
	m.in.setSeq(maxSeq - 9)
	m.Store(20, v)
	m.Store(15, v)
	fill(8)  // one is there
	fill(40) // for which there are no seqs
	m.Store(2, v)
	fill(1)
	require.Less(t, m.in.root.Load().of.seq.Load(), uint32(100))
	require.Equal(t, []int{10, 9, 8, 15, 20, 7, 6, 40, 39, 38, 2, 1, 0, -1}, keysOf(m.All()))
	m.in.setSeq(maxSeq)
	m.Store(17, v)
	m.Store(16, v)
	require.Equal(t, []int{10, 9, 8, 15, 20, 7, 6, 40, 39, 38, 2, 1, 0, -1, 16, 17}, keysOf(m.All()))
}

// A map that was cleared begins with another order.
func TestTheOrderOfAMapThatWasCleared(t *testing.T) {
	m := New[int, int]()
	put := func(ks ...int) {
		parallelfor.For(len(ks), m.ParallelWriter(), func(w *ParallelWriter[int, int], i int) { w.Add([]int{5, 3, 4, 1}[i], i) })
	}
	put(1, 2, 3, 4)
	require.Equal(t, []int{5, 3, 4, 1}, keysOf(m.All()))
	m.Clear()
	m.Store(9, 0)
	m.Store(8, 0)
	require.False(t, m.in.arranged())
	put(1, 2)
	require.Equal(t, []int{8, 9, 5, 3}, keysOf(m.All()))
	m.Delete(9)
	m.Grow(10_000)
	m.Store(9, 0)
	m.Trim()
	require.Equal(t, []int{8, 5, 3, 9}, keysOf(m.All()))
}

// Keys of all types that have an order come in it; others come as they may.
func TestOrdersOfKeys(t *testing.T) {
	m := New[any, int]()
	m.Store(new(fuzz.Item), 1)
	m.Store("a", 1)
	parallelfor.Do(m.Reader(), func(r *Reader[any, int]) { require.Len(t, maps.Collect(r.All()), 2) })
	words := New[float64, int]()
	for i, k := range []float64{2, math.Inf(1), -3, 0} {
		words.Store(k, i)
	}
	parallelfor.Do(words.Reader(), func(r *Reader[float64, int]) {
		var keys []float64
		var vals []int
		for k, v := range r.All() {
			keys, vals = append(keys, k), append(vals, v)
		}
		require.Equal(t, []float64{-3, 0, 2, math.Inf(1)}, keys)
		require.Equal(t, []int{2, 3, 0, 1}, vals)
		for k, v := range r.All() {
			require.Equal(t, []any{-3.0, 2}, []any{k, v})
			break
		}
	})
	require.Equal(t, []float64{-3, 0, 2, math.Inf(1)}, keysOf(words.All()))
}

// A list of keys is used again until keys are put in or deleted.
func TestTheIndexIsMadeOnce(t *testing.T) {
	m := New[int, int]()
	for i := range 100 {
		m.Store(i, i)
	}
	first := m.in.index()
	same := func() bool { return &m.in.index().list[0] == &first.list[0] }
	m.Store(5, 7)
	m.Swap(6, 7)
	m.Delete(1000)
	parallelfor.For(3000, m.ParallelWriter(), func(w *ParallelWriter[int, int], i int) { w.Set(i%100, i) })
	parallelfor.Do(m.ParallelMerger(Add), func(w *ParallelMerger[int, int]) { w.Merge(7, 1) })
	require.True(t, same())
	m.Delete(3)
	require.False(t, same())
	first = m.in.index()
	m.Store(3, 3)
	require.False(t, same())
	require.Len(t, m.in.index().list, 100)
	first = m.in.index()
	parallelfor.Do(m.ParallelWriter(), func(w *ParallelWriter[int, int]) { w.Set(100, 0) })
	require.False(t, same())
}

// A body lends its window on: the nested job's positions begin at 0 there.
func TestLendingPositionsOn(t *testing.T) {
	defer fuzz.HandOut(3)()
	m := New[int, [3]int]()
	for i := range 200 {
		m.Store(i, twin(0))
	}
	parallelfor.ForBatch(200, m.Writer(), func(w *Writer[int, [3]int], begin, end int) {
		parallelfor.For(end-begin, *w, func(v *Writer[int, [3]int], i int) {
			if k, _ := v.At(i); k != begin+i || v.Len() != end-begin {
				panic("another window")
			}
			v.Set(i, twin(1))
		})
		n := 0
		for k, v := range w.All() {
			if k != begin+n || v != twin(1) {
				panic("not all")
			}
			n++
		}
	}, parallelfor.Batch(30), parallelfor.Workers(3))
	parallelfor.Do(m.Reader(), func(r *Reader[int, [3]int]) {
		parallelfor.For(r.Len(), *r, func(v *Reader[int, [3]int], i int) {
			if k, x := v.At(i); k != i || x != twin(1) {
				panic("lent on wrongly")
			}
		})
	})
}

// A fold that panics or ends its goroutine fails the job; the map goes on.
func TestFoldsThatFail(t *testing.T) {
	for _, few := range []int{1, 2000} {
		for kind, m := range map[string]*Map[int, int]{
			"words": initialised[int, int](tiny, nil), "marks": plainWords(tiny), "boxes": initialised[int, int](tiny, same{}),
		} {
			t.Run(kind, func(t *testing.T) {
				m.in.few = few
				m.Store(1, 2)
				merge := func(fold func(old, v int) int) error {
					return lawtest.Failure(func() error {
						parallelfor.For(8, m.ParallelMerger(fold), func(w *ParallelMerger[int, int], i int) { w.Merge(i%4, i) }, parallelfor.Workers(3))
						return nil
					})
				}
				no := errors.New("no")
				require.ErrorIs(t, merge(func(old, v int) int { panic(no) }), no)
				err := merge(func(old, v int) int { runtime.Goexit(); return 0 })
				require.ErrorIs(t, err, safety.ErrArgument)
				require.ErrorContains(t, err, "ended its goroutine")
				if safety.Enabled {
					require.ErrorIs(t, merge(func(old, v int) int { return m.Len() }), safety.ErrInFlight)
				}
				m.Clear()
				m.Store(1, 2)
				require.NoError(t, merge(func(old, v int) int { return 10*old + v }))
				require.Equal(t, map[int]int{0: 4, 1: 215, 2: 26, 3: 37}, collect(m))
				require.Empty(t, m.in.phases.folds)
			})
		}
	}
}

func collect(m *Map[int, int]) map[int]int { return maps.Collect(m.All()) }

// What is merged into few keys again and again is merged where that is done.
func TestAssociativeMergersAppendLittle(t *testing.T) {
	if safety.Strict {
		t.Skip("with the race detector all is appended")
	}
	most := 0
	for range 20 { // in some maps two of the keys share a place, by their hashes
		m := New[int, int]()
		calls := 0
		sum := func(old, v int) int { calls++; return old + v }
		parallelfor.For(1000, m.ParallelMerger(sum, Associative()), func(w *ParallelMerger[int, int], i int) {
			w.Merge(i%3, 1)
			if i == 999 {
				most = max(most, calls)
			}
		}, parallelfor.Workers(1))
		require.Equal(t, map[int]int{0: 334, 1: 333, 2: 333}, collect(m))
	}
	require.GreaterOrEqual(t, most, 990)
}

func TestClones(t *testing.T) {
	m := NewWith[string, int](caseless{})
	m.Store("b", 1)
	m.Store("a", 2)
	c := m.Clone()
	c.Store("A", 3)
	c.Store("c", 4)
	v, _ := m.Load("a")
	require.Equal(t, 2, v)
	require.Equal(t, 3, c.Len())
	parallelfor.For(2, c.ParallelWriter(), func(w *ParallelWriter[string, int], i int) { w.Set([]string{"z", "y"}[i], 0) })
	c.Store("B2", 0)
	c.Store("A2", 0)
	require.Equal(t, []string{"a", "b", "c", "z", "y", "A2", "B2"}, keysOf(c.Clone().All()))
	d := c.Clone()
	d.Store("A1", 0)
	require.Equal(t, []string{"a", "b", "c", "z", "y", "A1", "A2", "B2"}, keysOf(d.All()))
}

// All operations of a Shared are those of the map.
func TestShareds(t *testing.T) {
	m := New[string, string]()
	parallelfor.Do(m.Shared(), func(s *Shared[string, string]) {
		s.Store("a", "1")
		_, loaded := s.LoadOrStore("a", "2")
		require.True(t, loaded)
		var v string
		s.Compute("a", func(old string, _ bool) (string, Op) { v = old; return "3", Update }) // a swap
		require.Equal(t, "1", v)
		replace := func(old, by string) (done bool) { // a compare-and-swap
			s.Compute("a", func(now string, ok bool) (string, Op) {
				done = ok && now == old
				return by, map[bool]Op{false: Keep, true: Update}[done]
			})
			return done
		}
		require.True(t, replace("3", "4"))
		require.False(t, replace("3", "5"))
		v, _ = s.Load("a")
		require.Equal(t, "4", v)
		v, _ = s.LoadOrCompute("b", func() (string, bool) { return "5", false })
		require.Equal(t, "5", v)
		v, _ = s.Compute("b", func(old string, _ bool) (string, Op) { return old + "!", Update })
		require.Equal(t, "5!", v)
		require.Equal(t, 2, s.Len())
		s.Delete("a")
		v, _ = s.LoadAndDelete("b")
		require.Equal(t, "5!", v)
		for _, f := range []func(){func() { s.Compute("x", nil) }, func() { s.LoadOrCompute("x", nil) }} {
			v := lawtest.Violation(t, func() error { f(); return nil })
			require.ErrorIs(t, v, safety.ErrArgument)
		}
	})
	require.Zero(t, m.Len())
}

// What a job has overwritten, and what was deleted after it, is garbage; and nothing of what it
// appended is kept beside the map.
func TestWhatJobsPutInIsGarbageInTheEnd(t *testing.T) {
	for _, n := range []int{10, 5000} {
		m := New[any, any]()
		all := make([]weak.Pointer[fuzz.Item], n)
		put := func(twice bool) {
			parallelfor.For(n, struct {
				W   ParallelWriter[any, any]
				All []weak.Pointer[fuzz.Item] `custody:"unguarded"`
			}{m.ParallelWriter(), all}, func(v *struct {
				W   ParallelWriter[any, any]
				All []weak.Pointer[fuzz.Item] `custody:"unguarded"`
			}, i int) {
				p := new(fuzz.Item)
				if v.All[i] = weak.Make(p); twice {
					v.W.Set(strconv.Itoa(i), p)
				} else {
					v.W.Add(strconv.Itoa(i), p)
				}
			})
		}
		put(true)
		first := slices.Clone(all)
		put(false) // which keeps what is there
		isGarbage(t, all)
		second := slices.Clone(first)
		put(true)
		isGarbage(t, second)
		for i := range n {
			m.Delete(strconv.Itoa(i))
		}
		isGarbage(t, all)
		runtime.KeepAlive(m)
	}
}

func isGarbage(t *testing.T, all []weak.Pointer[fuzz.Item]) {
	t.Helper()
	for range 10 {
		runtime.GC()
		if !slices.ContainsFunc(all, func(p weak.Pointer[fuzz.Item]) bool { return p.Value() != nil }) {
			return
		}
	}
	t.Fatal("something is kept")
}

func TestMapsEndAfterJobs(t *testing.T) {
	lawtest.CheckedOnly(t)
	m := New[int, int]()
	h := parallelfor.ScheduleDo(filler{m.ParallelWriter()}, (*filler).Execute)
	m.DisposeAfter(h)
	require.True(t, m.Disposed())
	h.Complete()
	require.Zero(t, m.in.len())
}

type filler struct{ W ParallelWriter[int, int] }

func (f *filler) Execute() { f.W.Add(1, 1) }
