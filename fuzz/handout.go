package fuzz

import "example.com/custody/internal/handout"

// HandOut makes every job of package parallelfor hand out its batches to all its workers, each on a
// goroutine of its own, in an order drawn from seed. It lasts until stop is called. On an idle
// machine the caller runs most small loops alone, so a test that compares a parallel loop with the
// sequential one would compare the latter with itself:
//
//	want := run(parallelfor.Sequential())
//	defer fuzz.HandOut(seed)()
//	got := run(parallelfor.Workers(4), parallelfor.Batch(3))
//
// HandOut is process-wide and for tests only. With at least two batches and two workers, at least
// two workers have some of the batches.
func HandOut(seed uint64) (stop func()) { return handout.Force(seed) }
