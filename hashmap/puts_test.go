package hashmap

import (
	"fmt"
	"hash/maphash"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/require"

	"example.com/custody/fuzz"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
)

// hashing is a Hasher that does what a map without one does.
type hashing[K comparable] struct{}

func (hashing[K]) Hash(h *maphash.Hash, k K) { maphash.WriteComparable(h, k) }
func (hashing[K]) Equal(a, b K) bool         { return a == b }

// putsLike compares jobs that put keys in by Add and by Set, some of which fail, with the plain
// loop.
func putsLike[K comparable](t *testing.T, name string, key func(i int) K, fresh func() *Map[K, int]) {
	t.Run(name, func(t *testing.T) {
		lawtest.Check(t, lawtest.Parameters(t, 30), "equals the sequential loop", prop.ForAll(func(n, keys, workers int, seed uint64) (string, error) {
			r := rand.New(rand.NewPCG(seed, 3))
			type put struct {
				key int
				set bool
			}
			bodies, fails := make([][]put, n), n
			for i := range bodies {
				for range r.IntN(80) {
					bodies[i] = append(bodies[i], put{r.IntN(keys), r.IntN(3) == 0})
				}
			}
			if r.IntN(3) == 0 {
				fails = r.IntN(n)
			}
			order, want := []int{0}, map[int]int{0: -1}
			for i, b := range bodies[:min(fails+1, n)] {
				for j, p := range b {
					_, there := want[p.key]
					if !there {
						order = append(order, p.key)
					}
					if !there || p.set {
						want[p.key] = 100*i + j
					}
				}
			}
			m := fresh()
			m.Store(key(0), -1)
			defer fuzz.HandOut(seed)()
			err := lawtest.Failure(func() error {
				parallelfor.For(n, m.ParallelWriter(), func(w *ParallelWriter[K, int], i int) {
					for j, p := range bodies[i] {
						if p.set {
							w.Set(key(p.key), 100*i+j)
						} else {
							w.Add(key(p.key), 100*i+j)
						}
					}
					if i >= fails {
						panic(errEnough)
					}
				}, parallelfor.Workers(workers))
				return nil
			})
			if (err != nil) != (fails < n) {
				return "", fmt.Errorf("failed with %w", err)
			}
			at := 0
			for k, v := range m.All() {
				if at >= len(order) || k != key(order[at]) || v != want[order[at]] {
					return "", fmt.Errorf("entry %d is %v, %d of %v, %v", at, k, v, order, want)
				}
				at++
			}
			if at != len(order) {
				return "", fmt.Errorf("%d keys, not %d", at, len(order))
			}
			return "", nil
		}, gen.IntRange(1, 400), gen.OneConstOf(1, 5, 100, 3000, 100_000), gen.IntRange(1, 8), gen.UInt64()))
	})
}

// Jobs that add and set few or many keys make what the plain loop makes.
func TestAddsAndSetsOfManyKeys(t *testing.T) {
	number, text := func(i int) int { return i }, func(i int) string { return strings.Repeat("abcdefgh"[i%8:][:1], i%13) + fmt.Sprint(i/13) }
	putsLike(t, "words", number, func() *Map[int, int] { return New[int, int]() })
	putsLike(t, "texts", text, func() *Map[string, int] { return New[string, int]() })
	putsLike(t, "any keys", func(i int) any { return text(i) }, func() *Map[any, int] { return New[any, int]() })
	putsLike(t, "keys of a Hasher", number, func() *Map[int, int] { return NewWith[int, int](hashing[int]{}) })
}

// A worker that has appended much appends a key once for many Adds and Sets in a span. It does not
// if the race detector is to see all, or a Hasher would be asked in bodies. Each NaN is a key.
func TestKeysThatComeAgainAreAppendedOnce(t *testing.T) {
	appended := func(w ParallelWriter[float64, int], key func(i int) float64) (n int) {
		parallelfor.Do(w, func(w *ParallelWriter[float64, int]) {
			for i := range 5000 {
				w.Add(key(i), i)
				w.Set(key(i), i)
			}
			n = w.in.lane.Len()
		})
		return n
	}
	ten, few := func(i int) float64 { return float64(i % 10) }, leastPause+10
	if atom.Race {
		few = 10_000
	}
	m := New[float64, int]()
	require.Equal(t, few, appended(m.ParallelWriter(), ten))
	require.Equal(t, 10_000, appended(NewWith[float64, int](hashing[float64]{}).ParallelWriter(), ten))
	require.Equal(t, 10_000, appended(m.ParallelWriter(), func(int) float64 { return math.NaN() }))
	require.Equal(t, 10+10_000, m.Len())
	v, _ := m.Load(3)
	require.Equal(t, 4993, v)
}

// A job that puts new keys in moves the keys of a map as often as stores do.
func TestAJobGrowsAMapAsStoresDo(t *testing.T) {
	for _, n := range []int{7, 20, 100, 500, 1900} {
		moves := func(put func(m *Map[string, int])) (n int) {
			m := New[string, int]()
			first := m.in.root.Load()
			put(m)
			for x := first.next.Load(); x != nil; x = x.next.Load() {
				n++
			}
			return n
		}
		stored := moves(func(m *Map[string, int]) {
			for i := range n {
				m.Store(strconv.Itoa(i), i)
			}
		})
		require.Equal(t, stored, moves(func(m *Map[string, int]) {
			parallelfor.For(n, m.ParallelWriter(), func(w *ParallelWriter[string, int], i int) { w.Add(strconv.Itoa(i), i) })
		}), n)
	}
}
