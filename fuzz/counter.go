package fuzz

import (
	"testing"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/linear"
	"example.com/custody/internal/spec"
)

// CounterOf is a counter as the suite sees it: its operations as functions. Only Add and Value must be
// there; what is nil the suite leaves out, and says so.
type CounterOf struct {
	// Add adds d. The count wraps around.
	Add func(d int64)
	// Value returns the count. It sees every Add that happened before, and may see any that runs beside it.
	Value func() int64
	// Set makes the count v.
	Set func(v int64)
	// Swap makes the count v and returns the count before. Each Add is in exactly one result.
	Swap func(v int64) int64
	// Reset makes the count 0.
	Reset func()
	// Local returns a handle for one goroutine that adds to the same count.
	Local func() LocalOf
	// Dispose ends the counter: every use afterwards panics with an error that is safety.ErrDisposed.
	Dispose func()
}

// LocalOf is a handle of a counter, for one goroutine at a time.
type LocalOf struct {
	// Add adds d to the count that the handle is for.
	Add func(d int64)
	// Close ends the handle and leaves the count as it is. Nil: handles are not closed.
	Close func()
}

// operations lists all of them.
func (c *CounterOf) calls() []call {
	return []call{
		{"Add", c.Add != nil, func() { c.Add(1) }},
		{"Value", c.Value != nil, func() { c.Value() }},
		{"Set", c.Set != nil, func() { c.Set(1) }},
		{"Swap", c.Swap != nil, func() { c.Swap(1) }},
		{"Reset", c.Reset != nil, c.Reset},
		{"Local", c.Local != nil, func() { c.Local() }},
		{"Dispose", c.Dispose != nil, nil},
	}
}

// Counter tests counters that fresh returns, which are 0. The subtests:
//
//	model         drawn programs of one goroutine, against an int64; a failure is the smallest program
//	conservation  goroutines beside each other: no Add is lost, with handles and when GOMAXPROCS changes;
//	              Value is between what was added before it and what was begun until its end; each Add is in
//	              one Swap
//	linearizable  short histories of goroutines beside each other, judged against the sequential counter:
//	              Value too with Linearizable, and without it within its bounds
//	misuse        use after Dispose, and the cases of Misuses
//
// The suite runs no loops: test the views of a counter with jobs, at every level.
// There the race detector reports views that write plain memory indexed by worker; see
// lane.Lane.Partial for the alternative.
//
// In a fuzz target, where t is a *testing.F, Counter reads inputs as programs of one goroutine instead
// and runs them as the subtest model does.
//
// Cost: about half a second, a few with the race detector.
func Counter(t testing.TB, fresh func() CounterOf, opts ...Option) {
	t.Helper()
	if f, ok := t.(*testing.F); ok {
		newCounterSuite(f, fresh, settingsOf(opts)).script().fuzz(f)
		return
	}
	runCounter(tested{testOf(t)}, fresh, settingsOf(opts))
}

// counterSuite is the suite for one kind of counter.
type counterSuite struct {
	settings
	fresh func() CounterOf
	like  CounterOf
}

func newCounterSuite(t testing.TB, fresh func() CounterOf, s settings) *counterSuite {
	t.Helper()
	c := &counterSuite{s, fresh, fresh()}
	needed(t, "Counter", call{name: "Add", has: c.like.Add != nil}, call{name: "Value", has: c.like.Value != nil})
	return c
}

func runCounter(t host, fresh func() CounterOf, s settings) {
	t.Helper()
	c := newCounterSuite(t, fresh, s)
	runParts(t, lacks(c.like.calls()), []part{
		{"model", true, c.script().model(&c.settings)},
		{"conservation", true, c.conservation},
		{"linearizable", true, c.linearizable},
		{"schedules", atom.Explored, scheduled(&c.settings, mostTasks,
			func(int) *linear.Spec[int64, spec.CounterIn, spec.CounterOut] { return c.sequential() },
			func(size, _ int) actor[spec.CounterIn, spec.CounterOut] { return c.actor(size) })},
		{"misuse", true, c.misuse(c.ownMisuse)},
	})
}

// ownMisuse uses a counter that was disposed.
func (c *counterSuite) ownMisuse(t testing.TB) {
	t.Helper()
	of := c.fresh()
	of.Add(1)
	all := of.calls()
	if of.Local != nil {
		l := of.Local()
		all = append(all, call{"Add of a Local", true, func() { l.Add(1) }})
	}
	disposed(t, of.Dispose, all)
}
