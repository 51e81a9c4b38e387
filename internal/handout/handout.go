// Package handout lets tests decide which worker runs which batch. A parallel test whose batches
// all ran on the caller proves nothing, and on two idle cores most small tests do that.
package handout

import (
	"math/rand/v2"

	"example.com/custody/internal/atom"
)

// Force makes every job hand out its batches to all its workers, each on a goroutine of its own, in
// an order drawn from seed; a job of more than a million batches hands them out as ever. It lasts
// until stop is called. Force is process-wide and for tests only.
func Force(seed uint64) (stop func()) {
	drawn.Store(seed)
	forced.Store(1)
	return func() { forced.Store(0) }
}

// Forced reports whether jobs must hand out their batches.
func Forced() bool { return forced.Load() != 0 }

var (
	forced atom.HiddenUint32
	drawn  atom.HiddenUint64
)

// Deal returns the batches of each worker in the order in which the worker runs them, or nil when
// handing out is not forced or the batches are more than a million. With at least two batches and
// two workers, at least two workers have some.
func Deal(batches, workers int) [][]int {
	if !Forced() || batches > 1e6 {
		return nil
	}
	r := rand.New(rand.NewPCG(drawn.Load(), uint64(batches)<<16|uint64(workers)))
	hands := make([][]int, workers)
	for i, c := range r.Perm(batches) {
		w := i
		if i >= workers {
			w = r.IntN(workers)
		}
		hands[w] = append(hands[w], c)
	}
	return hands
}
