package main

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"
	"time"

	"example.com/custody/examples/projectiles/internal/sim"
	"example.com/custody/parallelfor"
)

// simulation is what makes frames.
type simulation interface {
	Step()
	Finish()
	Sum() uint64
	Tally() sim.Tally
	Poses() []sim.Pose
}

// form is a way to make them, and how long a frame took in each round.
type form struct {
	name string
	simulation
	times []time.Duration
}

// make makes some frames, the last of which is finished.
func (f *form) make(frames int) {
	for range frames {
		f.Step()
	}
	f.Finish()
}

// warm is how many frames are made before any is measured: until about as many projectiles land in a frame as do later on.
const warm = 300

// simulate makes the frames in all forms, in turns, and reports.
func simulate(o options, w io.Writer) error {
	forms := []*form{
		{name: "plain loops", simulation: sim.NewPlain(o.Config)},
		{name: "jobs, sequential", simulation: sim.NewWorld(o.Config, parallelfor.Sequential())},
	}
	for _, n := range o.workers {
		forms = append(forms, &form{name: "jobs, " + counted(n, "worker"), simulation: sim.NewWorld(o.Config, parallelfor.Workers(n))})
	}
	for _, f := range forms {
		f.make(warm)
	}
	machine := newCeiling(o)
	for range o.rounds {
		for _, f := range forms {
			since := time.Now()
			f.make(o.frames)
			f.times = append(f.times, time.Since(since)/time.Duration(o.frames))
		}
		machine.measure(o.frames)
		for _, f := range forms[1:] {
			if f.Sum() != forms[0].Sum() {
				return fmt.Errorf("what is left of %s is not what the plain loops left", f.name)
			}
		}
	}
	if err := report(o, forms, machine, w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\nverified: after every round, every bit of all is that of the plain loops, checksum %016x\n", forms[0].Sum())
	return err
}

// median returns how long a frame took usually.
func (f *form) median() time.Duration { return slices.Sorted(slices.Values(f.times))[len(f.times)/2] }

// least returns how long it took when nothing else kept the processors busy.
func (f *form) least() time.Duration { return slices.Min(f.times) }

// faster returns how many times as fast as another form this one is: by the medians, and by the least times.
func (f *form) faster(other *form) (usually, best float64) {
	return ratio(other.median(), f.median()), ratio(other.least(), f.least())
}

func ratio(a, b time.Duration) float64 { return float64(a) / float64(max(b, 1)) }

// ceiling finds out what the machine has to give at the moment: so many plain simulations, at the same time and one after the other.
type ceiling struct {
	all    []*sim.Plain
	ratios []float64
}

func newCeiling(o options) *ceiling {
	c := new(ceiling)
	for range min(runtime.GOMAXPROCS(0), slices.Max(o.workers)) {
		c.all = append(c.all, sim.NewPlain(o.Config))
	}
	for _, s := range c.all {
		steps(s, warm)
	}
	return c
}

func (c *ceiling) measure(frames int) {
	since := time.Now()
	for _, s := range c.all {
		steps(s, frames)
	}
	turns := time.Since(since)
	since = time.Now()
	var all sync.WaitGroup
	for _, s := range c.all {
		all.Go(func() { steps(s, frames) })
	}
	all.Wait()
	c.ratios = append(c.ratios, ratio(turns, time.Since(since)))
}

func steps(s *sim.Plain, frames int) {
	for range frames {
		s.Step()
	}
}
