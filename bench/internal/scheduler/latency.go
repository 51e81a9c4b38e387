package scheduler

import (
	"fmt"
	"sync/atomic"
	"time"

	"example.com/custody/bench/internal/measure"
)

// forkJoin is short loops back to back: the time from the call to the last result is all there is.
// The same again while a goroutine keeps one core busy: then a loop in parallel can win nothing,
// and must not lose.
func forkJoin(r *run) {
	const n = 256
	loops := []struct {
		work  string
		total time.Duration
		bar   float64
	}{
		{"3.4 us", 3400 * time.Nanosecond, 0.58},
		{"17 us", 17 * time.Microsecond, 0.54},
		{"170 us", 170 * time.Microsecond, 0.53},
	}
	made := make([]*chores, len(loops))
	for i, l := range loops {
		made[i] = r.newChores(n, l.total, even)
		s := r.contest(made[i].contest(l.work+" in 256 indices, back to back", 0))
		s.AtMost(l.bar)
		s.Beside()
	}
	defer keepBusy()()
	for i, l := range loops {
		s := r.contest(made[i].contest(l.work+" in 256 indices, back to back, one core busy", 0))
		s.AtMost(1.05)
		s.Beside()
	}
}

// keepBusy starts a goroutine that does nothing but use a processor. It returns how to end it.
func keepBusy() (stop func()) {
	var started, end atomic.Bool
	done := make(chan struct{})
	go func() {
		defer close(done)
		in, out := []chore{{1, 1000}}, make([]uint64, 1)
		for !end.Load() {
			doChores(out, in)
			started.Store(true)
		}
	}()
	for !started.Load() {
		time.Sleep(100 * time.Microsecond)
	}
	return func() {
		end.Store(true)
		<-done
	}
}

// fromIdle is a loop now and then, as a program has it that draws pictures: no worker is awake when
// it comes. Between two loops the caller sleeps, or does something else alone. Only the loops are
// timed.
func fromIdle(r *run) {
	const n, total, gap = 256, 17 * time.Microsecond, 2 * time.Millisecond
	work := r.newChores(n, total, even)
	for _, c := range r.callers() {
		// A sample waits a hundred times as long as it counts: it is to be shorter.
		short := *r.Run
		short.Config.Sample = max(r.Config.Sample/30, total)
		k := work.contest(fmt.Sprintf("17 us in 256 indices, every 2 ms, caller %s between", c.is), 0)
		k.time = func(name string, do func()) measure.Side { return spaced(name, gap, c.wait, do) }
		s := (&run{&short, r.drivers}).contest(k)
		s.AtMost(0.85)
		s.Beside()
		r.Rows = short.Rows
	}
}

// caller is what a caller does between two loops.
type caller struct {
	is   string
	wait func(until time.Time)
}

// callers returns those that do something else alone, and sleep.
func (r *run) callers() []caller {
	alone := r.newChores(256, 100*time.Microsecond, even)
	return []caller{
		{"busy", func(until time.Time) {
			for time.Now().Before(until) {
				alone.loop()
			}
		}},
		{"asleep", func(until time.Time) { time.Sleep(time.Until(until)) }},
	}
}

// spaced is a side that does its work at regular times. What counts is the mean of what the work
// takes, without the fastest and the slowest tenth.
func spaced(name string, gap time.Duration, wait func(until time.Time), do func()) measure.Side {
	return measure.Side{Name: name, Time: func(n int) time.Duration {
		times := make([]float64, n)
		next := time.Now()
		for i := range times {
			next = next.Add(gap)
			wait(next)
			start := time.Now()
			do()
			times[i] = float64(time.Since(start))
		}
		return time.Duration(measure.Middle(times) * float64(n))
	}}
}
