package parallelfor_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/handout"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// card is what is sorted: by rank; place says where it was.
type card = int

const perRank = 1 << 13 // cards, at most

func newCard(rank, place int) card { return rank*perRank + place }

func rankOf(c card) int  { return c >> 13 }
func placeOf(c card) int { return c & (perRank - 1) }

func byRank(a, b card) int { return cmp.Compare(rankOf(a), rankOf(b)) }

// patterns are orders that sorts may find hard.
var patterns = map[string]func(n int, r *rand.Rand, i int) int{
	"random":    func(_ int, r *rand.Rand, _ int) int { return r.IntN(1 << 17) },
	"few ranks": func(_ int, r *rand.Rand, _ int) int { return r.IntN(4) },
	"rising":    func(_ int, _ *rand.Rand, i int) int { return i },
	"falling":   func(_ int, _ *rand.Rand, i int) int { return -i },
	"equal":     func(int, *rand.Rand, int) int { return 7 },
	"saw":       func(_ int, _ *rand.Rand, i int) int { return i % 13 },
	"organ":     func(n int, _ *rand.Rand, i int) int { return min(i, n-i) },
	"almost":    func(_ int, r *rand.Rand, i int) int { return i + r.IntN(3) },
	"one other": func(n int, r *rand.Rand, i int) int { return r.IntN(9) + (i+1)/n*99 },
}

func cards(n int, seed uint64, rank func(int, *rand.Rand, int) int) *array.Array[card] {
	r := rand.New(rand.NewPCG(seed, 1))
	a := array.New[card](n)
	for i := range n {
		a.Set(i, newCard(rank(n, r, i), i))
	}
	return a
}

func TestSortsOfAllPatternsAndLengths(t *testing.T) {
	watchdog(t)
	slice := (*array.Writer[card]).Slice
	batches := 400 // at most
	if parallelfor.Raced {
		batches = 60 // each is a goroutine
	}
	for name, rank := range patterns {
		for _, n := range []int{0, 1, 2, 3, 11, 12, 13, 24, 25, 100, 1023, 1024, 2049, 5000} {
			for _, batch := range []int{0, 1, 2, 3, 7, 13, 100, -1} {
				if batch > 0 && n/batch > batches {
					continue
				}
				for _, workers := range []int{1, 3} {
					opts := []parallelfor.Option{parallelfor.Batch(batch), parallelfor.Workers(workers)}
					want := cards(n, 1, rank).Slice()
					slices.SortStableFunc(want, byRank)
					a := cards(n, 1, rank)
					parallelfor.Sort(a.Writer(), slice, byRank, opts...)
					require.True(t, slices.Equal(want, a.Slice()), "%s, %d elements, batch %d", name, n, batch)
				}
			}
		}
	}
}

// Elements that are in order take one comparison each, or little more. Those of few kinds take a
// few, with whatever period the kinds come.
func TestSortsOfEasyOrdersTakeFewComparisons(t *testing.T) {
	for _, n := range []int{64, 500, 1087, 1999, 2000, 1 << 12, 1 << 16} {
		for name, easy := range map[string]struct {
			rank func(i int) int
			most float64
		}{
			"rising":                {func(i int) int { return i }, 1.3},
			"falling":               {func(i int) int { return -i }, 1.5},
			"2 kinds, period 2":     {func(i int) int { return i % 2 }, 3.3},
			"16 kinds, period 16":   {func(i int) int { return (i*11 + 5) % 16 }, 7},
			"16 kinds, period 1024": {func(i int) int { return i / 64 % 16 }, 7},
		} {
			if n < 2000 && easy.most > 2 {
				continue
			}
			s := make([]int, n)
			for i := range s {
				s[i] = easy.rank(i)
			}
			var taken atomic.Int64
			parallelfor.SortSlice(s, func(a, b int) int {
				taken.Add(1)
				return cmp.Compare(a, b)
			})
			require.True(t, slices.IsSorted(s), name)
			require.Less(t, float64(taken.Load())/float64(n), easy.most, "%s, %d elements", name, n)
		}
	}
}

// Integers are sorted by themselves where cmp.Compare compares them.
func TestSortsOfIntegersOfAllTypes(t *testing.T) {
	sortedIntegers(t, cmp.Compare[int])
	sortedIntegers(t, cmp.Compare[int8])
	sortedIntegers(t, cmp.Compare[int32])
	sortedIntegers(t, cmp.Compare[int64])
	sortedIntegers(t, cmp.Compare[uint32])
	sortedIntegers(t, cmp.Compare[uint64])
	sortedIntegers(t, cmp.Compare[time.Duration])
}

func sortedIntegers[T ~int | ~int8 | ~int32 | ~int64 | ~uint32 | ~uint64](t *testing.T, compare func(a, b T) int) {
	r := rand.New(rand.NewPCG(6, 7))
	for _, n := range []int{0, 1, 2, 30, 5000, 20_000} {
		s := make([]T, n)
		for i := range s {
			s[i] = T(r.Uint64())
		}
		want := slices.Sorted(slices.Values(s))
		parallelfor.SortSlice(s, compare, parallelfor.Workers(3))
		require.Equal(t, len(want), len(s))
		require.True(t, slices.Equal(want, s), "%T, %d elements", compare, n)
	}
}

// seenSort sorts with a compare that notes who calls it, and fails when it sees a place.
func seenSort(s *shape, sort func(a *array.Array[card], compare func(a, b card) int, opts ...parallelfor.Option), opts ...parallelfor.Option) (any, error) {
	a := cards(s.n, s.seed, patterns["few ranks"])
	sort(a, func(x, y card) int {
		if s.fails() && (placeOf(x) == s.failAt || placeOf(y) == s.failAt) {
			if s.how == exiting {
				runtime.Goexit()
			}
			panic("that place")
		}
		return byRank(x, y)
	}, opts...)
	return slices.Clone(a.Slice()), nil
}

func TestSortEqualsItsSequentialRun(t *testing.T) {
	slice := (*array.Writer[card]).Slice
	for name, sort := range map[string]func(a *array.Array[card], compare func(a, b card) int, opts ...parallelfor.Option){
		"Sort": func(a *array.Array[card], compare func(a, b card) int, opts ...parallelfor.Option) {
			parallelfor.Sort(a.Writer(), slice, compare, opts...)
		},
		"in a scheduled job": func(a *array.Array[card], compare func(a, b card) int, opts ...parallelfor.Option) {
			parallelfor.ScheduleDo(a.Writer(), func(w *array.Writer[card]) { parallelfor.Sort(*w, slice, compare, opts...) }).Complete()
		},
		"SortSlice": func(a *array.Array[card], compare func(a, b card) int, opts ...parallelfor.Option) {
			parallelfor.SortSlice(a.Slice(), compare, opts...)
		},
	} {
		t.Run(name, func(t *testing.T) {
			watchdog(t)
			for k := range rounds(150) {
				r := rand.New(rand.NewPCG(uint64(k), 2))
				long := k % 10 / 9 // enough elements to look for few kinds
				s := shape{n: r.IntN(300) + 2000*long, batch: r.IntN(40) + 100*long, workers: 1 + r.IntN(8), seed: r.Uint64(), failAt: r.IntN(900) - 300, how: manner(r.IntN(4))}
				run := func(s *shape, opts ...parallelfor.Option) (any, error) { return seenSort(s, sort, opts...) }
				want := s.outcome(run, parallelfor.Sequential())
				stop := handout.Force(s.seed)
				got := s.outcome(run, parallelfor.Workers(s.workers))
				stop()
				require.Equal(t, want, got, "%v", s)
			}
		})
	}
}

func TestASortIsSharedByWorkers(t *testing.T) {
	watchdog(t)
	defer handout.Force(5)()
	type views struct{ A array.Writer[int] }
	a := numbers(400)
	slices.Reverse(a.Slice())
	b := newBarrier(3)
	parallelfor.Sort(views{a.Writer()}, func(v *views) []int { return v.A.Slice() }, func(x, y int) int {
		if b.arrived.Load() < 3 && !b.wait() {
			panic("the others did not come")
		}
		return x - y
	}, parallelfor.Workers(3), parallelfor.Batch(100))
	require.True(t, slices.IsSorted(a.Slice()))
}

// Whatever compare says, each element is there once.
func TestASortByNonsenseLosesNothing(t *testing.T) {
	for seed := range uint64(60) {
		n := 200 + int(seed%4/3)*2000
		a := cards(n, seed, patterns["random"])
		nonsense := func(x, y card) int {
			return int((uint64(placeOf(x))*31+uint64(placeOf(y))*17+seed)*0x9e3779b97f4a7c15>>32%3) - 1
		}
		parallelfor.Sort(a.Writer(), (*array.Writer[card]).Slice, nonsense, parallelfor.Batch(n/200+int(seed%20)), parallelfor.Workers(3))
		places := make([]int, n)
		for _, c := range a.Slice() {
			places[placeOf(c)]++
		}
		for place, n := range places {
			require.Equal(t, 1, n, "place %d, seed %d", place, seed)
		}
	}
}

func TestNaNsAreSortedToTheFront(t *testing.T) {
	a := array.New[float64](5000)
	for i := range a.Len() {
		a.Set(i, float64(i*7919%1000))
		if i%3 == 0 {
			a.Set(i, math.NaN())
		}
	}
	want := slices.Clone(a.Slice())
	slices.Sort(want)
	parallelfor.Sort(a.Writer(), (*array.Writer[float64]).Slice, cmp.Compare[float64])
	require.True(t, slices.EqualFunc(want, a.Slice(), func(x, y float64) bool { return cmp.Compare(x, y) == 0 }))
}

func TestASortHoldsWhatItSorts(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	a := numbers(100)
	entered, leave := make(chan struct{}), make(chan struct{})
	once := true
	h := parallelfor.ScheduleDo(a.Writer(), func(w *array.Writer[int]) {
		if once {
			once = false
			close(entered)
			<-leave
		}
		parallelfor.Sort(*w, (*array.Writer[int]).Slice, func(x, y int) int { return y - x })
	}, parallelfor.Name("sorter"))
	if !parallelfor.Raced {
		<-entered
	}
	v := violation(t, safety.ErrInFlight, func() { a.At(0) })
	require.Contains(t, v.Error(), "sorter")
	close(leave)
	h.Complete()
	require.Equal(t, 99, a.At(0))
}

// The loops of a sort are called like it, and a panic tells which elements were being sorted.
func TestAPanicInASortTellsTheElements(t *testing.T) {
	a := numbers(100)
	p := panicked(t, func() {
		parallelfor.Sort(a.Writer(), (*array.Writer[int]).Slice, func(x, y int) int {
			if x == 42 || y == 42 {
				panic("42")
			}
			return x - y
		}, parallelfor.Batch(10), parallelfor.Name("sorter"))
	})
	require.Equal(t, []any{"42", "sorter", 40, 50}, []any{p.Value, p.Job, p.Begin, p.End})
}

// What a job only reads is not moved, nor read by another job while it moves.
func TestElementsThatAreOnlyReadDoNotMove(t *testing.T) {
	lawtest.CheckedOnly(t)
	a := array.Of([]int{3, 1, 2}, safety.Named("a"))
	read := (*array.Reader[int]).Slice
	for name, move := range map[string]func(){
		"Sort":      func() { parallelfor.Sort(a.Reader(), read, cmp.Compare) },
		"SortByKey": func() { parallelfor.SortByKey(a.Reader(), read, func(v int) int { return v }) },
		"Compact": func() {
			parallelfor.Compact(3, a.Reader(), read, func(_ *array.Reader[int], i int) bool { return i > 0 })
		},
	} {
		v := lawtest.Violation(t, func() error { move(); return nil })
		require.ErrorIs(t, v, safety.ErrArgument, name)
		require.ErrorContains(t, v, `only reads array.Array[int] "a"`, name)
		require.Contains(t, v.At, "sort_test.go:", name)
		require.Equal(t, []int{3, 1, 2}, a.Slice(), name)
	}
}

// A sort that lacks a function says which one.
func TestASortSaysWhichFunctionIsNil(t *testing.T) {
	slice, key := func(*none) []int { return nil }, func(v int) int { return v }
	var noSlice func(*none) []int
	var noKey func(v int) int
	for text, sort := range map[string]func(){
		"Sort was given a nil function as slice":         func() { parallelfor.Sort(none{}, noSlice, cmp.Compare) },
		"Sort was given a nil function as compare":       func() { parallelfor.Sort(none{}, slice, nil) },
		"SortSlice was given a nil function as compare":  func() { parallelfor.SortSlice[int](nil, nil) },
		"SortByKey was given a nil function as slice":    func() { parallelfor.SortByKey(none{}, noSlice, key) },
		"SortByKey was given a nil function as key":      func() { parallelfor.SortByKey(none{}, slice, noKey) },
		"SortSliceByKey was given a nil function as key": func() { parallelfor.SortSliceByKey(nil, noKey) },
	} {
		require.ErrorContains(t, violation(t, safety.ErrArgument, sort), "bad argument: "+text+".\n\tGive it one.")
	}
}
