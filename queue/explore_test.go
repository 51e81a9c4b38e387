//go:build custody_explore

package queue

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"example.com/custody/internal/explore"
	"example.com/custody/internal/lawtest"
	"example.com/custody/internal/sched"
	"example.com/custody/safety"
)

// plays are for every queue that is bounded.
var plays = []play{
	{name: "two producers, one consumer", capacity: 2, tasks: [][]doing{{put, put}, {put}, {take, take}}},
	{name: "one producer, two consumers", capacity: 2, filled: 1, tasks: [][]doing{{put, put}, {take}, {take, take}}},
	{name: "capacity 1", capacity: 1, tasks: [][]doing{{put, take}, {put, take}, {take, put}}},
	{name: "wrap-around", capacity: 3, laps: 1, filled: 2, tasks: [][]doing{{put, put}, {take, take}, {put, take}}},
	{name: "full", capacity: 2, filled: 2, tasks: [][]doing{{take, put}, {put, take}, {put}}},
	{name: "Len beside both", capacity: 2, filled: 1, tasks: [][]doing{{count}, {put, put}, {take, take}}},
	{name: "Len of one place", capacity: 1, laps: 1, tasks: [][]doing{{count, count}, {put, take}, {put, take}}},
	{name: "batches", capacity: 3, tasks: [][]doing{{putTwo, put}, {takeTwo}, {take, putTwo}}},
	{name: "batches beside items", capacity: 3, laps: 1, filled: 1, tasks: [][]doing{{putTwo}, {take, put}, {takeTwo, take}}},
	{name: "a batch and who takes its front", capacity: 2, filled: 1, tasks: [][]doing{{take, putTwo}, {take, take}, {takeTwo}}},
	{name: "batches of a full ring", capacity: 2, filled: 2, tasks: [][]doing{{takeTwo, putTwo}, {put, take}, {putTwo}}},
	{name: "batches, capacity 1", capacity: 1, tasks: [][]doing{{putTwo, takeTwo}, {take, put}, {putTwo}}},
	{name: "Peek", capacity: 2, filled: 1, tasks: [][]doing{{peek, peek}, {take, put}, {take, put}}},
	{name: "Peek, capacity 1", capacity: 1, laps: 1, filled: 1, tasks: [][]doing{{peek}, {take, put}, {peek, take}}},
	{name: "Peek of a batch", capacity: 3, tasks: [][]doing{{peek, peek}, {putTwo, takeTwo}, {take}}},
	{name: "Close beside both", capacity: 2, filled: 1, tasks: [][]doing{{finish, put}, {put, put}, {take, take}}},
	{name: "Close of a full one", capacity: 1, filled: 1, tasks: [][]doing{{finish}, {put, putTwo}, {take, take}}},
	{name: "waiting for items", capacity: 2, tasks: [][]doing{{takeW}, {takeW}, {put, put}}},
	{name: "waiting for items of a batch", capacity: 2, tasks: [][]doing{{takeW}, {takeW}, {putTwo}}},
	{name: "waiting for room", capacity: 1, filled: 1, tasks: [][]doing{{putW}, {putW}, {takeW, takeW, takeW}}},
	{name: "waiting for room that a batch makes", capacity: 2, filled: 2, tasks: [][]doing{{putW}, {putW}, {takeTwo}}},
	{name: "both wait", capacity: 1, tasks: [][]doing{{putW, putW, putW}, {takeW}, {takeW, takeW}}},
	{name: "waiting beside who does not", capacity: 1, tasks: [][]doing{{takeW}, {take, putW}, {putW}}},
	{name: "closed while they wait for items", capacity: 1, tasks: [][]doing{{takeW}, {takeW}, {putW, finish}}},
	{name: "closed while they wait for room", capacity: 1, filled: 1, tasks: [][]doing{{putW}, {putW}, {take, finish}}},
	{name: "cancelled", capacity: 1, tasks: [][]doing{{takeC}, {cancel(0)}, {put}}},
	{name: "a call for who is cancelled", capacity: 1, tasks: [][]doing{{takeC}, {takeW}, {cancel(0), putW}}},
	{name: "a call for room for who is cancelled", capacity: 1, filled: 1, tasks: [][]doing{{putC}, {putW}, {cancel(0), takeW}}},
	{name: "cancelled when there is an item", capacity: 1, filled: 1, tasks: [][]doing{{takeC}, {cancel(0), takeW}, {putW}}},
}

// Every schedule of a few operations is linearizable, no goroutine sleeps beside what it waits for,
// and nothing is lost.
func TestExploreRing(t *testing.T) {
	for _, s := range plays {
		t.Run(s.name, func(t *testing.T) {
			explore.Run(t, explore.Options{}, s.program(func(capacity int, laps uint64) subject {
				r := NewRing[int](capacity)
				r.start(laps)
				return r
			}), searching(4000)...)
		})
	}
}

// unbounded is a Queue as the plays use it.
type unbounded struct{ *Queue[int] }

func (q unbounded) TryEnqueue(v int) bool { return q.Queue.Enqueue(v) }

func (q unbounded) Enqueue(_ context.Context, v int) error {
	if !q.Queue.Enqueue(v) {
		return ErrClosed
	}
	return nil
}

// endless are for queues without a bound, whose segments have one place or two.
var endless = []play{
	{name: "two producers, one consumer", tasks: [][]doing{{put, put}, {put}, {take, take}}},
	{name: "one producer, two consumers", filled: 1, tasks: [][]doing{{put, put}, {take}, {take, take}}},
	{name: "both do both", tasks: [][]doing{{put, take}, {put, take}, {take, put}}},
	{name: "Len beside both", filled: 2, tasks: [][]doing{{count, count}, {put, put}, {take, take}}},
	{name: "batches", tasks: [][]doing{{putTwo, put}, {takeTwo}, {take, putTwo}}},
	{name: "batches beside items", filled: 1, tasks: [][]doing{{putTwo}, {take, put}, {takeTwo, take}}},
	{name: "Peek", filled: 1, tasks: [][]doing{{peek, peek}, {take, put}, {take, put}}},
	{name: "Peek of a batch", tasks: [][]doing{{peek, peek}, {putTwo, takeTwo}, {take}}},
	{name: "Close beside both", filled: 1, tasks: [][]doing{{finish, put}, {put, put}, {take, take}}},
	{name: "Close beside batches", filled: 1, tasks: [][]doing{{finish, put}, {putTwo}, {takeTwo, take}}},
	{name: "refused, and then empty", tasks: [][]doing{{finish}, {put, take}, {put}}},
	{name: "closed twice", tasks: [][]doing{{finish, take}, {finish, put}, {put, take}}},
	{name: "waiting", tasks: [][]doing{{takeW}, {takeW}, {put, put}}},
	{name: "waiting for a batch", tasks: [][]doing{{takeW}, {takeW}, {putTwo}}},
	{name: "waiting beside who does not", tasks: [][]doing{{takeW}, {take, put}, {put}}},
	{name: "closed while they wait", tasks: [][]doing{{takeW}, {takeW}, {put, finish}}},
	{name: "a call for who is cancelled", tasks: [][]doing{{takeC}, {takeW}, {cancel(0), put}}},
	{name: "cancelled when there is an item", filled: 1, tasks: [][]doing{{takeC}, {cancel(0), takeW}, {put}}},
}

func TestExploreQueue(t *testing.T) {
	for _, s := range endless {
		for size := 1; size <= 2; size++ {
			t.Run(fmt.Sprint(s.name, ", segments of ", size), func(t *testing.T) {
				explore.Run(t, explore.Options{}, s.program(func(int, uint64) subject {
					q := newQueue[int](size, size)
					q.guard.Init(q, 0)
					return unbounded{q}
				}), searching(2000)...)
			})
		}
	}
}

// ends is an SPSC as the plays use it.
type ends struct {
	*Producer[int]
	*Consumer[int]
	q *SPSC[int]
}

func (e ends) Len() int { return e.q.Len() }
func (e ends) Close()   { e.q.Close() }

// putWindow is EnqueueAll by a window.
func (e ends) putWindow(vs []int) int {
	w := e.Reserve(len(vs))
	for i := range w.Len() {
		*w.Ptr(i) = vs[i]
	}
	if !e.Commit(w.Len()) {
		return 0
	}
	return w.Len()
}

// takeWindow is DequeueInto by a window.
func (e ends) takeWindow(vs []int) []int {
	w := e.Look(len(vs))
	for i := range w.Len() {
		vs[i] = *w.Ptr(i)
	}
	e.Release(w.Len())
	return vs[:w.Len()]
}

// paired are for queues with one producer and one consumer.
var paired = []play{
	{name: "items", capacity: 2, tasks: [][]doing{{put, put, put}, {take, take, take}}},
	{name: "capacity 1", capacity: 1, laps: 1, tasks: [][]doing{{put, put, put}, {take, take, take}, {count, count}}},
	{name: "batches", capacity: 3, laps: 1, filled: 1, tasks: [][]doing{{putTwo, putTwo}, {takeTwo, take, takeTwo}, {count}}},
	{name: "Peek", capacity: 2, filled: 1, tasks: [][]doing{{put, put}, {peek, take, peek, take}}},
	{name: "Close", capacity: 2, laps: 1, filled: 1, tasks: [][]doing{{put, put}, {take, take, takeW}, {finish}}},
	{name: "Close beside a batch", capacity: 2, tasks: [][]doing{{putTwo, put}, {takeTwo, takeW}, {finish, count}}},
	{name: "both wait", capacity: 1, tasks: [][]doing{{putW, putW, putW}, {takeW, takeW, takeW}}},
	{name: "waiting for room, closed", capacity: 1, filled: 1, tasks: [][]doing{{putW, putW}, {take}, {finish}}},
	{name: "cancelled", capacity: 1, tasks: [][]doing{{put}, {takeC}, {cancel(1)}}},
	{name: "cancelled, and then waits again", capacity: 2, tasks: [][]doing{{put, put}, {takeC, takeW}, {cancel(1)}}},
	{name: "cancelled while waiting for room", capacity: 1, filled: 1, tasks: [][]doing{{putC}, {take}, {cancel(0)}}},
}

func TestExploreSPSC(t *testing.T) {
	for _, s := range paired {
		t.Run(s.name, func(t *testing.T) {
			explore.Run(t, explore.Options{}, s.program(func(capacity int, laps uint64) subject {
				q := NewSPSC[int](capacity)
				q.start(laps)
				return ends{&q.producer, &q.consumer, q}
			}), append(searching(3000), explore.Exhaustive(2, 60_000))...)
		})
	}
}

// start makes positions begin the given number of laps before they wrap around.
func (q *SPSC[T]) start(laps uint64) { q.startAt(-laps * q.producer.ahead) }

// startAt makes positions begin at the given one, the start of a lap.
func (q *SPSC[T]) startAt(at uint64) {
	q.tail.Store(at)
	q.head.Store(at)
	for _, e := range []*cursor{&q.producer.cursor, &q.consumer.cursor} {
		e.mine, e.near, e.limit = at, at, at+e.ahead
	}
}

// start makes positions begin the given number of laps before they wrap around.
func (r *Ring[T]) start(laps uint64) { r.startAt(-laps << r.lap) }

// startAt makes positions begin at the given one, the start of a lap.
func (r *Ring[T]) startAt(at uint64) {
	r.head.Store(at)
	r.tail.Store(at)
	for k := range r.slots {
		r.slots[k].stamp.Store(r.free(at))
	}
}

// Two producers at the same time, and two consumers, are found when both publish, in every schedule
// in which one moves between the other's look and its publishing.
func TestExploreTwoAtOneEnd(t *testing.T) {
	for _, consumers := range []bool{false, true} {
		t.Run(fmt.Sprint("consumers ", consumers), func(t *testing.T) {
			if sched.Race {
				t.Skip("it is a race")
			}
			met := 0
			explore.Run(t, explore.Options{}, func(p *explore.Program) {
				q := NewSPSC[int](4)
				q.producer.EnqueueAll([]int{1, 2})
				var wrong [2]error
				var moved [2]bool
				for i := range wrong {
					p.Go(fmt.Sprint("task ", i), func() {
						wrong[i] = lawtest.Failure(func() error {
							if consumers {
								_, moved[i] = q.consumer.TryDequeue()
							} else {
								moved[i] = q.producer.TryEnqueue(3)
							}
							return nil
						})
					})
				}
				p.Judge(func() error {
					n := 0
					for i, err := range wrong {
						switch {
						case errors.Is(err, safety.ErrConflict):
							met++
						case err != nil || !moved[i]:
							return fmt.Errorf("task %d: %v, %v", i, moved[i], err)
						default:
							n++
						}
					}
					left := 2 + n
					if consumers {
						left = 2 - n
					}
					if n == 0 || q.Len() != left {
						return fmt.Errorf("%d were moved, and %d are there", n, q.Len())
					}
					return nil
				})
			}, explore.Exhaustive(2, 1000))
			if met == 0 {
				t.Error("they never met")
			}
		})
	}
}

// Positions, and what is made of them, wrap around at 2^64, and nothing happens at 2^32; also where
// a lap is long.
func TestExploreNoneAtTheEndsOfWords(t *testing.T) {
	lawtest.Watchdog(t)
	const capacity = 1 << 14
	goesOn := func(name string, put func(int) bool, take func() (int, bool), length func() int) {
		for v := range 3 * capacity {
			if !put(v) || !put(-v) || length() != 2 {
				t.Fatal(name, "is full, or has", length(), "at", v)
			}
			first, _ := take()
			second, _ := take()
			if first != v || second != -v || length() != 0 {
				t.Fatal(name, "has", first, second, "at", v)
			}
		}
	}
	for _, word := range []uint64{0, 1 << 32} {
		r := NewRing[int](capacity)
		r.startAt(word - 1<<r.lap)
		goesOn("Ring", r.TryEnqueue, r.TryDequeue, r.Len)

		s := NewSPSC[int](capacity)
		s.startAt(word - capacity*spscUnit)
		goesOn("SPSC", s.producer.TryEnqueue, s.consumer.TryDequeue, s.Len)

		q := newQueue[int](8, 8)
		q.guard.Init(q, 0)
		q.head.Load().base = word - capacity
		goesOn("Queue", q.Enqueue, q.TryDequeue, func() int {
			n := 0
			for range q.All() {
				n++
			}
			if n != q.Len() {
				t.Fatal(n, "items of", q.Len())
			}
			return n
		})
	}
}
