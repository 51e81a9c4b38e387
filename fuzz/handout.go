package fuzz

import "example.com/custody/internal/handout"

// HandOut makes every job of package parallelfor hand its batches out to all its workers, each on a goroutine of its own, in
// an order drawn from seed, until stop is called. On a machine with nothing else to do the caller runs most
// small loops by itself, and a test that compares a parallel loop with the sequential one then compares it with
// itself:
//
//	want := run(parallelfor.Sequential())
//	defer fuzz.HandOut(seed)()
//	got := run(parallelfor.Workers(4), parallelfor.Batch(3))
//
// It concerns the whole process and is for tests only. With two batches and two workers or more, at least two workers have
// some of the batches.
func HandOut(seed uint64) (stop func()) { return handout.Force(seed) }
