package hashmap

import (
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/fuzz"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// The bodies of a loop may use a map through a Shared, at all levels.
func TestBodiesShareAMap(t *testing.T) {
	defer fuzz.HandOut(4)()
	m := New[int, int]()
	parallelfor.For(1000, m.Shared(), func(s *Shared[int, int], i int) {
		s.Store(i, i)
		s.Compute(i%10, func(old int, _ bool) (int, Op) { return old, Update })
		_, _ = s.Load(i / 2)
	})
	require.Equal(t, 1000, m.Len())
}

// found is a key and its value.
type found[K comparable, V any] struct {
	k K
	v V
}

// list returns what a map holds in its order.
func list[K comparable, V any](m *Map[K, V]) (all []found[K, V]) {
	for k, v := range m.All() {
		all = append(all, found[K, V]{k, v})
	}
	return all
}

// A job of any length puts keys in as the sequential loop does.
func TestAJobPutsKeysInAsTheSequentialLoop(t *testing.T) {
	lengths := []int{0, 1, 10, 1000, 30_000, 100_000}
	if safety.Strict { // and slow
		lengths = lengths[:5]
	}
	for _, n := range lengths {
		for workers := 1; workers <= 4; workers++ {
			m := New[int, int]()
			stop := fuzz.HandOut(uint64(workers))
			var want []found[int, int]
			at := map[int]int{}
			for round := range 2 {
				for i := range n {
					k := i * 7919 % (n/2 + 1 + round*n/3)
					if j, ok := at[k]; !ok {
						at[k] = len(want)
						want = append(want, found[int, int]{k, i})
					} else if i%3 == 0 {
						want[j].v = i
					}
				}
				parallelfor.For(n, m.ParallelWriter(), func(w *ParallelWriter[int, int], i int) {
					k := i * 7919 % (n/2 + 1 + round*n/3)
					if i%3 == 0 {
						w.Set(k, i)
					} else {
						w.Add(k, i)
					}
				}, parallelfor.Workers(workers))
				require.Equal(t, len(want), m.Len())
				for i, p := range list(m) {
					if p != want[i] {
						require.Equal(t, want[i], p, i)
					}
				}
			}
			parallelfor.For(len(want), m.Writer(), func(w *Writer[int, int], i int) {
				k, v := w.At(i)
				w.Set(i, v+k)
			}, parallelfor.Workers(workers))
			parallelfor.For(len(want), m.Reader(), func(r *Reader[int, int], i int) {
				k, v := r.At(i)
				x, ok := r.Load(k)
				if k != want[i].k || v != want[i].v+k || x != v || !ok || r.Len() != len(want) {
					panic("wrong")
				}
			}, parallelfor.Workers(workers))
			stop()
		}
	}
}

// Values are merged in the order of the sequential loop, whatever else the job does.
func TestMergers(t *testing.T) {
	join := func(old, v string) string { return old + v }
	for workers := 1; workers <= 4; workers++ {
		for _, n := range []int{10, 5000} {
			m := New[string, string]()
			m.Store("3", "x")
			type views struct {
				A, B ParallelMerger[string, string]
				W    ParallelWriter[string, string]
			}
			v := views{m.ParallelMerger(join, Associative()), m.ParallelMerger(func(old, v string) string { return v + old }), m.ParallelWriter()}
			stop := fuzz.HandOut(uint64(workers))
			parallelfor.For(n, v, func(v *views, i int) {
				v.A.Merge(strconv.Itoa(i%7), string(rune('a'+i%26)))
				v.A.Merge(strconv.Itoa(i%5), "+")
				switch {
				case i%11 == 0:
					v.B.Merge(strconv.Itoa(i%7), "-")
				case i%97 == 0:
					v.W.Set(strconv.Itoa(i%7), "!")
				}
			}, parallelfor.Workers(workers))
			stop()
			want := map[int]string{3: "x"}
			order := []int{3}
			get := func(k int) string {
				if _, ok := want[k]; !ok {
					order = append(order, k)
				}
				return want[k]
			}
			for i := range n {
				want[i%7] = get(i%7) + string(rune('a'+i%26))
				want[i%5] = get(i%5) + "+"
				switch {
				case i%11 == 0:
					want[i%7] = "-" + want[i%7]
				case i%97 == 0:
					want[i%7] = "!"
				}
			}
			for i, p := range list(m) {
				require.Equal(t, strconv.Itoa(order[i]), p.k)
				require.Equal(t, want[order[i]], p.v)
			}
			require.Equal(t, len(want), m.Len())
		}
	}
}

// Jobs of several goroutines, which only AutoOrder orders, fill one map, each with what belongs to
// the map while a job is sealed. The race detector has nothing to report.
func TestJobsOfManyGoroutinesFillAMapInTurns(t *testing.T) {
	lawtest.Watchdog(t)
	m, rounds := New[string, int](), lawtest.Rounds(200)
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			for r := range rounds {
				n := 1 + r%7*10
				parallelfor.For(n, m.ParallelMerger(Add), func(w *ParallelMerger[string, int], i int) { w.Merge("ab"[i%2:], 1) }, parallelfor.AutoOrder())
				h := parallelfor.Schedule(n, m.ParallelWriter(), func(w *ParallelWriter[string, int], i int) { w.Add("ab"[i%2:], -n) }, parallelfor.AutoOrder())
				h.Complete()
			}
		})
	}
	all.Wait()
	want := 0
	for r := range rounds {
		want += 6 * (1 + r%7*10)
	}
	a, _ := m.Load("ab")
	b, _ := m.Load("b")
	require.Equal(t, want, a+b)
}
