package groups

import (
	"sync"
	"time"

	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/rows"
	"example.com/custody/parallelfor"
	"example.com/custody/queue"
)

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

// between returns a side of which only do is timed, with what must come before it and after it each
// time.
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

// phases compares putting all items in, by a loop or by goroutines, and then taking them out, by
// one goroutine: each, and both.
func phases[T any](r *rows.Run, kind string, faster float64, item func(int) T, key func(T) int64) {
	const limit, filling = "private chunks", 4
	n := r.Sized(1<<20, 1<<18)
	side := func(name string, put func(), take func() int64) measure.Parted {
		return measure.Parted{Name: name, Time: func(times int) []time.Duration {
			took := make([]time.Duration, 2)
			for range times {
				start := time.Now()
				put()
				full := time.Now()
				sum := take()
				took[0] += full.Sub(start)
				took[1] += time.Since(full)
				rows.MustBe(name, sum, int64(n)*int64(n-1)/2)
			}
			return took
		}}
	}
	fill := func(part func(k, begin, end int)) {
		var wg sync.WaitGroup
		for k := range filling {
			wg.Go(func() { part(k, k*n/filling, (k+1)*n/filling) })
		}
		wg.Wait()
	}
	q := queue.New[T]()
	job := queueing[T]{q.ParallelWriter(), item}
	var private [filling]chunks[T]
	programs := []measure.Parted{
		side(ours, func() { parallelfor.ForBatch(n, job, (*queueing[T]).ExecuteBatch, parallelfor.Workers(filling)) }, func() (sum int64) {
			for s := range q.Drain() {
				for _, v := range s {
					sum += key(v)
				}
			}
			return sum
		}),
		side(limit, func() {
			fill(func(k, begin, end int) {
				private[k] = chunks[T]{}
				for i, c := begin, &private[k]; i < end; i++ {
					c.add(item(i))
				}
			})
		}, func() (sum int64) {
			for k := range private {
				for _, s := range private[k].list {
					for _, v := range s {
						sum += key(v)
					}
				}
			}
			return sum
		}),
	}
	all, end := unbound[T]()
	defer end()
	var peers []string
	for _, p := range append(all, peerPipe[T]{name: "channel", pipe: channel[T](n)()}) {
		peers = append(peers, p.name)
		programs = append(programs, side(p.name, func() {
			fill(func(_, begin, end int) {
				for i := begin; i < end; i++ {
					p.put(item(i))
				}
			})
		}, func() (sum int64) {
			for range n {
				sum += key(p.take())
			}
			return sum
		}))
	}
	whole, parts := measure.InterleaveParted(r.Config, n, 2, programs...)
	for i, what := range []string{"a loop puts in ", "one goroutine takes out "} {
		c := r.Limited(what+rows.Thousands(n)+" "+kind, parts[i], limit)
		c.AtMost(1.5)
		c.AtMostOf(0, c.Best(peers...))
	}
	c := r.Limited("both, "+rows.Thousands(n)+" "+kind, whole, limit)
	c.AtMostOf(1/faster, c.Best(peers...))
}
