package custodytest

import (
	"strconv"
	"testing"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/handout"
	"example.com/custody/internal/phrase"
	"example.com/custody/parallelfor"
)

// Equivalent asserts that a loop leaves, bit for bit, what it leaves sequentially: run makes its containers, passes the options on to every loop that it runs, and
// returns what came of it. It is called with several batches, for each of which the reference is parallelfor.Sequential, and with 1, 2 and 8 workers, some times each. The
// first difference fails the test, with the path to it.
//
// A short loop is over before a second worker has come, and would be compared with itself. So with several workers only the first call leaves it to the driver who runs
// what; in the others each batch is handed to one of them, on a goroutine of its own and in an order drawn from a seed, and with two batches or more at least two workers
// have some. That concerns the whole process: loops of tests that run beside it are handed out, too, and leave what they would have left.
//
// Results are compared through pointers, slices, maps, interfaces and unexported fields; floats by their bits, so that a NaN is equal to itself and -0 is not 0. Keys of
// maps are the same when the map finds one by the other; of those that are not equal to themselves, each must have one that looks like it. Return
// values, as the elements of an array, rather than containers: of these the lanes and the locks are compared, too. A loop whose options say
// themselves how many workers it has is not tested by this.
//
// Cost: some 40 calls of run.
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

// rounds is how often each number of workers is tried.
const rounds = 3

// call calls run, and but for the first round and for one worker hands its jobs out to all workers.
func call[R any](round, workers int, run func() R) R {
	if round > 0 && workers > 1 {
		defer handOut(uint64(round))()
	}
	return run()
}

// forced is how many calls have jobs handed out at the moment: the last of them ends that.
var forced struct {
	mu    atom.Mutex
	calls int
}

// handOut has all jobs handed out until the returned function is called. Where somebody else does so already, for longer, it leaves it at that.
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
