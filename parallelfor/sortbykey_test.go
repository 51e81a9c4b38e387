package parallelfor_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/handout"
	"example.com/custody/parallelfor"
)

func TestSortsByKeyOfAllPatternsAndLengths(t *testing.T) {
	watchdog(t)
	most := 400
	if parallelfor.Raced {
		most = 60 // each batch is a goroutine
	}
	for name, rank := range patterns {
		for _, n := range []int{0, 1, 2, 3, 24, 25, 26, 300, 1024, 5000} {
			for _, batch := range []int{0, 1, 7, 100, -1} {
				if batch > 0 && n/batch > most {
					continue
				}
				for _, workers := range []int{1, 3} {
					want := cards(n, 1, rank).Slice()
					slices.SortStableFunc(want, byRank)
					a := cards(n, 1, rank)
					parallelfor.SortByKey(a.Writer(), (*array.Writer[card]).Slice, rankOf, parallelfor.Batch(batch), parallelfor.Workers(workers))
					require.True(t, slices.Equal(want, a.Slice()), "%s, %d elements, batch %d", name, n, batch)
				}
			}
		}
	}
}

// keyed is an element that says where it was.
type keyed[K any] struct {
	key   K
	place int
}

// spreads are ways in which the bits of keys may lie.
var spreads = map[string]func(r *rand.Rand) uint64{
	"uniform":            func(r *rand.Rand) uint64 { return r.Uint64() },
	"skewed":             func(r *rand.Rand) uint64 { return r.Uint64() >> r.IntN(64) },
	"few":                func(r *rand.Rand) uint64 { return r.Uint64N(3) * 0x5555_5555_5555_5555 },
	"narrow, and one":    func(r *rand.Rand) uint64 { return max(r.Uint64N(100), r.Uint64N(5000)/4999*math.MaxUint64) },
	"high and low":       func(r *rand.Rand) uint64 { return r.Uint64N(2)<<63 | r.Uint64N(40) },
	"two, and low":       func(r *rand.Rand) uint64 { return r.Uint64N(2)<<63 | r.Uint64N(2) },
	"about the smallest": func(r *rand.Rand) uint64 { return 1<<63 + r.Uint64N(40) - 20 },
}

func sortsOfKeys[K integer](t *testing.T) {
	t.Helper()
	for name, spread := range spreads {
		for _, n := range []int{30, 500, 6000} {
			r := rand.New(rand.NewPCG(uint64(n), 3))
			list := make([]keyed[K], n)
			for i := range list {
				list[i] = keyed[K]{K(spread(r)), i}
			}
			want := slices.Clone(list)
			slices.SortStableFunc(want, func(a, b keyed[K]) int { return cmp.Compare(a.key, b.key) })
			for _, batch := range []int{0, n / 11} {
				got := slices.Clone(list)
				parallelfor.SortSliceByKey(got, func(e keyed[K]) K { return e.key }, parallelfor.Batch(batch), parallelfor.Workers(3))
				require.True(t, slices.Equal(want, got), "%T, %s, %d elements, batch %d", K(0), name, n, batch)
				own := make([]K, n)
				for _, other := range []int{-1, n / 3, n - 1} { // the element that is not its own key
					for i, e := range list {
						own[i] = e.key
					}
					key := func(k K) K { return k }
					if other >= 0 {
						odd := own[other]
						key = func(k K) K {
							if k == odd {
								return ^k
							}
							return k
						}
					}
					want := slices.Clone(own)
					slices.SortStableFunc(want, func(a, b K) int { return cmp.Compare(key(a), key(b)) })
					parallelfor.SortSliceByKey(own, key, parallelfor.Batch(batch), parallelfor.Workers(3))
					require.True(t, slices.Equal(want, own), "%T, %s, %d elements, batch %d, %d", K(0), name, n, batch, other)
				}
			}
		}
	}
}

type integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

func TestSortsByKeysOfAllTypes(t *testing.T) {
	watchdog(t)
	sortsOfKeys[int8](t)
	sortsOfKeys[uint8](t)
	sortsOfKeys[int32](t)
	sortsOfKeys[uint32](t)
	sortsOfKeys[int64](t)
	sortsOfKeys[uint64](t)
}

func TestSortByKeyEqualsItsSequentialRun(t *testing.T) {
	watchdog(t)
	for k := range rounds(100) {
		r := rand.New(rand.NewPCG(uint64(k), 2))
		s := shape{n: r.IntN(300), batch: r.IntN(40), workers: 1 + r.IntN(8), seed: r.Uint64(), failAt: r.IntN(900) - 300, how: manner(r.IntN(4))}
		run := func(s *shape, opts ...parallelfor.Option) (any, error) {
			a := cards(s.n, s.seed, patterns["few ranks"])
			defer func() {
				if p := recover(); p != nil {
					require.True(t, slices.Equal(cards(s.n, s.seed, patterns["few ranks"]).Slice(), a.Slice()), "elements moved")
					panic(p)
				}
			}()
			parallelfor.SortByKey(a.Writer(), (*array.Writer[card]).Slice, func(c card) int32 {
				if s.fails() && placeOf(c) == s.failAt {
					if s.how == exiting {
						runtime.Goexit()
					}
					panic("that place")
				}
				return int32(rankOf(c))
			}, opts...)
			return slices.Clone(a.Slice()), nil
		}
		want := s.outcome(run, parallelfor.Sequential())
		stop := handout.Force(s.seed)
		got := s.outcome(run, parallelfor.Workers(s.workers))
		stop()
		require.Equal(t, want, got, "%v", s)
	}
}

func TestASortByKeyIsSharedByWorkers(t *testing.T) {
	watchdog(t)
	defer handout.Force(5)()
	a := numbers(400)
	slices.Reverse(a.Slice())
	b := newBarrier(3)
	parallelfor.SortByKey(a.Writer(), (*array.Writer[int]).Slice, func(x int) int {
		if b.arrived.Load() < 3 && !b.wait() {
			panic("the others did not come")
		}
		return x
	}, parallelfor.Workers(3), parallelfor.Batch(100))
	require.True(t, slices.IsSorted(a.Slice()))
}

func TestKeysAreAskedForOnceForEachElement(t *testing.T) {
	calls := make([]int, 3000)
	list := make([]int, len(calls))
	for i := range list {
		list[i] = i
	}
	parallelfor.SortSliceByKey(list, func(i int) int { calls[i]++; return -i }, parallelfor.Batch(100))
	for i := range list {
		require.Equal(t, len(list)-1-i, list[i])
		require.Equal(t, 1, calls[i])
	}
}

func TestAPanicInASortByKeyTellsTheElements(t *testing.T) {
	p := panicked(t, func() {
		parallelfor.SortByKey(numbers(100).Writer(), (*array.Writer[int]).Slice, func(x int) int {
			if x == 42 {
				panic("42")
			}
			return x
		}, parallelfor.Batch(10), parallelfor.Name("sorter"))
	})
	require.Equal(t, []any{"42", "sorter", 40, 50}, []any{p.Value, p.Job, p.Begin, p.End})
}
