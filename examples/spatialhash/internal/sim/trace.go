package sim

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// Facts are what is known of a step.
type Facts struct {
	Pairs    int64  // of particles that were near each other
	Occupied int    // cells that had particles
	Largest  int    // how many the fullest had
	Sum      uint64 // a checksum of the groups, their order, and of all particles after the step
}

// Phase is a part of a step.
type Phase int

// The phases of a step.
const (
	Group Phase = iota // put the particles into the groups of their cells
	Query              // find out what their neighbours do to them
	Move               // move them, and clear the groups
	Phases
)

var phaseNames = [Phases]string{"group", "query", "move"}

func (p Phase) String() string { return phaseNames[p] }

// Trace is what is known of all steps so far.
type Trace struct {
	Facts []Facts
	times [Phases][]time.Duration
}

// watch measures the phases of a step.
type watch struct {
	trace *Trace
	since time.Time
}

func (t *Trace) begin() *watch { return &watch{t, time.Now()} }

// ended says that a phase has ended, and that the next one begins.
func (w *watch) ended(p Phase) {
	now := time.Now()
	w.trace.times[p] = append(w.trace.times[p], now.Sub(w.since))
	w.since = now
}

// Time returns how long a phase took: the median of the steps; 0 when there was none.
func (t *Trace) Time(p Phase) time.Duration {
	times := slices.Sorted(slices.Values(t.times[p]))
	if len(times) == 0 {
		return 0
	}
	return times[len(times)/2]
}

// Sum returns a checksum of all steps.
func (t *Trace) Sum() (h uint64) {
	for _, f := range t.Facts {
		h = mix(h, f.Sum)
	}
	return h
}

// simulation is what Same compares.
type simulation interface {
	State() (positions, velocities []Vec)
	trace() *Trace
}

func (t *Trace) trace() *Trace { return t }

// Same returns nil if two simulations are the same: all facts of all steps, and every bit of every particle at the end.
// Otherwise the error says what differs first.
func Same(want, got simulation) error {
	w, g := want.trace().Facts, got.trace().Facts
	if len(w) != len(g) {
		return fmt.Errorf("there were %d steps and %d", len(w), len(g))
	}
	for step := range w {
		if w[step] != g[step] {
			return fmt.Errorf("step %d: %+v and %+v", step+1, w[step], g[step])
		}
	}
	wp, wv := want.State()
	gp, gv := got.State()
	for i := range wp {
		if !sameBits(wp[i], gp[i]) || !sameBits(wv[i], gv[i]) {
			return fmt.Errorf("particle %d: at %v with velocity %v, and at %v with velocity %v", i, wp[i], wv[i], gp[i], gv[i])
		}
	}
	return nil
}

func sameBits(a, b Vec) bool {
	for k := range a {
		if math.Float32bits(a[k]) != math.Float32bits(b[k]) {
			return false
		}
	}
	return true
}
