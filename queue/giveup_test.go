package queue_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/queue"
	"example.com/custody/safety"
)

// answer is what an operation that waits has returned.
type answer struct {
	v   int
	err error
}

// later does an operation on a goroutine of its own.
func later(do func() (int, error)) <-chan answer {
	c := make(chan answer, 1)
	go func() {
		v, err := do()
		c <- answer{v, err}
	}()
	return c
}

// atOnce does two things at the same time, or nearly, the one or the other first; before that it
// lets others come to where they wait, or not.
func atOnce(r *rand.Rand, one, two func()) {
	for range r.IntN(6) {
		runtime.Gosched()
	}
	switch r.IntN(4) {
	case 0:
		one()
		two()
	case 1:
		two()
		one()
	default:
		var both sync.WaitGroup
		both.Go(one)
		two()
		both.Wait()
	}
}

// A call that waits for an item is given one and its context ends, at the same moment: it has the
// item, or the queue has.
func TestAnItemComesWhenAContextEnds(t *testing.T) {
	r := lawtest.Rand(t)
	for _, w := range waits {
		t.Run(w.name, func(t *testing.T) {
			q := w.fresh(w.capacity)
			count := map[bool]int{}
			for i := range lawtest.Rounds(2000) {
				ending, end := context.WithCancel(ctx)
				waits := later(func() (int, error) { return q.take(ending) })
				atOnce(r, func() { assert.NoError(t, q.put(ctx, i)) }, end)
				a := <-waits
				if count[a.err == nil]++; a.err != nil {
					require.ErrorIs(t, a.err, context.Canceled)
					require.Equal(t, 1, q.len())
					a.v, _ = q.take(ctx)
				}
				require.Equal(t, i, a.v)
				require.Zero(t, q.len())
			}
			t.Log(count[true], "got the item,", count[false], "did not")
		})
	}
}

// A call that waits for room is given some and its context ends, at the same moment: its item is in
// the queue, or it is told that it is not.
func TestRoomComesWhenAContextEnds(t *testing.T) {
	r := lawtest.Rand(t)
	for _, w := range waits {
		if w.capacity == 0 || w.capacity > 10 {
			continue
		}
		t.Run(w.name, func(t *testing.T) {
			q, next := w.full(t), w.capacity
			first := 0
			for range lawtest.Rounds(2000) {
				ending, end := context.WithCancel(ctx)
				waits := later(func() (int, error) { return 0, q.put(ending, next) })
				taken := -1
				atOnce(r, func() { taken, _ = q.take(ctx) }, end)
				if a := <-waits; a.err != nil {
					require.ErrorIs(t, a.err, context.Canceled)
					require.Equal(t, w.capacity-1, q.len())
					require.NoError(t, q.put(ctx, next))
				}
				require.Equal(t, first, taken)
				require.Equal(t, w.capacity, q.len())
				first, next = first+1, next+1
			}
		})
	}
}

// Two wait for an item, and one comes when the context of one of them ends: when that one has not
// got it the other one has, which is not called again.
func TestTheCallForWhoGivesUpIsPassedOn(t *testing.T) {
	r := lawtest.Rand(t)
	patient := lawtest.Patient(t)
	for _, w := range waits {
		if w.crowd == 1 {
			continue
		}
		t.Run(w.name, func(t *testing.T) {
			q := w.fresh(w.capacity)
			for i := range lawtest.Rounds(1000) {
				ending, end := context.WithCancel(ctx)
				one := later(func() (int, error) { return q.take(ending) })
				for range r.IntN(3) { // who is started last often comes first
					runtime.Gosched()
				}
				other := later(func() (int, error) { return q.take(patient) })
				atOnce(r, func() { assert.NoError(t, q.put(ctx, 2*i)) }, end)
				a := <-one
				if a.err == nil {
					require.NoError(t, q.put(ctx, 2*i+1))
				}
				b := <-other
				require.NoError(t, b.err, "it was not called")
				if a.err == nil {
					require.ElementsMatch(t, []int{2 * i, 2*i + 1}, []int{a.v, b.v})
				} else {
					require.Equal(t, 2*i, b.v)
				}
				require.Zero(t, q.len())
			}
		})
	}
}

// A queue is closed while many wait for its items and some come: each of those that wait gets an
// item or ErrClosed, and what none got is still there.
func TestItemsComeWhenAQueueIsClosed(t *testing.T) {
	r := lawtest.Rand(t)
	for _, w := range waits {
		t.Run(w.name, func(t *testing.T) {
			for range lawtest.Rounds(40) {
				q := w.fresh(w.capacity)
				var takers []<-chan answer
				for range w.many() {
					takers = append(takers, later(func() (int, error) { return q.take(ctx) }))
				}
				accepted := 0
				atOnce(r, func() {
					for accepted < (w.many()+1)/2 && q.put(ctx, 1) == nil {
						accepted++
					}
				}, q.close)
				in := accepted
				for _, c := range takers {
					if a := <-c; a.err == nil {
						in--
					} else {
						require.ErrorIs(t, a.err, queue.ErrClosed)
					}
				}
				require.Equal(t, in, q.len())
				for range in {
					_, err := q.take(ctx)
					require.NoError(t, err)
				}
			}
		})
	}
}

// A queue is closed while many wait for room and there comes some: each of those that wait has put
// its item in or gets ErrClosed, and all that are in can be taken out.
func TestRoomComesWhenAQueueIsClosed(t *testing.T) {
	r := lawtest.Rand(t)
	for _, w := range waits {
		if w.capacity == 0 {
			continue
		}
		t.Run(w.name, func(t *testing.T) {
			for range lawtest.Rounds(40) {
				q := w.full(t)
				var givers []<-chan answer
				for range w.many() {
					givers = append(givers, later(func() (int, error) { return 0, q.put(ctx, 1) }))
				}
				taken := 0
				atOnce(r, func() {
					for range min(20, w.capacity) {
						if _, err := q.take(ctx); err != nil {
							break
						}
						taken++
					}
				}, q.close)
				in := w.capacity
				for _, c := range givers {
					if a := <-c; a.err == nil {
						in++
					} else {
						require.ErrorIs(t, a.err, queue.ErrClosed)
					}
				}
				require.Equal(t, in-taken, q.len())
				for range in - taken {
					_, err := q.take(ctx)
					require.NoError(t, err)
				}
				_, err := q.take(ctx)
				require.ErrorIs(t, err, queue.ErrClosed)
			}
		})
	}
}

// A call that waits when a queue is disposed of gets ErrClosed, or, when it came later, the
// violation.
func TestDisposeWakesAllWhoWait(t *testing.T) {
	lawtest.CheckedOnly(t)
	told := func(c <-chan answer) {
		a := <-c
		require.True(t, errors.Is(a.err, queue.ErrClosed) || errors.Is(a.err, safety.ErrDisposed), a.err)
	}
	for range lawtest.Rounds(20) {
		q, empty, full, s := queue.New[int](), queue.NewRing[int](1), queue.NewRing[int](1), queue.NewSPSC[int](1)
		full.TryEnqueue(1)
		s.Producer().TryEnqueue(1)
		var all []<-chan answer
		wait := func(do func() (int, error)) {
			all = append(all, later(func() (v int, err error) {
				return 0, lawtest.Failure(func() error { _, err := do(); return err })
			}))
		}
		for range 10 {
			wait(func() (int, error) { return q.Dequeue(ctx) })
			wait(func() (int, error) { return empty.Dequeue(ctx) })
			wait(func() (int, error) { return 0, full.Enqueue(ctx, 2) })
		}
		p := s.Producer()
		wait(func() (int, error) { return 0, p.Enqueue(ctx, 2) })
		time.Sleep(time.Millisecond)
		for _, dispose := range []func(){q.Dispose, empty.Dispose, full.Dispose, s.Dispose} {
			dispose()
		}
		for _, c := range all {
			told(c)
		}
	}
}

// A body of a range over the items may end in any way, and use the queue: the queue is as usable
// afterwards.
func TestBodiesOverAllItemsMayEndInAnyWay(t *testing.T) {
	patient := lawtest.Patient(t)
	r, q := queue.NewRing[int](8), queue.New[int]()
	type subject struct {
		put  func(int) bool
		take func(context.Context) (int, error)
		peek func() (int, bool)
		all  func(func(int) bool)
		len  func() int
	}
	for _, s := range []subject{
		{r.TryEnqueue, r.Dequeue, r.Peek, func(yield func(int) bool) { r.All()(yield) }, r.Len},
		{q.Enqueue, q.Dequeue, q.Peek, func(yield func(int) bool) { q.All()(yield) }, q.Len},
	} {
		for _, leave := range []func(){func() { panic("body") }, runtime.Goexit, func() {}} {
			for i := range 3 {
				require.True(t, s.put(i))
			}
			var seen []int
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				defer func() { _ = recover() }()
				for v := range s.all {
					if seen = append(seen, v); v == 1 {
						leave()
						return
					}
				}
			}()
			<-ended
			require.Equal(t, []int{0, 1}, seen)
			for v := range s.all { // the range is over what was there when it began
				require.True(t, s.put(v+3))
				got, err := s.take(patient)
				require.NoError(t, err)
				require.Equal(t, v, got)
				first, ok := s.peek()
				require.True(t, ok && first == v+1)
				for range s.all {
					require.Equal(t, 3, s.len())
				}
			}
			for i := range 3 {
				v, err := s.take(patient)
				require.NoError(t, err)
				require.Equal(t, i+3, v)
			}
		}
	}
}
