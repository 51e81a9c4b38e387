package scheduler

import (
	"fmt"
	"math"
	"time"

	"example.com/custody/array"
	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/report"
	"example.com/custody/parallelfor"
)

// newSmall returns chores of so much time in all. An index takes 20 ns or more, because the rounds
// of a shorter one are too few to come near the time.
func (r *run) newSmall(total time.Duration) *chores {
	return r.newChores(int(min(256, total/(20*time.Nanosecond))), total, even)
}

// beside returns a contest of the library and the plain loop alone, so that no goroutine of another
// driver is awake when a loop begins.
func (c *chores) beside(work string) contest {
	k := c.contest(work, 0)
	k.by = nil
	return k
}

// called is loops back to back. Up to 3 us, the bar is 1.1 times the plain loop and 0.25 us: a
// second core does not help there, and the call must not cost more.
func called(r *run) {
	for _, l := range []struct{ us, bar float64 }{{0.2, 2.35}, {0.5, 1.6}, {1.5, 1.27}, {3, 1.18}, {6, 0.75}, {17, 0.58}} {
		c := r.newSmall(time.Duration(1000 * l.us))
		r.contest(c.beside(fmt.Sprintf("%g us in %d indices, called", l.us, c.n))).AtMost(l.bar)
	}
}

// situation is how loops follow each other, and what else the machine does meanwhile.
type situation struct {
	name  string
	units int // loops that a side does at a time
	side  func(c *chores, name string, do func()) measure.Side
}

// situations calls f for each situation.
func (r *run) situations(f func(of *run, s situation)) {
	backToBack := func(_ *chores, name string, do func()) measure.Side { return measure.Do(name, do) }
	f(r, situation{"alone", 1, backToBack})
	free := keepBusy()
	f(r, situation{"one core busy", 1, backToBack})
	free()
	// The number of loops of a sample is fixed: nearly all of its time passes between them.
	const loops, gap = 10, time.Millisecond
	short := *r.Run
	short.Config.Sample = 1
	for _, caller := range r.callers() {
		f(&run{&short, r.drivers}, situation{"caller " + caller.is + " between", loops, func(c *chores, name string, do func()) measure.Side {
			one := spaced(name, gap+c.took, caller.wait, do)
			return measure.Side{Name: name, Time: func(n int) time.Duration { return one.Time(loops * n) }}
		}})
	}
}

// worst is the loop with the highest ratio to the bar of short loops, over all works in all
// situations. The row's peer names the work and the situation.
func worst(r *run) {
	worksUS := []float64{0.1, 0.3, 1, 2, 4, 8, 16, 50, 160, 500, 2000, 10_000}
	const slower, ns = 1.1, 250
	made := make([]*chores, len(worksUS))
	for i, us := range worksUS {
		made[i] = r.newSmall(time.Duration(1000 * us))
	}
	row := report.Row{Ratio: measure.Estimate{Median: math.Inf(-1)}}
	r.situations(func(of *run, at situation) {
		for i, c := range made {
			k := c.beside("worst of 12 works from 0.1 us to 10 ms in 4 situations")
			k.units, k.time = at.units, func(name string, do func()) measure.Side { return at.side(c, name, do) }
			s := of.contest(k)
			ratio := s.Paired(ours, plain, func(x, y float64) float64 { return x / (slower*y + ns) })
			if ratio.Median > row.Ratio.Median {
				row = s.Row()
				row.Ratio, row.Bar = ratio, 1
				row.Peer = fmt.Sprintf("1.1 loops + 0.25 us, of %g us, %s", worksUS[i], at.name)
				row.PeerTime = slower*row.Limit + ns
			}
		}
	})
	r.Rows = append(r.Rows, row)
}

// link is a job of a chain: it does arithmetic on what the job before it wrote.
type link struct {
	In     array.Reader[uint64]
	Out    array.Writer[uint64]
	Rounds int
}

func (j *link) ExecuteBatch(begin, end int) {
	linkInto(j.Out.Slice(), j.In.Slice()[begin:end], j.Rounds)
}

//go:noinline
func linkInto(out, in []uint64, rounds int) {
	in = in[:len(out)]
	for i := range out {
		x := in[i]
		for range rounds {
			x = x*6364136223846793005 + 1442695040888963407
		}
		out[i] = x
	}
}

// chainOfFive is frames of five jobs, each of which reads what the job before it wrote: scheduled
// together, called one after the other, and as plain loops.
func chainOfFive(r *run) {
	const n, jobs, calls = 256, 5, "five calls"
	var of [jobs + 1]*array.Array[uint64]
	for i := range of {
		of[i] = array.New[uint64](n)
	}
	for i := range n {
		of[0].Set(i, uint64(i)+1)
	}
	rounds := 0
	job := func(k int) link { return link{of[k].Reader(), of[k+1].Writer(), rounds} }
	one := func(k int) { linkInto(of[k+1].Slice(), of[k].Slice(), rounds) }
	each := func(do func(k int)) func() {
		return func() {
			for k := range jobs {
				do(k)
			}
		}
	}
	for _, l := range []struct{ us, bar float64 }{{5, 0.75}, {17, 0.6}} {
		calibrated(time.Duration(1000*l.us), func(mean float64) time.Duration {
			rounds = int(math.Round(mean))
			return fastest(func() { one(0) })
		})
		var left all
		loop := each(one)
		for _, a := range of[1:] {
			clear(a.Slice())
			left = append(left, newCells(a.Slice(), loop))
		}
		s := r.contest(contest{
			work: fmt.Sprintf("5 jobs in a chain, %g us each", l.us),
			loop: loop,
			ours: func() {
				h := parallelfor.ScheduleBatch(n, job(0), (*link).ExecuteBatch)
				for k := 1; k < jobs; k++ {
					h = parallelfor.ScheduleBatch(n, job(k), (*link).ExecuteBatch, parallelfor.After(h))
				}
				h.Complete()
			},
			variants: []measure.Side{measure.Do(calls, each(func(k int) { parallelfor.ForBatch(n, job(k), (*link).ExecuteBatch) }))},
			results:  left,
		})
		s.AtMost(l.bar)
		s.AtMostOfOwn(1.05, calls)
	}
}
