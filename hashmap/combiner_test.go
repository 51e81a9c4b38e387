package hashmap

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/require"

	"example.com/custody/fuzz"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

type named int16

// Some folds are known to be associative for integers and strings, and no other function is.
func TestSomeFoldsAreKnownToBeAssociative(t *testing.T) {
	known := func(fold any) bool { return (*core)(nil).parallelMerger(nil, fold, nil).by.associative }
	for _, fold := range []any{
		Add[int], Add[uint8], Add[named], Add[string], Min[int], Min[string], Max[named], Max[string], And[named], And[uint8], Or[int], Or[named],
	} {
		require.True(t, known(fold), "%T", fold)
	}
	for _, fold := range []any{Add[float64], Add[float32], Min[float64], Max[float32], sum, func(a, b int) int { return Add(a, b) }} {
		require.False(t, known(fold), "%T", fold)
	}
	for name, m := range map[string]ParallelMerger[string, named]{
		"Add": New[string, named]().ParallelMerger(Add), "Min": New[string, named]().ParallelMerger(Min),
		"Max": New[string, named]().ParallelMerger(Max), "And": New[string, named]().ParallelMerger(And),
		"Or": New[string, named]().ParallelMerger(Or),
	} {
		require.True(t, m.in.by.associative, name)
	}
	require.Equal(t, []named{6, -2, 8, 0, -2}, []named{Add[named](-2, 8), Min[named](-2, 8), Max[named](-2, 8), And[named](5, 8), Or[named](-2, 8)})
	require.Equal(t, []string{"ab", "a", "b"}, []string{Add("a", "b"), Min("b", "a"), Max("b", "a")})
}

// merges are what a body does: it merges values, some in a job of its own, and sets some.
type merges[K comparable, V any] struct {
	keys   []K
	vals   []V
	nested bool
	set    bool // the last value is set
}

type mergeViews[K comparable, V any] struct {
	M ParallelMerger[K, V]
	W ParallelWriter[K, V]
}

func (w *mergeViews[K, V]) do(b *merges[K, V]) {
	for i, k := range b.keys {
		switch {
		case b.set && i == len(b.keys)-1:
			w.W.Set(k, b.vals[i])
		case b.nested:
			parallelfor.For(2, w.M, func(w *ParallelMerger[K, V], j int) {
				if j == 1 {
					w.Merge(k, b.vals[i])
				}
			}, parallelfor.Batch(1), parallelfor.Workers(2))
		default:
			w.M.Merge(k, b.vals[i])
		}
	}
}

// mergesLike compares jobs that merge many values with the plain loop.
func mergesLike[K comparable, V comparable](t *testing.T, name string, key func(i int) K, val func(i int) V, fold func(old, v V) V, opts ...MergerOption) {
	t.Run(name, func(t *testing.T) {
		lawtest.Check(t, lawtest.Parameters(t, 30), "equals the sequential loop", prop.ForAll(func(n, keys, mixed, workers int, seed uint64) (string, error) {
			r := rand.New(rand.NewPCG(seed, 2))
			bodies := make([]merges[K, V], n)
			for i := range bodies {
				b := &bodies[i]
				b.nested, b.set = r.IntN(200) < mixed, r.IntN(100) < mixed
				for range r.IntN(30) {
					k := r.IntN(keys)
					if r.IntN(2) == 0 {
						k = r.IntN(k + 1) // some come more often
					}
					b.keys, b.vals = append(b.keys, key(k)), append(b.vals, val(r.IntN(1000)))
				}
			}
			fails := n
			if r.IntN(3) == 0 {
				fails = r.IntN(n)
			}
			var order []K
			want := map[K]V{}
			for _, b := range bodies[:min(fails+1, n)] {
				for i, k := range b.keys {
					old, ok := want[k]
					if !ok {
						order = append(order, k)
					}
					if want[k] = b.vals[i]; ok && !(b.set && i == len(b.keys)-1) {
						want[k] = fold(old, b.vals[i])
					}
				}
			}
			m := New[K, V]()
			defer fuzz.HandOut(seed)()
			err := lawtest.Failure(func() error {
				parallelfor.For(n, mergeViews[K, V]{m.ParallelMerger(fold, opts...), m.ParallelWriter()}, func(w *mergeViews[K, V], i int) {
					if w.do(&bodies[i]); i >= fails {
						panic(errEnough)
					}
				}, parallelfor.Workers(workers))
				return nil
			})
			if (err != nil) != (fails < n) {
				return "", fmt.Errorf("failed with %w", err)
			}
			if got := keysOf(m.All()); !slices.Equal(got, order) {
				return "", fmt.Errorf("keys %v, not %v", got, order)
			}
			for k, v := range m.All() {
				if v != want[k] {
					return "", fmt.Errorf("%v has %v, not %v", k, v, want[k])
				}
			}
			return "", nil
		}, gen.IntRange(1, 400), gen.OneConstOf(1, 5, 100, 3000, 100_000), gen.OneConstOf(0, 0, 3, 50), gen.IntRange(1, 8), gen.UInt64()))
	})
}

// Jobs that merge many values of few or many keys, with failures, nested jobs and other views, make
// what the plain loop makes.
func TestMergersOfManyKeys(t *testing.T) {
	number, text := func(i int) int { return i }, func(i int) string { return strings.Repeat("abcdefgh"[i%8:][:1], i%13) + fmt.Sprint(i/13) }
	mixed := func(i int) any {
		if i%2 == 0 {
			return i
		}
		return text(i)
	}
	float := func(i int) float64 { return math.Ldexp(float64(i)-500, i%60-30) }
	mergesLike(t, "words", number, number, Add)
	mergesLike(t, "texts", text, number, Add)
	mergesLike(t, "texts of texts", text, text, Add)
	mergesLike(t, "words of texts", number, text, Add)
	mergesLike(t, "any keys", mixed, number, Add)
	mergesLike(t, "floats", text, float, Add)
	mergesLike(t, "greatest", text, float, func(a, b float64) float64 { return max(a, b) }, Associative())
	mergesLike(t, "in order", text, number, func(a, b int) int { return 3*a - b })
}

// A table of entries grows while keys come again, also seldom: as often as in even draws from some
// ten thousand keys. It does not if none comes again, nor above a size.
func TestATableOfEntriesGrowsWhileKeysComeAgain(t *testing.T) {
	at := ref(new(int))
	fill := func(c *recall, again func(n int) int) (n int) {
		for c.forget(); ; n++ {
			x := recalled{entry: at, tag: uint32(n+1) * 0x9e3779b1 &^ unsure}
			h := uint64(x.tag) << 32 >> c.shift
			for c.slots[h&uint64(len(c.slots)-1)].number >= c.since {
				h++
			}
			c.again = again(n + 1)
			if !c.add(&c.slots[h&uint64(len(c.slots)-1)], x) {
				return n + 1
			}
		}
	}
	// drawn is how often some of n even draws come again.
	drawn := func(n int, keys float64) int { return int(float64(n) * float64(n) / (2 * keys)) }
	var c recall
	for range 2 { // also in a table that has room
		require.Equal(t, fewKeys, fill(&c, func(int) int { return 0 }))
		require.Equal(t, mostSlots/4*3, fill(&c, func(n int) int { return n }))
		require.Equal(t, mostSlots/4*3, fill(&c, func(n int) int { return drawn(n, 10_000) }))
		require.Less(t, fill(&c, func(n int) int { return drawn(n, 200_000) }), 8*fewKeys)
		require.Len(t, c.slots, mostSlots)
		c.last = math.MaxUint32/2 + 1
	}
	c.forget()
	require.EqualValues(t, 1, c.since)
	require.False(t, slices.ContainsFunc(c.slots, func(s recalled) bool { return s.number >= c.since }))
}

// Jobs that merge a few keys again and again use one memory to find them.
func TestFindingKeysAgainAllocatesNothing(t *testing.T) {
	if safety.Strict || atom.Explored {
		t.Skip("jobs are made anew in this build")
	}
	allocs := func(n int, fold func(a, b int) int) float64 {
		m, least := New[int, int](), math.Inf(1)
		for range 5 {
			least = min(least, testing.AllocsPerRun(20, func() {
				parallelfor.For(n, m.ParallelMerger(fold), func(w *ParallelMerger[int, int], i int) { w.Merge(i%150, 1) }, parallelfor.Workers(1))
			}))
		}
		return least
	}
	require.LessOrEqual(t, allocs(2000, Add), allocs(150, sum)+1)
	m, least := New[int, int](), math.Inf(1)
	merger, writer := m.ParallelMerger(Add), m.ParallelWriter()
	for range 5 {
		least = min(least, testing.AllocsPerRun(20, func() {
			parallelfor.For(100, merger, func(w *ParallelMerger[int, int], i int) { w.Merge(i%10, i) })
			parallelfor.For(100, writer, func(w *ParallelWriter[int, int], i int) { w.Set(i%10, i) })
		}))
	}
	require.Zero(t, least, "views that are there, and keys")
}

// The program may copy a view: all copies look keys up in one memory, and pause together.
func TestCopiesOfAViewLookKeysUpTogether(t *testing.T) {
	if atom.Race {
		t.Skip("the race detector is to see all that is appended")
	}
	const n = 50_000
	for name, put := range map[string]func(v *mergeViews[int, int], own bool, k int){
		"writers": func(v *mergeViews[int, int], own bool, k int) {
			if w := v.W; own {
				v.W.Set(k, k)
			} else {
				w.Set(k, k)
			}
		},
		"mergers": func(v *mergeViews[int, int], own bool, k int) {
			if w := v.M; own {
				v.M.Merge(k, k)
			} else {
				w.Merge(k, k)
			}
		},
	} {
		m, combiners := New[int, int](), 0
		parallelfor.Do(mergeViews[int, int]{m.ParallelMerger(Add), m.ParallelWriter()}, func(v *mergeViews[int, int]) {
			for k := range n {
				put(v, k%1000 == 0, k)
			}
			combiners = len(m.in.combiners)
		})
		require.Equal(t, []int{1, n}, []int{combiners, m.Len()}, name)
	}
}

// What a job has looked up is not kept alive by the memory that the next job uses.
func TestSpareMemoryKeepsNoEntries(t *testing.T) {
	c := &combiner{seed: New[int, int]().in.seedOf()}
	c.forget()
	c.again = 1 << 20
	for range 9 * leastSlots {
		c.add(&c.slots[0], recalled{entry: ref(new(int))})
	}
	slots := len(c.slots)
	c.fresh.entry, c.free = ref(new(int)), &c.slots[0]
	c.empty()
	require.Len(t, c.slots, slots)
	require.False(t, slices.ContainsFunc(c.slots, func(s recalled) bool { return s != recalled{} }))
	require.Zero(t, c.fresh)
	require.Nil(t, c.free)
	for range 20 { // jobs that need little
		c.forget()
		c.add(&c.slots[0], recalled{})
		c.empty()
	}
	require.LessOrEqual(t, len(c.slots), slots/2)
}
