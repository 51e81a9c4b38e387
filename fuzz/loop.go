package fuzz

import (
	"testing"
)

// LoopOf is a driver of parallel loops as the suite sees it: its ways to run a loop as functions. At least
// one of them must be there.
//
// A way runs body for the indices of [0, n), cut into batches, and returns when that is done. The borders of
// batches are the multiples of batch, which is 1 or more, or of a number that the driver chooses for 0. At
// most so many workers run it, 1 or more, and each call says which of them it is: a number of [0, workers)
// that no other call has at the same time.
//
// Where the body panics, the way panics with the same value, or with an error that wraps it; where the body
// ends its goroutine, the way ends the goroutine that called it.
type LoopOf struct {
	// For runs a body that returns nothing.
	For func(n, batch, workers int, body func(worker, begin, end int))
	// ForErr runs a body that may fail, and returns its error or one that wraps it.
	ForErr func(n, batch, workers int, body func(worker, begin, end int) error) error
	// Schedule starts what For does and returns; wait returns when it is done, and fails as For does. It may
	// be called again, and by several goroutines.
	Schedule func(n, batch, workers int, body func(worker, begin, end int)) (wait func())
}

func (l *LoopOf) lacks() []string {
	return lacks([]call{
		{name: "For", has: l.For != nil}, {name: "ForErr", has: l.ForErr != nil}, {name: "Schedule", has: l.Schedule != nil},
	})
}

// way is one way to run a loop whose body may fail.
type way struct {
	name string
	errs bool // errors are returned
	run  func(n, batch, workers int, body func(worker, begin, end int) error) error
}

// ways lists the ways that a driver has.
func (l *LoopOf) ways() (ways []way) {
	if l.For != nil {
		ways = append(ways, way{"For", false, func(n, batch, workers int, body func(worker, begin, end int) error) error {
			l.For(n, batch, workers, func(worker, begin, end int) { must(body(worker, begin, end)) })
			return nil
		}})
	}
	if l.ForErr != nil {
		ways = append(ways, way{"ForErr", true, l.ForErr})
	}
	if l.Schedule != nil {
		ways = append(ways, way{"Schedule", false, func(n, batch, workers int, body func(worker, begin, end int) error) error {
			wait := l.Schedule(n, batch, workers, func(worker, begin, end int) { must(body(worker, begin, end)) })
			wait()
			return nil
		}})
	}
	return ways
}

// must makes a panic of an error.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// ParallelFor tests a driver of parallel loops. The subtests:
//
//	model         drawn loops, against the sequential loop: every index once, batches on the grid, workers'
//	              numbers used once at a time, and how the loop fails; a failure is the smallest loop
//	conservation  many loops at the same time, also in each other; the largest n; loops that are waited for
//	              by several goroutines
//	failure       panics, errors and Goexit of bodies surface and free the caller, and the driver works on
//	misuse        loops over nothing, n below 0, and the cases of Misuses
//
// With [LowestFails] the failure that surfaces must be that of the lowest index that fails, and all batches
// below its batch must have run.
//
// In a fuzz target, where t is a *testing.F, ParallelFor reads inputs as loops instead and runs them
// as the subtest model does.
//
// Cost: about a second, a few with the race detector.
func ParallelFor(t testing.TB, of LoopOf, opts ...Option) {
	t.Helper()
	if f, ok := t.(*testing.F); ok {
		newLoopSuite(f, of, settingsOf(opts)).script().fuzz(f)
		return
	}
	runLoop(tested{testOf(t)}, of, settingsOf(opts))
}

// loopSuite is the suite for one driver.
type loopSuite struct {
	settings
	of LoopOf
}

func newLoopSuite(t testing.TB, of LoopOf, s settings) *loopSuite {
	t.Helper()
	l := &loopSuite{s, of}
	needed(t, "ParallelFor", call{name: "For, ForErr or Schedule", has: len(of.ways()) > 0})
	return l
}

func runLoop(t host, of LoopOf, s settings) {
	t.Helper()
	l := newLoopSuite(t, of, s)
	runParts(t, of.lacks(), []part{
		{"model", true, l.script().model(&l.settings)},
		{"conservation", true, l.conservation},
		{"failure", true, l.failures},
		{"misuse", true, l.misuse(l.ownMisuse)},
	})
}
