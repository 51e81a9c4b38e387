package custodytest

import (
	"strconv"
	"testing"

	"example.com/custody/parallelfor"
)

// Equivalent asserts that a loop leaves, bit for bit, what it leaves sequentially: run makes its containers, passes the options on to every loop that it runs, and
// returns what came of it. It is called with several batches, for each of which the reference is parallelfor.Sequential, and with 1, 2 and 8 workers, some times each. The
// first difference fails the test, with the path to it.
//
// Results are compared through pointers, slices, maps, interfaces and unexported fields; floats by their bits, so that a NaN is equal to itself and -0 is not 0. Return
// values, as the elements of an array, rather than containers: of these the lanes and the locks are compared, too. A loop whose options say
// themselves how many workers it has is not tested by this.
//
// Cost: some 40 calls of run.
func Equivalent[R any](t testing.TB, run func(opts ...parallelfor.Option) R) {
	t.Helper()
	for _, batch := range [...]int{0, 1, 3, 64} {
		want := run(parallelfor.Batch(batch), parallelfor.Sequential())
		for _, workers := range [...]int{1, 2, 8} {
			for range rounds {
				got := run(parallelfor.Batch(batch), parallelfor.Workers(workers))
				if where := difference(want, got); where != "" {
					t.Fatalf("Batch(%s), %s workers: not what the sequential loop leaves: %s", strconv.Itoa(batch), strconv.Itoa(workers), where)
				}
			}
		}
	}
}

// rounds is how often each number of workers is tried.
const rounds = 3
