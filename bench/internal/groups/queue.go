package groups

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/puzpuzpuz/xsync/v4"

	"example.com/custody/bench/internal/measure"
	"example.com/custody/parallelfor"
	"example.com/custody/queue"
)

// big is an item of a cache line.
type big struct{ key, b, c, d, e, f, g, h int64 }

func queueRows(r *Run) {
	small := func(i int) int64 { return int64(i) }
	large := func(i int) big { return big{key: int64(i)} }
	keyOf := func(v big) int64 { return v.key }
	itself := func(v int64) int64 { return v }
	for _, s := range [][2]int{{4, 4}, {4, 1}, {1, 1}} {
		bounded(r, "int64", s[0], s[1], 0.55, small, itself)
		bounded(r, "64 bytes", s[0], s[1], 1.1, large, keyOf)
	}
	queueBatches(r)
	roundTrips(r)
	endless(r, "int64", 1, small, itself)
	endless(r, "64 bytes", 0.5, large, keyOf)
	pairs(r)
	phases(r, "int64", 6, small, itself)
	phases(r, "64 bytes", 3, large, keyOf)
}

const (
	passed   = 1 << 16 // items that go through a queue
	bound    = 1024
	inPhases = 1 << 20
)

// pipe is how items go in and out; each goroutine makes one of its own.
type pipe[T any] struct {
	put  func(v T)
	take func() T
}

// pass returns a side in which producers put items in and consumers take them out, as many and the same.
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
		mustBe(name, sum, passed*(passed-1)/2)
	})
}

// tried is a pipe of operations that do not wait: others are let run meanwhile.
func tried[T any](put func(T) bool, take func() (T, bool)) pipe[T] {
	return pipe[T]{
		func(v T) {
			for !put(v) {
				runtime.Gosched()
			}
		},
		func() T {
			for {
				if v, ok := take(); ok {
					return v
				}
				runtime.Gosched()
			}
		},
	}
}

// channel is a pipe that is a channel.
func channel[T any](n int) func() pipe[T] {
	c := make(chan T, n)
	return func() pipe[T] { return pipe[T]{func(v T) { c <- v }, func() T { return <-c }} }
}

// locked is a ring under a lock, as one writes it by hand.
type locked[T any] struct {
	mu          sync.Mutex
	room, there sync.Cond
	items       []T
	head, n     int
}

func newLocked[T any](n int) *locked[T] {
	l := &locked[T]{items: make([]T, n)}
	l.room.L, l.there.L = &l.mu, &l.mu
	return l
}

func (l *locked[T]) put(v T) {
	l.mu.Lock()
	for l.n == len(l.items) {
		l.room.Wait()
	}
	l.items[(l.head+l.n)%len(l.items)] = v
	l.n++
	l.there.Signal()
	l.mu.Unlock()
}

func (l *locked[T]) take() T {
	l.mu.Lock()
	for l.n == 0 {
		l.there.Wait()
	}
	v := l.items[l.head]
	l.head = (l.head + 1) % len(l.items)
	l.n--
	l.room.Signal()
	l.mu.Unlock()
	return v
}

// bounded compares bounded queues, those that wait with those that wait and all with the fastest peer.
func bounded[T any](r *Run, kind string, producers, consumers int, bar float64, item func(int) T, key func(T) int64) {
	ring := queue.NewRing[T](bound)
	ctx := context.Background()
	x := xsync.NewMPMCQueue[T](bound)
	l := newLocked[T](bound)
	side := func(name string, open func() pipe[T]) measure.Side {
		return pass(name, producers, consumers, item, key, open)
	}
	sides := []measure.Side{
		side(ours, func() pipe[T] { return tried(ring.TryEnqueue, ring.TryDequeue) }),
		side("ours, waiting", func() pipe[T] {
			return pipe[T]{func(v T) { _ = ring.Enqueue(ctx, v) }, func() T { v, _ := ring.Dequeue(ctx); return v }}
		}),
		side("channel", channel[T](bound)),
		side("xsync.MPMCQueue", func() pipe[T] { return tried(x.TryEnqueue, x.TryDequeue) }),
		side("ring under a lock", func() pipe[T] { return pipe[T]{l.put, l.take} }),
	}
	peers := []string{"channel", "xsync.MPMCQueue", "ring under a lock"}
	if producers == 1 && consumers == 1 {
		s, xs := queue.NewSPSC[T](bound), xsync.NewSPSCQueue[T](bound)
		sides = append(sides, side("ours, SPSC", func() pipe[T] { return tried(s.Producer().TryEnqueue, s.Consumer().TryDequeue) }),
			side("xsync.SPSCQueue", func() pipe[T] { return tried(xs.TryEnqueue, xs.TryDequeue) }))
		peers = append(peers, "xsync.SPSCQueue")
	}
	c := r.compare(fmt.Sprintf("%d to %d goroutines, %s, room for %d", producers, consumers, kind, bound), passed, nil, sides...)
	best := c.Best(peers...)
	c.atMostOf(bar, best)
	c.as("ours, waiting", "waiting", 0, best)
	if producers == 1 && consumers == 1 {
		c.as("ours, SPSC", "SPSC", 0.6, best)
	}
}

// as adds the row that another side of ours takes at most bar times as long as a peer.
func (c *comparison) as(side, what string, bar float64, peer string) {
	row := c.row()
	row.Work += ", " + what
	row.Ours = c.Time(side).Median
	row.Peer, row.PeerTime = peer, c.Time(peer).Median
	row.Ratio, row.Bar, row.Info = c.Ratio(side, peer), bar, bar == 0
	c.run.Rows = append(c.run.Rows, row)
}

// queueBatches compares batches of 64 items with a channel of slices.
func queueBatches(r *Run) {
	const size = 64
	run := func(name string, open func() (put func(s []int64), take func(s []int64) []int64)) measure.Side {
		return measure.Do(name, func() {
			put, take := open()
			var wg sync.WaitGroup
			sums := make([]int64, 4*8)
			for k := range 4 {
				wg.Go(func() {
					for at := k * size; at < passed; at += 4 * size {
						s := make([]int64, size)
						for i := range s {
							s[i] = int64(at + i)
						}
						put(s)
					}
				})
				wg.Go(func() {
					sum, s := int64(0), make([]int64, size)
					for n := 0; n < passed/4; n += len(s) {
						s = take(s[:size:size])
						for _, v := range s {
							sum += v
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
			mustBe(name, sum, passed*(passed-1)/2)
		})
	}
	ring := queue.NewRing[int64](bound)
	c := make(chan []int64, bound/size)
	s := r.compare(fmt.Sprintf("4 to 4 goroutines, batches of %d int64, room for %d", size, bound), passed, nil,
		run(ours, func() (func([]int64), func([]int64) []int64) {
			return func(s []int64) {
					for len(s) > 0 {
						n := ring.EnqueueAll(s)
						if s = s[n:]; n == 0 {
							runtime.Gosched()
						}
					}
				}, func(s []int64) []int64 {
					for n := 0; n < len(s); { // as many as the channel's slice has
						k := ring.DequeueInto(s[n:])
						if n += k; k == 0 {
							runtime.Gosched()
						}
					}
					return s
				}
		}),
		run("channel of slices", func() (func([]int64), func([]int64) []int64) {
			return func(s []int64) { c <- s }, func([]int64) []int64 { return <-c }
		}))
	s.atMostOf(0.6, "channel of slices")
}

// roundTrips compares requests that are answered.
func roundTrips(r *Run) {
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
				mustBe(name, b.take(), i+1)
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
	c := r.compare("a request and its answer", trips, nil, run(ours, open(0), open(1)), run("channel", channel[int64](1), channel[int64](1)))
	c.atMostOf(1.2, "channel")
}

// endless compares queues without a bound.
func endless[T any](r *Run, kind string, bar float64, item func(int) T, key func(T) int64) {
	q := queue.New[T]()
	var mu sync.Mutex
	var list []T
	c := r.compare("4 to 4 goroutines, "+kind+", no bound", passed, nil,
		pass(ours, 4, 4, item, key, func() pipe[T] { return tried(q.Enqueue, q.TryDequeue) }),
		pass("slice under a lock", 4, 4, item, key, func() pipe[T] {
			return tried(func(v T) bool {
				mu.Lock()
				list = append(list, v)
				mu.Unlock()
				return true
			}, func() (v T, ok bool) {
				mu.Lock()
				if ok = len(list) > 0; ok {
					v, list = list[0], list[1:]
				}
				mu.Unlock()
				return v, ok
			})
		}))
	c.atMostOf(bar, "slice under a lock")
	u := xsync.NewUMPSCQueue[T]()
	c = r.compare("4 to 1 goroutines, "+kind+", no bound", passed, nil,
		pass(ours, 4, 1, item, key, func() pipe[T] { return tried(q.Enqueue, q.TryDequeue) }),
		pass("xsync.UMPSCQueue", 4, 1, item, key, func() pipe[T] { return pipe[T]{u.Enqueue, u.Dequeue} }))
	c.atMostOf(0, "xsync.UMPSCQueue")
}

// pairs compares one goroutine that puts an item in and takes it out.
func pairs(r *Run) {
	run := func(name string, put func(int64) bool, take func() (int64, bool)) measure.Side {
		return measure.Do(name, func() {
			for i := range int64(1000) {
				put(i)
				v, _ := take()
				mustBe(name, v, i)
			}
		})
	}
	s, x := queue.NewSPSC[int64](bound), xsync.NewSPSCQueue[int64](bound)
	ring, xr := queue.NewRing[int64](bound), xsync.NewMPMCQueue[int64](bound)
	c := r.compare("one goroutine puts an item in and takes it out", 1000, nil,
		run(ours, s.Producer().TryEnqueue, s.Consumer().TryDequeue), run("xsync.SPSCQueue", x.TryEnqueue, x.TryDequeue),
		run("ours, Ring", ring.TryEnqueue, ring.TryDequeue), run("xsync.MPMCQueue", xr.TryEnqueue, xr.TryDequeue))
	c.atMostOf(1, "xsync.SPSCQueue")
	c.as("ours, Ring", "Ring", 0, "xsync.MPMCQueue")
}

// queueing is a job that puts an item in for each index.
type queueing[T any] struct {
	Out  queue.ParallelWriter[T]
	Item func(i int) T `custody:"unguarded"`
}

func (j *queueing[T]) ExecuteBatch(begin, end int) {
	for i := begin; i < end; i++ {
		j.Out.Enqueue(j.Item(i))
	}
}

// chunks are private slices of a chunk each.
type chunks[T any] struct{ list [][]T }

func (c *chunks[T]) add(v T) {
	k := len(c.list) - 1
	if k < 0 || len(c.list[k]) == cap(c.list[k]) {
		c.list = append(c.list, make([]T, 0, 4096))
		k++
	}
	c.list[k] = append(c.list[k], v)
}

func nothing() {}

// between returns a side of which only do is timed, with what must come before it and after it each time.
func between(name string, before, do, after func()) measure.Side {
	return measure.Side{Name: name, Time: func(n int) (took time.Duration) {
		for range n {
			before()
			start := time.Now()
			do()
			took += time.Since(start)
			after()
		}
		return took
	}}
}

// phases compares a loop that puts items in and one goroutine that then takes them out.
func phases[T any](r *Run, kind string, faster float64, item func(int) T, key func(T) int64) {
	check := func(name string, sum int64) { mustBe(name, sum, inPhases*(inPhases-1)/2) }
	q := queue.New[T]()
	buf := make([]T, 256)
	drain := func() (sum int64) {
		for n := q.DequeueInto(buf); n > 0; n = q.DequeueInto(buf) {
			for _, v := range buf[:n] {
				sum += key(v)
			}
		}
		return sum
	}
	job := queueing[T]{q.ParallelWriter(), item}
	put := func() { parallelfor.RunBatch(inPhases, job, parallelfor.Workers(4)) }
	var private [4]chunks[T]
	fill := func() {
		var wg sync.WaitGroup
		for k := range private {
			private[k] = chunks[T]{}
			wg.Go(func() {
				c := &private[k]
				for i := k * inPhases / 4; i < (k+1)*inPhases/4; i++ {
					c.add(item(i))
				}
			})
		}
		wg.Wait()
	}
	walk := func() (sum int64) {
		for k := range private {
			for _, s := range private[k].list {
				for _, v := range s {
					sum += key(v)
				}
			}
		}
		return sum
	}
	limit := "private chunks"
	c := r.compare("a loop puts in 1M "+kind, inPhases, []string{limit},
		between(ours, nothing, put, func() { check(ours, drain()) }), between(limit, nothing, fill, func() { check(limit, walk()) }))
	c.atMost(1.5)
	c = r.compare("one goroutine takes out 1M "+kind, inPhases, []string{limit},
		between(ours, put, func() { check(ours, drain()) }, nothing), between(limit, fill, func() { check(limit, walk()) }, nothing))
	c.atMost(1.5)
	ch := make(chan T, inPhases)
	u := xsync.NewUMPSCQueue[T]()
	both := func(name string, put func(v T), take func() T) measure.Side {
		return measure.Do(name, func() {
			var wg sync.WaitGroup
			for k := range 4 {
				wg.Go(func() {
					for i := k * inPhases / 4; i < (k+1)*inPhases/4; i++ {
						put(item(i))
					}
				})
			}
			wg.Wait()
			sum := int64(0)
			for range inPhases {
				sum += key(take())
			}
			check(name, sum)
		})
	}
	c = r.compare("both, "+kind, inPhases, nil, measure.Do(ours, func() { put(); check(ours, drain()) }),
		both("channel", func(v T) { ch <- v }, func() T { return <-ch }), both("xsync.UMPSCQueue", u.Enqueue, u.Dequeue))
	c.atMostOf(1/faster, c.Best("channel", "xsync.UMPSCQueue"))
}
