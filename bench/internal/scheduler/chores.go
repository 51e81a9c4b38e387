package scheduler

import (
	"fmt"
	"math"
	"slices"
	"time"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
)

// chore is work of a length that is known: so many rounds of arithmetic on a number.
type chore struct {
	Seed   uint64
	Rounds int
}

// doChores does chores. It is the same code for all sides, and it touches no memory but its
// arguments.
//
//go:noinline
func doChores(out []uint64, in []chore) {
	in = in[:len(out)]
	for i := range out {
		x := in[i].Seed
		for range in[i].Rounds {
			x = x*6364136223846793005 + 1442695040888963407
		}
		out[i] = x
	}
}

// doing is the job that does chores.
type doing struct {
	In  array.Reader[chore]
	Out array.Writer[uint64]
}

func (j *doing) ExecuteBatch(begin, end int) { doChores(j.Out.Slice(), j.In.Slice()[begin:end]) }

// chores are n chores and the places of their results.
type chores struct {
	n    int
	in   *array.Array[chore]
	out  *array.Array[uint64]
	from []chore
	to   []uint64
	took time.Duration // by the loop
}

// newChores returns n chores that the loop does in so much time on this machine. The share of chore
// i is As large as weight(i) says. When nothing comes near, a note says so.
func (r *run) newChores(n int, total time.Duration, weight func(i int) float64) *chores {
	c := &chores{n: n, in: array.New[chore](n), out: array.New[uint64](n)}
	c.from, c.to = c.in.Slice(), c.out.Slice()
	sum := 0.0
	for i := range c.from {
		c.from[i].Seed = uint64(i) + 1
		sum += weight(i)
	}
	rounds := calibrated(total, func(mean float64) time.Duration {
		for i := range c.from {
			c.from[i].Rounds = int(math.Round(weight(i) / sum * float64(n) * mean))
		}
		c.took = fastest(c.loop)
		return c.took
	})
	if off := c.took.Seconds() / total.Seconds(); off < 0.8 || off > 1.25 {
		r.Note(fmt.Sprintf("note: the loop over %d chores takes %v and not %v (%.1f rounds a chore)", n, c.took, total, rounds))
	}
	return c
}

func even(int) float64 { return 1 }

// loop is the plain loop.
func (c *chores) loop() { doChores(c.to, c.from) }

// part is the loop over some of the indices.
func (c *chores) part(begin, end int) { doChores(c.to[begin:end], c.from[begin:end]) }

// ours is the library's loop.
func (c *chores) ours(opts ...parallelfor.Option) func() {
	return func() {
		parallelfor.ForBatch(c.n, doing{c.in.Reader(), c.out.Writer()}, (*doing).ExecuteBatch, opts...)
	}
}

// contest is a contest of doing them, without variants. Drivers do it in tasks of batch chores.
func (c *chores) contest(work string, batch int) contest {
	clear(c.to)
	return contest{work: work, loop: c.loop, ours: c.ours(), by: loops(c.n, batch, c.part), results: newCells(c.to, c.loop)}
}

// calibrated returns the scale at which what took(scale) returns comes next to want, and leaves
// took called with it last. took must grow with the scale.
func calibrated(want time.Duration, took func(scale float64) time.Duration) float64 {
	const steps = 12
	lo, hi := 0.0, 1.0
	for took(hi) < want && hi < 1<<40 {
		lo, hi = hi, 2*hi
	}
	for range steps {
		if mid := lo + (hi-lo)/2; took(mid) < want {
			lo = mid
		} else {
			hi = mid
		}
	}
	took(hi)
	return hi
}

// fastest returns the fastest of some times that f takes, each of about a tenth of a millisecond or
// more, so that the clock's own time does not count.
func fastest(f func()) time.Duration {
	start := time.Now()
	f()
	calls := 1 + int(100*time.Microsecond/max(time.Since(start), time.Nanosecond))
	times := make([]time.Duration, 7)
	for i := range times {
		start = time.Now()
		for range calls {
			f()
		}
		times[i] = time.Since(start) / time.Duration(calls)
	}
	return slices.Min(times)
}
