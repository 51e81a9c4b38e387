package fuzz

import (
	"testing"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/linear"
	"example.com/custody/internal/spec"
)

// CounterOf has the operations of a counter as functions. Add and Value are required. The suite
// leaves out operations that are nil, and logs their names.
type CounterOf struct {
	// Add adds d. The count wraps around.
	Add func(d int64)
	// Value returns the count. It includes every Add that happened before, and may include any
	// concurrent one.
	Value func() int64
	// Set sets the count to v.
	Set func(v int64)
	// Swap sets the count to v and returns the previous count. Each Add is in the result of exactly
	// one Swap, or in the count.
	Swap func(v int64) int64
	// Reset sets the count to 0.
	Reset func()
	// Local returns a handle for one goroutine that adds to the same count.
	Local func() LocalOf
	// Dispose ends the counter. Every later use panics with an error that is safety.ErrDisposed.
	Dispose func()
}

// LocalOf is a handle of a counter, for one goroutine at a time.
type LocalOf struct {
	// Add adds d to the count of the handle's counter.
	Add func(d int64)
	// Close ends the handle and does not change the count. It is nil if handles are not closed.
	Close func()
}

// calls returns all operations.
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

// Counter tests the counters that fresh returns, whose count must be 0. The subtests are:
//
//	model         random programs of one goroutine, compared with an int64. A failure shows the
//	              smallest program.
//	conservation  concurrent goroutines, also with handles and while GOMAXPROCS changes. No Add is
//	              lost. Value is between the sum that was added before its call and the sum whose
//	              addition began before its return. Each Add is in one Swap.
//	linearizable  short histories of concurrent goroutines, judged against the sequential counter.
//	              Value is linearizable with Linearizable, and within its bounds without it.
//	misuse        use after Dispose, and the cases of Misuses
//
// The suite runs no loops. Test the views of a counter with jobs, in every build. The race detector
// reports views that write plain memory indexed by worker; see lane.Lane.Partial for the
// alternative.
//
// In a fuzz target, where t is a *testing.F, Counter reads inputs as programs of one goroutine
// instead and runs them as the subtest model does.
//
// Cost: about 0.5 s, or a few seconds with the race detector.
func Counter(t testing.TB, fresh func() CounterOf, opts ...Option) {
	t.Helper()
	if f, ok := t.(*testing.F); ok {
		newCounterSuite(f, fresh, settingsOf(opts)).script().fuzz(f)
		return
	}
	runCounter(tested{testOf(t)}, fresh, settingsOf(opts))
}

// counterSuite is the suite for a kind of counter.
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

// ownMisuse uses a disposed counter.
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
