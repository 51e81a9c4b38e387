package hashmap

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/fuzz"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// rows returns floats whose sum depends on the order.
func rows(r *rand.Rand, n int) []float64 {
	all := make([]float64, n)
	for i := range all {
		all[i] = math.Ldexp(r.Float64()-0.5, r.IntN(80)-40)
	}
	return all
}

const rowKeys = 37

func rowKey(i int) int { return i * 7919 % rowKeys }

// sums are the bits of what the sequential loop makes of rows, by key.
func sums(all []float64) map[int]uint64 {
	of := map[int]float64{}
	for i, x := range all {
		of[rowKey(i)] += x
	}
	bits := map[int]uint64{}
	for k, x := range of {
		bits[k] = math.Float64bits(x)
	}
	return bits
}

// merged are the bits of what two jobs make of rows in a map, by key. It panics if the order of the
// keys is not that of the loop.
func merged[K comparable, V any](m *Map[K, V], all []float64, key func(int) K, back func(K) int, val func(float64) V, float func(V) float64, opts ...parallelfor.Option) map[int]uint64 {
	add := func(old, v V) V { return val(float(old) + float(v)) }
	begin := 0
	for _, n := range []int{len(all) / 3, len(all) - len(all)/3} {
		parallelfor.For(n, m.ParallelMerger(add), func(w *ParallelMerger[K, V], i int) { w.Merge(key(rowKey(begin+i)), val(all[begin+i])) }, opts...)
		begin += n
	}
	bits := map[int]uint64{}
	for k, v := range m.All() {
		if back(k) != rowKey(len(bits)) {
			panic("keys are in another order than that of the loop")
		}
		bits[back(k)] = math.Float64bits(float(v))
	}
	return bits
}

// Sums of floats, which are not associative, are bit for bit those of the sequential loop, at any
// number of workers and in any batches.
func TestMergedFloatsAreThoseOfTheSequentialLoop(t *testing.T) {
	r := lawtest.Rand(t)
	asWord, ofWord := func(x float64) int { return int(math.Float64bits(x)) }, func(v int) float64 { return math.Float64frombits(uint64(v)) }
	pointer, pointed := func(x float64) *float64 { return &x }, func(v *float64) float64 { return *v }
	large, first := func(x float64) [3]float64 { return [3]float64{x} }, func(v [3]float64) float64 { return v[0] }
	boxed, unboxed := func(x float64) any { return x }, func(v any) float64 { return v.(float64) }
	for _, n := range []int{500, 9000} { // done one after the other, and in parts
		all := rows(r, n)
		want := sums(all)
		other := slices.Clone(all)
		slices.Reverse(other[:n/2])
		require.NotEqual(t, want, sums(other), "the order does not matter")
		for workers := 1; workers <= 4; workers++ {
			for _, batch := range []int{0, 1, 7, 256} {
				stop := fuzz.HandOut(uint64(workers))
				opts := []parallelfor.Option{parallelfor.Workers(workers), parallelfor.Batch(batch)}
				for kind, got := range map[string]map[int]uint64{
					"words":                        merged(New[int, int](), all, number, number, asWord, ofWord, opts...),
					"small values":                 merged(New[string, int](), all, strconv.Itoa, digits, asWord, ofWord, opts...),
					"inline keys, large values":    merged(New[int, [3]float64](), all, number, number, large, first, opts...),
					"inline keys, pointers":        merged(New[int, *float64](), all, number, number, pointer, pointed, opts...),
					"keys with a Hasher, pointers": merged(NewWith[int, *float64](same{}), all, number, number, pointer, pointed, opts...),
					"large values":                 merged(New[any, any](), all, func(k int) any { return k }, func(k any) int { return k.(int) }, boxed, unboxed, opts...),
				} {
					if strconv.IntSize == 32 && (kind == "words" || kind == "small values") {
						continue // an int has not the bits of a float64
					}
					require.True(t, maps.Equal(want, got), "%s, %d rows, %d workers, batches of %d", kind, n, workers, batch)
				}
				stop()
			}
		}
	}
}

// A job that a computation schedules and that merges into the key that is computed fails there,
// although a fold of another key fails later.
func TestMergingIntoAComputedKeyIsTheFirstFailure(t *testing.T) {
	for range 5 {
		m := New[string, int]()
		m.Store("0", 1)
		v := lawtest.Violation(t, func() error {
			m.Compute("0", func(old int, _ bool) (int, Op) {
				fold := func(a, b int) int {
					if b == 3001 {
						panic("a later failure")
					}
					return a + b
				}
				parallelfor.For(8000, m.ParallelMerger(fold), func(w *ParallelMerger[string, int], i int) {
					w.Merge(strconv.Itoa(i%50*min(i%10, 1)), i)
				})
				return old, Keep
			})
			return nil
		})
		require.ErrorIs(t, v, safety.ErrWaitCycle)
		one, _ := m.Load("0")
		require.Equal(t, 1, one)
	}
}

// A function that merges values and uses the map, which it must not, fails its job at once, and the
// map may be used afterwards.
func TestAFoldThatUsesItsOwnMapFailsTheJob(t *testing.T) {
	lawtest.CheckedOnly(t)
	t.Run("words", func(t *testing.T) {
		usesItsOwnMap(t, func() *Map[int, int] { return New[int, int](safety.Named("sums")) }, number, number)
	})
	t.Run("small values", func(t *testing.T) {
		usesItsOwnMap(t, func() *Map[int, int] { return NewWith[int, int](same{}, safety.Named("sums")) }, number, number)
	})
	t.Run("large values", func(t *testing.T) {
		usesItsOwnMap(t, func() *Map[int, [3]int] { return New[int, [3]int](safety.Named("sums")) }, twin, func(v [3]int) int { return v[0] })
	})
}

func usesItsOwnMap[V any](t *testing.T, fresh func() *Map[int, V], val func(int) V, num func(V) int) {
	const keys, bad = 10, -1
	for name, use := range map[string]func(m *Map[int, V], k int){
		"Load":           func(m *Map[int, V], k int) { m.Load(k) },
		"Load of others": func(m *Map[int, V], k int) { m.Load(k + 1) },
		"Store":          func(m *Map[int, V], k int) { m.Store(k, val(1)) },
		"Compute":        func(m *Map[int, V], k int) { m.Compute(k+1, func(old V, _ bool) (V, Op) { return old, Update }) },
		"Clear":          func(m *Map[int, V], _ int) { m.Clear() },
		"All":            func(m *Map[int, V], _ int) { m.All()(func(int, V) bool { return true }) },
	} {
		for _, s := range shapes {
			what, m := fmt.Sprint(name, s), fresh()
			at := s.n / 2
			fold := func(old, v V) V {
				if num(v) == bad {
					use(m, at%keys)
				}
				return val(num(old) + num(v))
			}
			job := func(last int) func() {
				return func() {
					parallelfor.For(s.n, m.ParallelMerger(fold), func(w *ParallelMerger[int, V], i int) {
						if i == last {
							w.Merge(i%keys, val(bad))
						} else {
							w.Merge(i%keys, val(1))
						}
					}, parallelfor.Workers(s.workers), parallelfor.Name("merges"))
				}
			}
			v, _ := endsWith(t, what, job(at)).(*safety.Violation)
			require.NotNil(t, v, what)
			require.ErrorIs(t, v, safety.ErrInFlight, what)
			require.Equal(t, []any{m.in.guard.Container(), "merges"}, []any{v.Container, v.OtherJob}, what)

			was := map[int]int{}
			for k, v := range m.All() {
				was[k] = num(v)
				if n := num(v); n < 1 || n > s.n/keys || k == at%keys && n != (at-k+keys-1)/keys {
					require.Fail(t, "another part of a key's values than the first", "%s: key %d has %d", what, k, n)
				}
			}
			require.Contains(t, was, at%keys, what)
			require.Equal(t, len(was), m.Len(), what)
			require.Nil(t, endsWith(t, what, job(-1)), what)
			require.Equal(t, keys, m.Len(), what)
			for k := range keys {
				v, _ := m.Load(k)
				require.Equal(t, was[k]+s.n/keys, num(v), what)
			}
		}
	}
}

// A fold runs when its job is sealed, so its panic has no indices.
func TestAPanicOfAFoldIsOneOfTheSeal(t *testing.T) {
	for _, n := range []int{1000, 100_000} { // folded one after the other, and in parts
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			defer func() {
				p, _ := recover().(*parallelfor.Panic)
				require.ErrorContains(t, p, "panic in job adds up, when it was sealed: boom\n")
				require.Equal(t, []any{"boom", 0, 0}, []any{p.Value, p.Begin, p.End})
			}()
			fold := func(a, b int) int {
				if b == n*3/4 {
					panic("boom")
				}
				return a + b
			}
			merge := func(w *ParallelMerger[int, int], i int) { w.Merge(i%(n/2), i) }
			parallelfor.For(n, New[int, int]().ParallelMerger(fold), merge, parallelfor.Batch(100), parallelfor.Name("adds up"))
		})
	}
}
