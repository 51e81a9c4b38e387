package queue_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/fuzz"
	"example.com/custody/parallelfor"
	"example.com/custody/queue"
	"example.com/custody/safety"
)

// turned returns a ring of n items 0, 1, ... that begin somewhere in the middle of its places.
func turned(n, capacity, from int) *queue.Ring[int] {
	r := queue.NewRing[int](capacity)
	for range from {
		r.TryEnqueue(0)
		r.TryDequeue()
	}
	for i := range n {
		r.TryEnqueue(i)
	}
	return r
}

func TestPositionsOfARing(t *testing.T) {
	for _, c := range []struct{ n, capacity, from int }{{0, 1, 0}, {1, 1, 3}, {5, 8, 6}, {8, 8, 3}, {100, 130, 77}, {1000, 1000, 999}} {
		r := turned(c.n, c.capacity, c.from)
		for _, workers := range []int{1, 3} {
			stop := fuzz.HandOut(uint64(workers))
			parallelfor.For(c.n, r.Writer(), func(w *queue.Writer[int], i int) { w.Set(i, 2*w.At(i)+1) }, parallelfor.Batch(3), parallelfor.Workers(workers))
			parallelfor.ForBatch(c.n, r.Writer(), func(w *queue.Writer[int], begin, end int) {
				seen := begin
				for at, s := range w.Slices() {
					require.Equal(t, seen, at)
					for k := range s {
						s[k]--
					}
					seen += len(s)
				}
				require.Equal(t, end, seen)
				for i, v := range w.All() {
					*w.Ptr(i) = v / 2
				}
			}, parallelfor.Batch(7), parallelfor.Workers(workers))
			parallelfor.For(c.n, r.Reader(), func(v *queue.Reader[int], i int) {
				if v.At(i) != i || v.At(c.n-1-i) != c.n-1-i || v.Len() != c.n {
					panic("wrong")
				}
			}, parallelfor.Workers(workers))
			stop()
		}
		require.Equal(t, c.n, r.Len())
		for i := range c.n {
			v, ok := r.TryDequeue()
			require.True(t, ok)
			require.Equal(t, i, v)
		}
	}
}

// odds enqueues i for each odd i, and twice for each i that 5 divides.
type odds struct{ Out queue.ParallelWriter[int] }

func (j *odds) Execute(i int) {
	if i%2 == 1 {
		j.Out.Enqueue(i)
	}
	if i%5 == 0 {
		j.Out.EnqueueAll([]int{i, -i})
	}
}

func TestAJobAddsInTheOrderOfTheSequentialLoop(t *testing.T) {
	lengths := []int{0, 1, 2, 100, 5000, 200_000}
	if safety.Strict { // and slow
		lengths = lengths[:4]
	}
	for _, n := range lengths {
		var want []int
		for i := range n {
			if i%2 == 1 {
				want = append(want, i)
			}
			if i%5 == 0 {
				want = append(want, i, -i)
			}
		}
		for workers := 1; workers <= 4; workers++ {
			for _, batch := range []int{0, 1, 7, 1000} {
				if batch == 1 && n > 5000 {
					continue
				}
				q := queue.New[int]()
				q.Enqueue(-1)
				q.Enqueue(-2)
				q.TryDequeue()
				stop := fuzz.HandOut(uint64(workers))
				parallelfor.For(n, odds{q.ParallelWriter()}, (*odds).Execute, parallelfor.Batch(batch), parallelfor.Workers(workers))
				q.Enqueue(-3)
				parallelfor.For(n, odds{q.ParallelWriter()}, (*odds).Execute, parallelfor.Batch(batch), parallelfor.Workers(workers))
				stop()
				q.Enqueue(-4)
				all := append(append(append(append([]int{-2}, want...), -3), want...), -4)
				require.Equal(t, len(all), q.Len())
				if n <= 5000 {
					require.Equal(t, all, slices.Collect(q.All()))
				}
				parallelfor.For(len(all), q.Writer(), func(w *queue.Writer[int], i int) { w.Set(i, w.At(i)+1) }, parallelfor.Workers(workers))
				parallelfor.ForBatch(-1, q.Reader(), func(r *queue.Reader[int], begin, end int) {
					for i := begin; i < end; i++ {
						if r.At(i) != all[i]+1 {
							panic(i)
						}
					}
				}, parallelfor.Workers(workers), parallelfor.LengthOf(q.Reader()))
				buf := make([]int, 300)
				got := make([]int, 0, len(all))
				for k := q.DequeueInto(buf); k > 0; k = q.DequeueInto(buf) {
					got = append(got, buf[:k]...)
				}
				for i, v := range all {
					if got[i] != v+1 {
						require.Equal(t, v+1, got[i], i)
					}
				}
				require.Len(t, got, len(all))
				require.Zero(t, q.Len())
			}
		}
	}
}
