package scheduler

import (
	"fmt"
	"math/rand/v2"
	"time"

	"example.com/custody/bench/internal/measure"
	"example.com/custody/parallelfor"
)

// The work of skewed loops: 10k chores, 1.4 ms in all.
const (
	skewN     = 10_000
	skewTotal = 1400 * time.Microsecond
)

// ramp is work that grows with the index.
func ramp(i int) float64 { return float64(i) }

// spikes returns work of which each hundredth index, by chance, has a thousand times as much.
func spikes() func(i int) float64 {
	random := rand.New(rand.NewPCG(1, 2))
	heavy := make(map[int]bool)
	for len(heavy) < skewN/100 {
		heavy[random.IntN(skewN)] = true
	}
	return func(i int) float64 {
		if heavy[i] {
			return 1000
		}
		return 1
	}
}

// skewed is work that even parts do not balance.
func skewed(r *run) {
	for _, k := range []struct {
		work   string
		weight func(int) float64
	}{
		{"10k indices, index i costs as i, 1.4 ms", ramp},
		{"10k indices, 1 % cost x1000, 1.4 ms", spikes()},
	} {
		s := r.contest(r.newChores(skewN, skewTotal, k.weight).contest(k.work, 16))
		s.AtMostHalf(1.06)
		s.Beside()
	}
}

// batches is whether users need to choose the batch: what the automatic one costs more than the
// best one, and what is lost by the smallest.
func batches(r *run) {
	v := newVectors(100_000)
	r.bestBatch(contest{work: "saxpy, 100k float32", loop: v.loop, results: newCells(v.to, v.loop)}, v.ours)
	for _, k := range []struct {
		work   string
		weight func(int) float64
	}{
		{"10k indices, index i costs as i, 1.4 ms", ramp},
		{"10k indices, 1 % cost x1000, 1.4 ms", spikes()},
		{"10k indices of 140 ns", even},
	} {
		c := r.newChores(skewN, skewTotal, k.weight)
		r.bestBatch(c.contest(k.work, 0), func(o ...parallelfor.Option) func() { return c.ours(o...) })
	}
	for _, ns := range []int{30, 100} {
		c := r.newChores(skewN, time.Duration(skewN*ns), even)
		k := c.contest(fmt.Sprintf("Batch(1), 10k indices of %d ns", ns), 0)
		const automatic = "Batch(0)"
		k.by, k.ours = nil, c.ours(parallelfor.Batch(1))
		k.variants = []measure.Side{measure.Do(automatic, c.ours(parallelfor.Batch(0)))}
		s := r.contest(k)
		s.Limit = ""
		s.AtMostOfOwn(1.15, automatic)
	}
}

// bestBatch adds the row that Batch(0) takes at most 1.05 times as long as the best batch. Which
// one that is comes from a series of its own: the lowest of many medians is low by luck as well.
func (r *run) bestBatch(c contest, by func(opts ...parallelfor.Option) func()) {
	c.by, c.ours = nil, by(parallelfor.Batch(0))
	sides := map[string]measure.Side{}
	var names []string
	for _, batch := range []int{1, 4, 16, 64, 256, 1024} {
		name := fmt.Sprintf("Batch(%d)", batch)
		side := measure.Do(name, by(parallelfor.Batch(batch)))
		names, sides[name] = append(names, name), side
		c.variants = append(c.variants, side)
	}
	c.work = "Batch(0), " + c.work
	best := r.contest(c).Best(names...)
	c.variants = []measure.Side{sides[best]}
	s := r.contest(c)
	s.Limit = ""
	s.AtMostOfOwn(1.05, best)
}
