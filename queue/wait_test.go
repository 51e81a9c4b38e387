package queue_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/custody/queue"
)

// waiting is a queue for operations that wait.
type waiting struct {
	put   func(ctx context.Context, v int) error
	take  func(ctx context.Context) (int, error)
	close func()
	len   func() int
}

func waitingRing(capacity int) waiting {
	r := queue.NewRing[int](capacity)
	return waiting{r.Enqueue, r.Dequeue, r.Close, r.Len}
}

func waitingQueue(int) waiting {
	q := queue.New[int]()
	return waiting{func(_ context.Context, v int) error {
		if !q.Enqueue(v) {
			return queue.ErrClosed
		}
		return nil
	}, q.Dequeue, q.Close, q.Len}
}

func waitingSPSC(capacity int) waiting {
	q := queue.NewSPSC[int](capacity)
	return waiting{q.Producer().Enqueue, q.Consumer().Dequeue, q.Close, q.Len}
}

// kindOf is a kind of queue for operations that wait, with how many goroutines may be at each end.
// One without a bound has the capacity 0.
type kindOf struct {
	name     string
	fresh    func(capacity int) waiting
	capacity int
	crowd    int
}

// full returns a queue that is full, of the items from 0 on.
func (k *kindOf) full(t testing.TB) waiting {
	t.Helper()
	q := k.fresh(k.capacity)
	for i := range k.capacity {
		require.NoError(t, q.put(ctx, i))
	}
	return q
}

// many is how many goroutines a crowd is that waits at one end.
func (k *kindOf) many() int {
	if k.crowd == 1 {
		return 1
	}
	return 100
}

// waits are all of them.
var waits = []kindOf{
	{"ring of 1", waitingRing, 1, 4}, {"ring of 3", waitingRing, 3, 4}, {"ring of 1000", waitingRing, 1000, 4},
	{"queue", waitingQueue, 0, 4}, {"spsc of 1", waitingSPSC, 1, 1}, {"spsc of 5", waitingSPSC, 5, 1},
}

// pass has producers put items in and consumers take them out, waiting for each other: all of them
// come out, once, and those that one producer put in and one consumer has got are in order.
func (k *kindOf) pass(t *testing.T, each int) {
	t.Helper()
	q := k.fresh(k.capacity)
	var producers, consumers sync.WaitGroup
	for p := range k.crowd {
		producers.Go(func() {
			for i := range each {
				if err := q.put(ctx, p*each+i); err != nil {
					panic(err)
				}
			}
		})
	}
	got := make([][]int, k.crowd)
	for c := range k.crowd {
		consumers.Go(func() {
			for v, err := q.take(ctx); err == nil; v, err = q.take(ctx) {
				got[c] = append(got[c], v)
			}
		})
	}
	producers.Wait()
	q.close()
	consumers.Wait()
	seen := make([]int, k.crowd*each)
	for _, list := range got {
		last := make(map[int]int)
		for _, v := range list {
			seen[v]++
			before, ok := last[v/each]
			require.True(t, !ok || before < v, "%d came before %d", before, v)
			last[v/each] = v
		}
	}
	for v, n := range seen {
		require.Equal(t, 1, n, v)
	}
	require.Zero(t, q.len())
}

func TestNothingIsLostAmongThoseWhoWait(t *testing.T) {
	for _, w := range waits {
		for procs := 1; procs <= 8; procs++ {
			t.Run(fmt.Sprint(w.name, ", GOMAXPROCS ", procs), func(t *testing.T) {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
				w.pass(t, 700)
			})
		}
	}
}

// The number of processors changes meanwhile.
func TestNothingIsLostWhenProcessorsComeAndGo(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, w := range waits {
		t.Run(w.name, func(t *testing.T) {
			var over atomic.Bool
			var changes sync.WaitGroup
			changes.Go(func() {
				for n := 0; !over.Load(); n++ {
					runtime.GOMAXPROCS(1 + n*5%8)
					time.Sleep(50 * time.Microsecond)
				}
			})
			w.pass(t, 2000)
			over.Store(true)
			changes.Wait()
		})
	}
}

func TestCloseWakesAllWhoWait(t *testing.T) {
	for _, w := range waits {
		t.Run(w.name, func(t *testing.T) {
			n := w.many()
			q := w.fresh(w.capacity)
			var all sync.WaitGroup
			var told atomic.Int32
			for range n {
				all.Go(func() {
					if _, err := q.take(ctx); errors.Is(err, queue.ErrClosed) {
						told.Add(1)
					}
				})
			}
			time.Sleep(time.Millisecond)
			q.close()
			all.Wait()
			require.EqualValues(t, n, told.Load())
			require.ErrorIs(t, q.put(ctx, 1), queue.ErrClosed)
			if w.capacity == 0 {
				return
			}
			q = w.full(t)
			told.Store(0)
			for range n {
				all.Go(func() {
					if err := q.put(ctx, 1); errors.Is(err, queue.ErrClosed) {
						told.Add(1)
					}
				})
			}
			time.Sleep(time.Millisecond)
			q.close()
			q.close()
			all.Wait()
			require.EqualValues(t, n, told.Load())
			for i := range w.capacity { // what is left can be taken out
				v, err := q.take(ctx)
				require.NoError(t, err)
				require.Equal(t, i, v)
			}
			_, err := q.take(ctx)
			require.ErrorIs(t, err, queue.ErrClosed)
		})
	}
}

func TestContextsEndWaits(t *testing.T) {
	cause := errors.New("enough")
	for _, w := range waits {
		t.Run(w.name, func(t *testing.T) {
			q := w.fresh(w.capacity)
			ended, end := context.WithCancelCause(ctx)
			end(cause)
			require.ErrorIs(t, q.put(ended, 1), map[bool]error{true: cause}[w.capacity > 0]) // a queue without a bound has no context
			if w.capacity == 0 {
				_, err := q.take(ctx)
				require.NoError(t, err)
			}
			_, err := q.take(ended)
			require.ErrorIs(t, err, cause)
			short, end2 := context.WithTimeoutCause(ctx, time.Millisecond, cause)
			defer end2()
			_, err = q.take(short)
			require.ErrorIs(t, err, cause)
			for i := range w.capacity {
				require.NoError(t, q.put(ctx, i))
			}
			if w.capacity > 0 {
				short, end3 := context.WithTimeoutCause(ctx, time.Millisecond, cause)
				defer end3()
				require.ErrorIs(t, q.put(short, -1), cause)
			}
			require.Equal(t, w.capacity, q.len())
		})
	}
}

// Items and the ends of contexts come at the same time: who is told an error has taken nothing.
func TestNothingIsLostToWhoGivesUp(t *testing.T) {
	for _, w := range waits {
		t.Run(w.name, func(t *testing.T) {
			q := w.fresh(w.capacity)
			const n = 1000
			var takers sync.WaitGroup
			var got atomic.Int64
			for range w.crowd {
				takers.Go(func() {
					for k := 0; ; k++ {
						short, end := context.WithTimeout(ctx, time.Duration(k%50)*time.Microsecond)
						v, err := q.take(short)
						end()
						if err == nil {
							got.Add(int64(v))
						}
						if errors.Is(err, queue.ErrClosed) {
							return
						}
					}
				})
			}
			sum := int64(0)
			for i := range n {
				short, end := context.WithTimeout(ctx, time.Duration(i%50)*time.Microsecond)
				if err := q.put(short, i); err == nil {
					sum += int64(i)
				}
				end()
			}
			q.close()
			takers.Wait()
			require.Equal(t, sum, got.Load())
		})
	}
}
