package groups

import (
	"sync"
	"time"

	"github.com/puzpuzpuz/xsync/v4"

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
func phases[T any](r *rows.Run, kind string, faster float64, item func(int) T, key func(T) int64) {
	check := func(name string, sum int64) { rows.MustBe(name, sum, inPhases*(inPhases-1)/2) }
	q := queue.New[T]()
	drain := func() (sum int64) {
		for s := range q.Drain() {
			for _, v := range s {
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
	c := r.Compare("a loop puts in 1M "+kind, inPhases, []string{limit},
		between(ours, nothing, put, func() { check(ours, drain()) }), between(limit, nothing, fill, func() { check(limit, walk()) }))
	c.AtMost(1.5)
	c = r.Compare("one goroutine takes out 1M "+kind, inPhases, []string{limit},
		between(ours, put, func() { check(ours, drain()) }, nothing), between(limit, fill, func() { check(limit, walk()) }, nothing))
	c.AtMost(1.5)
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
	sides := []measure.Side{measure.Do(ours, func() { put(); check(ours, drain()) }),
		both("channel", func(v T) { ch <- v }, func() T { return <-ch }), both("xsync.UMPSCQueue", u.Enqueue, u.Dequeue)}
	peers, pipes := unbound[T]()
	for k, name := range peers {
		sides = append(sides, both(name, pipes[k].put, pipes[k].take))
	}
	c = r.Compare("both, "+kind, inPhases, nil, sides...)
	c.AtMostOf(1/faster, c.Best(append(peers, "channel", "xsync.UMPSCQueue")...))
}
