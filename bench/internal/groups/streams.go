package groups

import (
	"fmt"
	"iter"
	"runtime"
	"sync"
	"time"

	"github.com/sourcegraph/conc/stream"

	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/rows"
	"example.com/custody/parallelfor"
)

// streamRows take the results of items in their order, from a source whose length is not known.
func streamRows(r *rows.Run) {
	step := stepTime()
	for _, work := range []time.Duration{200, 2000, 20_000, 200_000} {
		n := max(int(20*time.Millisecond/work), 200)
		steps := int(float64(work) / step)
		streamed(r, work, n, "64 bytes", func(i int) [64]byte { return [64]byte{byte(i)} }, func(v [64]byte) uint64 { return spun(uint64(v[0]), steps) })
		blocks := make([][]byte, 256)
		for i := range blocks {
			blocks[i] = make([]byte, 4096)
			blocks[i][0] = byte(i)
		}
		streamed(r, work, n, "4 KB", func(i int) []byte { return blocks[i%256] }, func(v []byte) uint64 { return spun(uint64(v[0]), steps) })
	}
}

// spun computes in so many steps, each of which waits for the one before.
func spun(x uint64, steps int) uint64 {
	for range steps {
		x = x*6364136223846793005 + 1442695040888963407
	}
	return x
}

// stepTime returns the nanoseconds of a step of spun.
func stepTime() float64 {
	const steps = 1 << 20
	best := time.Hour
	for range 5 {
		start := time.Now()
		used = spun(used, steps)
		best = min(best, time.Since(start))
	}
	return float64(best) / steps
}

var used uint64

// streamed compares the ways to call f for n items and to add up what it returns, in their order.
func streamed[A any](r *rows.Run, work time.Duration, n int, size string, item func(i int) A, f func(a A) uint64) {
	source := func(yield func(A) bool) {
		for i := range n {
			if !yield(item(i)) {
				return
			}
		}
	}
	var want uint64
	for a := range source {
		want = 31*want + f(a)
	}
	by := func(name string, run func() iter.Seq[uint64]) measure.Side {
		return measure.Do(name, func() {
			var got uint64
			for v := range run() {
				got = 31*got + v
			}
			rows.MustBe(name, got, want)
		})
	}
	const plain = "the loop"
	c := r.Compare(fmt.Sprintf("items of %v, %s, in their order", work, size), n, nil,
		by(ours, func() iter.Seq[uint64] { return parallelfor.MapSeq(source, f) }),
		by("conc stream", func() iter.Seq[uint64] { return byConcStream(source, f) }),
		by("workers by hand", func() iter.Seq[uint64] { return byWorkers(source, f) }),
		by(plain, func() iter.Seq[uint64] {
			return func(yield func(uint64) bool) {
				for a := range source {
					if !yield(f(a)) {
						return
					}
				}
			}
		}))
	bar := 1.0
	if work == 200 {
		bar = 0.5
	}
	c.AtMostOf(bar, c.Best("conc stream", "workers by hand"))
	c.AtMostOf(0, plain)
}

// byConcStream yields from the callbacks of a stream, which run one after the other.
func byConcStream[A any](source iter.Seq[A], f func(a A) uint64) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		s := stream.New().WithMaxGoroutines(runtime.GOMAXPROCS(0))
		for a := range source {
			s.Go(func() stream.Callback {
				v := f(a)
				return func() { yield(v) }
			})
		}
		s.Wait()
	}
}

// byWorkers hands items to goroutines by a channel, and takes results in their order from slots
// that it uses again.
func byWorkers[A any](source iter.Seq[A], f func(a A) uint64) iter.Seq[uint64] {
	type slot struct {
		in   A
		out  uint64
		done chan struct{}
	}
	return func(yield func(uint64) bool) {
		procs := runtime.GOMAXPROCS(0)
		slots := make([]slot, 64*procs)
		work := make(chan *slot, len(slots))
		var workers sync.WaitGroup
		for range procs {
			workers.Go(func() {
				for s := range work {
					s.out = f(s.in)
					s.done <- struct{}{}
				}
			})
		}
		read, taken := 0, 0
		take := func() {
			s := &slots[taken%len(slots)]
			<-s.done
			taken++
			yield(s.out)
		}
		for a := range source {
			if read-taken == len(slots) {
				take()
			}
			s := &slots[read%len(slots)]
			if s.done == nil {
				s.done = make(chan struct{}, 1)
			}
			s.in = a
			work <- s
			read++
		}
		for taken < read {
			take()
		}
		close(work)
		workers.Wait()
	}
}
