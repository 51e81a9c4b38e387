package fuzz

import (
	"testing"
)

// LoopOf has the ways in which a driver runs a parallel loop, as functions. At least one is
// required.
//
// A way calls body for batches of the indices of [0, n), and returns when that is done. Batches
// begin at the multiples of batch, or of a number that the driver chooses if batch is 0. At most
// workers goroutines run the loop; workers is at least 1. The argument worker of a call is a number
// in [0, workers) that no concurrent call has.
//
// If the body panics, the way panics with the same value, or with an error that wraps it. If the
// body ends its goroutine, the way ends the goroutine of its caller.
type LoopOf struct {
	// For runs a body that returns nothing.
	For func(n, batch, workers int, body func(worker, begin, end int))
	// ForErr runs a body that may fail. It returns the body's error or one that wraps it.
	ForErr func(n, batch, workers int, body func(worker, begin, end int) error) error
	// Schedule starts the loop of For and returns. wait returns when the loop is done, and fails as
	// For does. It may be called again, and by several goroutines.
	Schedule func(n, batch, workers int, body func(worker, begin, end int)) (wait func())
}

func (l *LoopOf) lacks() []string {
	return lacks([]call{
		{name: "For", has: l.For != nil}, {name: "ForErr", has: l.ForErr != nil}, {name: "Schedule", has: l.Schedule != nil},
	})
}

// way is one of the functions of a LoopOf, as a function whose body may fail.
type way struct {
	name string
	errs bool // whether run returns errors
	run  func(n, batch, workers int, body func(worker, begin, end int) error) error
}

// ways returns the ways that the driver has.
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

// must panics with err unless it is nil.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// ParallelFor tests a driver of parallel loops. The subtests are:
//
//	model         random loops, compared with the sequential loop. Every index runs once, batches lie
//	              on the grid, no two concurrent calls have the same worker, and the loop fails as it
//	              must. A failure shows the smallest loop.
//	conservation  many concurrent loops, also nested; the largest n; several goroutines that wait for
//	              one loop
//	failure       panics, errors and Goexit of bodies surface and free the caller, and the driver
//	              still works
//	misuse        loops over no index, negative n, and the cases of Misuses
//
// With [LowestFails] the failure that surfaces must be that of the lowest failing index, and all
// batches below its batch must have run.
//
// In a fuzz target, where t is a *testing.F, ParallelFor reads inputs as loops instead and runs
// them as the subtest model does.
//
// Cost: about 1 s, or a few seconds with the race detector.
func ParallelFor(t testing.TB, of LoopOf, opts ...Option) {
	t.Helper()
	if f, ok := t.(*testing.F); ok {
		newLoopSuite(f, of, settingsOf(opts)).script().fuzz(f)
		return
	}
	runLoop(tested{testOf(t)}, of, settingsOf(opts))
}

// loopSuite is the suite for a driver.
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
