package parallelfor

import (
	"math"
	"strconv"

	"example.com/custody/safety"
)

// grid cuts the indices [0, n) into batches at multiples of size. Each call of a body, write range,
// span of a lane and partial sum is one batch, whichever worker runs it. So results do not depend
// on the workers.
type grid struct {
	n, size, batches int
	given            int // the batch length that was asked for
}

// Bounds of an automatic batch length.
const (
	autoFew  = 64   // the greatest number of batches of a short loop
	autoMost = 4096 // the greatest number of batches
	autoEven = 16   // longer batches are multiples of it, so that neighbours share few cache lines
)

// newGrid returns the grid of n indices in batches of size indices. For size -1 there is one batch.
// For size 0 the length is a function of n alone: single indices up to n = 64; then up to 64
// batches, until these have twice the square root of n indices; from then on batches of that
// length, rounded up to a multiple of 16, but never more than 4096 batches.
//
// So up to n = 16384, 64 workers finish as early as with single indices, if these cost the same.
// The cost of the batches grows slower than that of the indices.
func newGrid(n, size int) grid {
	given := size
	switch {
	case size == -1:
		size = max(n, 1)
	case size == 0:
		long := int(2 * math.Sqrt(float64(n)))
		long = divUp(long, autoEven) * autoEven
		size = max(divUp(n, autoMost), min(divUp(n, autoFew), long), 1)
	}
	return grid{n: n, size: size, batches: divUp(n, size), given: given}
}

func divUp(a, b int) int {
	q := a / b
	if a%b != 0 {
		q++
	}
	return q
}

// bounds returns the indices [begin, end) of batch c.
func (g *grid) bounds(c int) (begin, end int) {
	begin = c * g.size
	return begin, begin + min(g.size, g.n-begin)
}

// cut cuts n indices into batches, and limits the workers to as many.
func (j *exec) cut(n int) *safety.Violation {
	if b := j.settings.batch; n != j.n || b != j.given || j.batches == 0 { // not as the last time
		j.grid = newGrid(n, b)
	}
	if j.batches > maxBatches {
		return misuse(safety.ErrArgument, j.name, "was scheduled with Batch("+strconv.Itoa(j.settings.batch)+"), which cuts "+strconv.Itoa(n)+" indices into more than "+strconv.Itoa(maxBatches)+" batches",
			"Use a larger batch; 0 is automatic.", j.settings.batch)
	}
	j.settings.workers = max(min(j.settings.workers, j.batches), 1)
	return nil
}
