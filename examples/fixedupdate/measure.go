package main

import (
	"fmt"
	"slices"
	"time"

	"example.com/custody/examples/fixedupdate/internal/fall"
	"example.com/custody/parallelfor"
)

// form is a way to make steps, and how long each one took.
type form struct {
	name string
	*fall.Script
	times []time.Duration
}

// The first forms; those of workers follow, two for each number.
const (
	byCalls   = iota // what all are compared with
	byColumns        // the parallel job at its sequential mode
	parallel
)

// formsOf makes all forms.
func formsOf(o options) (all []*form) {
	add := func(name string, w fall.World) {
		all = append(all, &form{name: name, Script: fall.NewScript(w, o.n, o.churn, o.seed)})
	}
	add("interface calls, sequential", fall.NewCalls(o.Config))
	add("columns, sequential", fall.NewColumns(o.Config, parallelfor.Sequential()))
	for _, n := range o.workers {
		add("interface calls, "+workers(n), fall.NewLoop(o.Config, parallelfor.Workers(n)))
		add("columns, "+workers(n), fall.NewColumns(o.Config, parallelfor.Workers(n)))
	}
	return all
}

func workers(n int) string {
	if n == 1 {
		return "1 worker"
	}
	return fmt.Sprint(n, " workers")
}

// turn is how many steps a form makes until it is the next one's turn: after the first of them its objects are in the processor's caches.
const turn = 10

// measure makes the steps.
func measure(forms []*form, steps int) {
	for steps > 0 {
		k := min(steps, turn)
		for _, f := range forms {
			for range k {
				since := time.Now()
				f.Step()
				f.times = append(f.times, time.Since(since))
			}
		}
		steps -= k
	}
}

// median returns how long a step usually took.
func (f *form) median() time.Duration { return median(f.times) }

// least returns how long it took when nothing else kept the processors busy.
func (f *form) least() time.Duration { return slices.Min(f.times) }

// against says how many times as fast as another form this one is.
func (f *form) against(other *form) string {
	return fmt.Sprintf("%.2f (%.2f) times as fast", ratio(other.median(), f.median()), ratio(other.least(), f.least()))
}

func median(times []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(times))
	return sorted[len(sorted)/2]
}

func ratio(a, b time.Duration) float64 { return float64(a) / float64(max(b, 1)) }
