package main

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Samples are so short that most of them end before another process takes a processor.
const (
	rounds     = 60 // each has every program once
	samples    = 20 // of a program in a round
	sampleTime = 60 * time.Microsecond
	leastOften = 200 // operations of a goroutine in a sample
)

// cell is what was measured of a program with a number of goroutines: the median of each round.
type cell struct {
	often  int // operations of a goroutine in a sample; 0: not known yet
	rounds []float64
}

// middle returns the median of the rounds, or 0 where there are none.
func (c *cell) middle() float64 { return c.part(0.5) }

// part returns a time that so large a part of the rounds do not exceed.
func (c *cell) part(of float64) float64 {
	if c == nil || len(c.rounds) == 0 {
		return 0
	}
	all := slices.Sorted(slices.Values(c.rounds))
	return all[int(of*float64(len(all)-1)+0.5)]
}

// counts are the numbers of goroutines that are measured: 1, 2, 4 … up to the processors.
func counts() (all []int) {
	for n := 1; n <= runtime.GOMAXPROCS(0); n *= 2 {
		all = append(all, n)
	}
	return all
}

// key is a program, or the work of a loop, with a number of goroutines.
type key struct {
	name       string
	goroutines int
}

// measured measures all programs in rounds. Of a machine whose lines come in another time for a
// while, the rounds count in which they come in the usual one.
func measured(rounds int) map[key]*cell {
	all := map[key]*cell{}
	var hands []float64
	each := make([]map[key]float64, rounds)
	for r := range each {
		each[r] = map[key]float64{}
		for i := range programs {
			for _, n := range counts() {
				if p := &programs[i]; p.runs(n) {
					k := key{p.name, n}
					if all[k] == nil {
						all[k] = new(cell)
					}
					each[r][k] = all[k].measure(p, n)
				}
			}
		}
		hands = append(hands, each[r][key{handed, 2}])
	}
	usual := alike(hands)
	for r, cells := range each {
		for k, ns := range cells {
			if ns > 0 && usual[r] {
				all[k].rounds = append(all[k].rounds, ns)
			}
		}
	}
	return all
}

// alike tells which times are near the median of those that were measured: all if none was.
func alike(times []float64) []bool {
	known := cell{rounds: slices.DeleteFunc(slices.Clone(times), func(ns float64) bool { return ns == 0 })}
	middle, usual := known.middle(), make([]bool, len(times))
	for i, ns := range times {
		usual[i] = middle == 0 || ns > middle/1.5 && ns < middle*1.5
	}
	return usual
}

// measure returns the time of an operation in a round, or 0 if most samples were disturbed.
func (c *cell) measure(p *program, n int) float64 {
	var times []float64
	switch {
	case p.keys > 0:
		for range samples / 4 {
			runtime.GC()
			times = append(times, sampled(p.fresh(n), n, p.keys/n, 0, 1)...)
		}
	case c.often == 0:
		c.often = leastOften
		if times = sampled(p.fresh(n), n, c.often, 1, samples); len(times) > 0 {
			c.often = max(leastOften, int(float64(sampleTime)/(times[len(times)/2]*float64(n))))
		}
		fallthrough
	default:
		times = sampled(p.fresh(n), n, c.often, 1, samples)
	}
	if len(times) < 3 {
		return 0
	}
	slices.Sort(times)
	return times[len(times)/2]
}

// span is when a goroutine did the operations of a sample.
type span struct{ begin, end time.Duration }

// sampled has n goroutines do an operation often, again and again. It returns the time of an
// operation, of all goroutines together, in each sample after the first ones.
func sampled(do func(g, i int), n, often, warm, count int) []float64 {
	var at meeting
	var done sync.WaitGroup
	spans := make([][]span, n)
	zero := time.Now()
	work := func(g int) {
		all, i := make([]span, warm+count), 0
		for s := range all {
			at.meet(int64(n * (s + 1)))
			all[s].begin = time.Since(zero)
			for range often {
				do(g, i)
				i++
			}
			all[s].end = time.Since(zero)
		}
		spans[g] = all
	}
	for g := 1; g < n; g++ {
		done.Go(func() { work(g) })
	}
	work(0)
	done.Wait()
	var times []float64
	for s := warm; s < warm+count; s++ {
		same := make([]span, n)
		for g := range n {
			same[g] = spans[g][s]
		}
		if took, ok := together(same); ok {
			times = append(times, float64(took)/float64(n*often))
		}
	}
	return times
}

// together returns the time from the first begin to the last end, and whether all goroutines ran
// for at least half of it. If not, one of them waited for its processor.
func together(all []span) (took time.Duration, ok bool) {
	from, to, last, first := all[0].begin, all[0].end, all[0].begin, all[0].end
	for _, s := range all {
		from, last = min(from, s.begin), max(last, s.begin)
		first, to = min(first, s.end), max(to, s.end)
	}
	return to - from, first-last >= (to-from)/2
}

// meeting is where goroutines wait for each other, each with a processor of its own.
type meeting struct {
	_     [128]byte
	there atomic.Int64
	_     [128]byte
}

// meet returns when so many have come, in all.
func (m *meeting) meet(all int64) {
	m.there.Add(1)
	for spins := 1; m.there.Load() < all; spins++ {
		if spins%1000 == 0 {
			runtime.Gosched()
		}
	}
}
