package custodytest

import (
	"strconv"
	"testing"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/handout"
	"example.com/custody/internal/phrase"
	"example.com/custody/parallelfor"
)

// Equivalent asserts that a loop leaves, bit for bit, the results of the sequential loop. run makes
// its containers, passes opts to every loop that it runs, and returns the results. Equivalent calls
// it with several batch sizes, and for each with 1, 2 and 8 workers, three times each. The results
// must equal those with parallelfor.Sequential and the same batch size. The first difference fails
// the test, with the path to it.
//
// A short loop ends before a second worker begins, and a comparison would prove nothing. So with
// several workers only the first call leaves the choice of workers to the driver. In the other
// calls all batches are handed out to the workers, each on a goroutine of its own, in an order
// drawn from a seed. With two or more batches, at least two workers have some. Handing out is
// process-wide: loops of concurrent tests are handed out, too, and have the same results as before.
//
// Results are compared through pointers, slices, maps, interfaces and unexported fields. Floats are
// compared by their bits, so a NaN is equal to itself and -0 is not 0. Keys of maps are the same if
// the map finds one by the other. For each key that is not equal to itself, the other map must have
// a key that looks like it. run should return plain values, such as the elements of an array, and
// not containers, whose lanes and locks would be compared as well.
//
// Equivalent does not test a loop whose own options set the number of workers.
//
// Cost: about 40 calls of run.
func Equivalent[R any](t testing.TB, run func(opts ...parallelfor.Option) R) {
	t.Helper()
	for _, batch := range [...]int{0, 1, 3, 64} {
		want := run(parallelfor.Batch(batch), parallelfor.Sequential())
		for _, workers := range [...]int{1, 2, 8} {
			for round := range rounds {
				got := call(round, workers, func() R { return run(parallelfor.Batch(batch), parallelfor.Workers(workers)) })
				if where := difference(want, got); where != "" {
					t.Fatalf("Batch(%s), %s: not what the sequential loop leaves: %s", strconv.Itoa(batch), phrase.Amount(workers, "worker"), where)
				}
			}
		}
	}
}

// rounds is the number of calls with each number of workers.
const rounds = 3

// call calls run. With several workers, all jobs are handed out in the rounds after the first.
func call[R any](round, workers int, run func() R) R {
	if round > 0 && workers > 1 {
		defer handOut(uint64(round))()
	}
	return run()
}

// forced counts the handOut calls that are not stopped. The last stop ends the handing out.
var forced struct {
	mu    atom.Mutex
	calls int
}

// handOut hands out the batches of all jobs until stop is called. If a caller outside of this
// package has already forced handing out, handOut does nothing, because that caller will end it.
func handOut(seed uint64) (stop func()) {
	forced.mu.Lock()
	defer forced.mu.Unlock()
	if forced.calls == 0 && handout.Forced() {
		return func() {}
	}
	forced.calls++
	end := handout.Force(seed)
	return func() {
		forced.mu.Lock()
		defer forced.mu.Unlock()
		if forced.calls--; forced.calls == 0 {
			end()
		}
	}
}
