package groups

import (
	"context"
	"fmt"
	"sync"

	workiva "github.com/Workiva/go-datastructures/queue"
	"github.com/puzpuzpuz/xsync/v4"

	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/rows"
	"example.com/custody/queue"
)

// big is an item of a cache line.
type big struct {
	key int64
	_   [7]int64
}

func queueRows(r *rows.Run) {
	small := func(i int) int64 { return int64(i) }
	large := func(i int) big { return big{key: int64(i)} }
	keyOf := func(v big) int64 { return v.key }
	itself := func(v int64) int64 { return v }
	for _, s := range [][2]int{{4, 4}, {4, 1}, {1, 1}} {
		bounded(r, "int64", s[0], s[1], 0.55, small, itself)
		bounded(r, "64 bytes", s[0], s[1], 1.1, large, keyOf)
	}
	queueBatches(r, "int64", 0.6, 1.2, small, itself)
	queueBatches(r, "items of 64 bytes", 0, 0, large, keyOf)
	roundTrips(r)
	endless(r, "int64", 1, small, itself)
	endless(r, "64 bytes", 0.5, large, keyOf)
	pairs(r, "int64", small, itself)
	pairs(r, "64 bytes", large, keyOf)
	phases(r, "int64", 6, small, itself)
	phases(r, "64 bytes", 3, large, keyOf)
}

const (
	passed = 1 << 16 // items that go through a queue
	bound  = 1024
)

// pipe is how items go in and out; each goroutine makes one of its own.
type pipe[T any] struct {
	put  func(v T)
	take func() T
}

// pass returns a side in which producers put items in and consumers take them out, as many and the
// same.
func pass[T any](name string, producers, consumers int, item func(int) T, key func(T) int64, open func() pipe[T]) measure.Side {
	return measure.Do(name, func() {
		sums := make([]int64, 8*consumers)
		var wg sync.WaitGroup
		p := open()
		for k := range producers {
			wg.Go(func() {
				for i := k; i < passed; i += producers {
					p.put(item(i))
				}
			})
		}
		for k := range consumers {
			wg.Go(func() {
				sum := int64(0)
				for range passed / consumers {
					sum += key(p.take())
				}
				sums[8*k] = sum
			})
		}
		wg.Wait()
		sum := int64(0)
		for _, s := range sums {
			sum += s
		}
		rows.MustBe(name, sum, passed*(passed-1)/2)
	})
}

// bounded compares bounded queues, those that wait with those that wait and all with the fastest
// peer.
func bounded[T any](r *rows.Run, kind string, producers, consumers int, bar float64, item func(int) T, key func(T) int64) {
	ring := queue.NewRing[T](bound)
	ctx := context.Background()
	x := xsync.NewMPMCQueue[T](bound)
	w := workiva.NewRingBuffer(bound)
	l := newLocked[T](bound)
	side := func(name string, open func() pipe[T]) measure.Side {
		return pass(name, producers, consumers, item, key, open)
	}
	sides := []measure.Side{
		side(ours, func() pipe[T] {
			return pipe[T]{func(v T) { _ = ring.Enqueue(ctx, v) }, func() T { v, _ := ring.Dequeue(ctx); return v }}
		}),
		side("ours, tried", func() pipe[T] { return tried(ring.TryEnqueue, ring.TryDequeue) }),
		side("channel", channel[T](bound)),
		side("xsync.MPMCQueue", func() pipe[T] { return tried(x.TryEnqueue, x.TryDequeue) }),
		side("workiva.RingBuffer", func() pipe[T] { return boxing[T](w) }),
		side("ring under a lock", func() pipe[T] { return pipe[T]{l.put, l.take} }),
	}
	peers := []string{"channel", "xsync.MPMCQueue", "workiva.RingBuffer", "ring under a lock"}
	if producers == 1 && consumers == 1 {
		s, xs := queue.NewSPSC[T](bound), xsync.NewSPSCQueue[T](bound)
		p, c := s.Producer(), s.Consumer()
		sides = append(sides, side("ours, SPSC", func() pipe[T] {
			return pipe[T]{func(v T) { _ = p.Enqueue(ctx, v) }, func() T { v, _ := c.Dequeue(ctx); return v }}
		}),
			side("ours, SPSC tried", func() pipe[T] { return tried(p.TryEnqueue, c.TryDequeue) }),
			side("xsync.SPSCQueue", func() pipe[T] { return tried(xs.TryEnqueue, xs.TryDequeue) }))
		peers = append(peers, "xsync.SPSCQueue")
	}
	c := r.Compare(fmt.Sprintf("%d to %d goroutines, %s, room for %d", producers, consumers, kind, bound), passed, nil, sides...)
	best := c.Best(peers...)
	c.AtMostOf(bar, best)
	c.As("ours, tried", "tried", 0, best)
	if producers == 1 && consumers == 1 {
		c.As("ours, SPSC", "SPSC", 0.6, best)
		c.As("ours, SPSC tried", "SPSC, tried", 0, best)
	}
}

// ends are how slices go in, and out as long as they are.
type ends[T any] struct {
	put  func(s []T)
	take func(s []T) []T
}

// inBatches are the ends of what takes as many of a slice as it has room for, gives as many as it
// has, and waits for one.
func inBatches[T any](putAll func(s []T) int, put func(v T), takeInto func(s []T) int, take func() T) ends[T] {
	return ends[T]{func(s []T) {
		for len(s) > 0 {
			if s = s[putAll(s):]; len(s) > 0 {
				put(s[0])
				s = s[1:]
			}
		}
	}, func(s []T) []T {
		for n := 0; n < len(s); {
			if n += takeInto(s[n:]); n < len(s) {
				s[n] = take()
				n++
			}
		}
		return s
	}}
}

// queueBatches compares batches of 64 items with a channel of slices, each of which is made for its
// batch: it is the consumer's then. What a queue has copied may be used again.
func queueBatches[T any](r *rows.Run, kind string, many, one float64, item func(int) T, key func(T) int64) {
	const size = 64
	ctx := context.Background()
	run := func(name string, goroutines int, again bool, e ends[T]) measure.Side {
		return measure.Do(name, func() {
			var wg sync.WaitGroup
			sums := make([]int64, goroutines*8)
			for k := range goroutines {
				wg.Go(func() {
					var s []T
					for at := k * size; at < passed; at += goroutines * size {
						if s == nil || !again {
							s = make([]T, size)
						}
						for i := range s {
							s[i] = item(at + i)
						}
						e.put(s)
					}
				})
				wg.Go(func() {
					sum, s := int64(0), make([]T, size)
					for n := 0; n < passed/goroutines; n += len(s) {
						s = e.take(s[:size:size])
						for _, v := range s {
							sum += key(v)
						}
					}
					sums[8*k] = sum
				})
			}
			wg.Wait()
			sum := int64(0)
			for _, v := range sums {
				sum += v
			}
			rows.MustBe(name, sum, passed*(passed-1)/2)
		})
	}
	ring, spsc := queue.NewRing[T](bound), queue.NewSPSC[T](bound)
	p, o := spsc.Producer(), spsc.Consumer()
	c := make(chan []T, bound/size)
	compare := func(goroutines int, what string, bar float64, e ends[T]) {
		channel := ends[T]{func(s []T) { c <- s }, func([]T) []T { return <-c }}
		s := r.Compare(fmt.Sprintf("%d to %d goroutines, batches of %d %s, room for %d%s", goroutines, goroutines, size, kind, bound, what), passed, nil,
			run(ours, goroutines, true, e), run("channel of slices", goroutines, false, channel))
		s.AtMostOf(bar, "channel of slices")
	}
	compare(4, "", many, inBatches(ring.EnqueueAll, func(v T) { _ = ring.Enqueue(ctx, v) }, ring.DequeueInto, func() T { v, _ := ring.Dequeue(ctx); return v }))
	compare(1, ", SPSC", one, inBatches(p.EnqueueAll, func(v T) { _ = p.Enqueue(ctx, v) }, o.DequeueInto, func() T { v, _ := o.Dequeue(ctx); return v }))
}

// roundTrips compares requests that are answered.
func roundTrips(r *rows.Run) {
	const trips = 1 << 12
	ctx := context.Background()
	run := func(name string, there, back func() pipe[int64]) measure.Side {
		return measure.Do(name, func() {
			a, b := there(), back()
			var wg sync.WaitGroup
			wg.Go(func() {
				for range trips {
					b.put(a.take() + 1)
				}
			})
			for i := range int64(trips) {
				a.put(i)
				rows.MustBe(name, b.take(), i+1)
			}
			wg.Wait()
		})
	}
	rings := [2]*queue.Ring[int64]{queue.NewRing[int64](1), queue.NewRing[int64](1)}
	open := func(k int) func() pipe[int64] {
		return func() pipe[int64] {
			return pipe[int64]{func(v int64) { _ = rings[k].Enqueue(ctx, v) }, func() int64 { v, _ := rings[k].Dequeue(ctx); return v }}
		}
	}
	c := r.Compare("a request and its answer", trips, nil, run(ours, open(0), open(1)), run("channel", channel[int64](1), channel[int64](1)))
	c.AtMostOf(1.2, "channel")
}

// pairs compares one goroutine that puts an item in and takes it out.
func pairs[T any](r *rows.Run, kind string, item func(int) T, key func(T) int64) {
	run := func(name string, put func(T) bool, take func() (T, bool)) measure.Side {
		return measure.Do(name, func() {
			for i := range 1000 {
				put(item(i))
				v, _ := take()
				rows.MustBe(name, key(v), int64(i))
			}
		})
	}
	const limit = "ring of one goroutine"
	piped := func(name string, p pipe[T]) measure.Side {
		return run(name, func(v T) bool { p.put(v); return true }, func() (T, bool) { return p.take(), true })
	}
	s, x := queue.NewSPSC[T](bound), xsync.NewSPSCQueue[T](bound)
	ring, xr := queue.NewRing[T](bound), xsync.NewMPMCQueue[T](bound)
	q, own := queue.New[T](), &private[T]{items: make([]T, bound)}
	w, l := workiva.NewRingBuffer(bound), newLocked[T](bound)
	sides := []measure.Side{
		run(ours, s.Producer().TryEnqueue, s.Consumer().TryDequeue), run(limit, own.put, own.take), run("xsync.SPSCQueue", x.TryEnqueue, x.TryDequeue),
		run("ours, Ring", ring.TryEnqueue, ring.TryDequeue), run("xsync.MPMCQueue", xr.TryEnqueue, xr.TryDequeue),
		piped("channel", channel[T](bound)()), piped("workiva.RingBuffer", boxing[T](w)), piped("ring under a lock", pipe[T]{l.put, l.take}),
		run("ours, Queue", func(v T) bool { q.Enqueue(v); return true }, q.TryDequeue),
	}
	all, end := unbound[T]()
	defer end()
	var peers []string
	for _, p := range all {
		sides = append(sides, piped(p.name, p.pipe))
		peers = append(peers, p.name)
	}
	c := r.Compare("one goroutine puts an item in and takes it out, "+kind, 1000, []string{limit}, sides...)
	bar := 1.0
	if kind != "int64" {
		bar = 0
	}
	c.AtMostOf(bar, "xsync.SPSCQueue")
	c.As("ours, Ring", "Ring", 0, c.Best("xsync.MPMCQueue", "channel", "workiva.RingBuffer", "ring under a lock"))
	c.As("ours, Queue", "Queue", 0, c.Best(peers...))
}
