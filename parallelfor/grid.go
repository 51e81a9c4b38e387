package parallelfor

import (
	"math"
	"strconv"

	"example.com/custody/safety"
)

// grid cuts the indices [0, n) into batches at multiples of batch. Every body call, write range, lane
// run and partial sum is exactly one batch, whoever runs it, so results do not depend on the workers.
type grid struct {
	n, size, batches int
	given            int // what batch it was asked for with
}

const (
	autoFew  = 16   // at least so many batches when the batch is automatic, if there are so many indices
	autoMost = 4096 // at most so many
	autoEven = 16   // longer batches have a multiple of so many indices, for neighbours not to share cache lines
)

// newGrid returns the grid of n indices: batches of batch indices; for batch 0 batches of a length that is a function
// of n alone: single indices up to n = 16; then 16 batches, until they have twice the square root of n indices, which
// is so many rounded up to a multiple of 16 from then on; and never more than 4096 batches. For batch -1 there is one batch.
//
// So a short loop of cheap indices is not lost among its batches, a long one has enough of them for many workers,
// and the cost of the batches grows slower than that of the indices.
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

// cut cuts n indices into batches, and sees to it that there are no more workers than these can use.
func (j *exec) cut(n int) *safety.Violation {
	if b := j.settings.batch; n != j.n || b != j.given || j.batches == 0 { // not as the last time
		j.grid = newGrid(n, b)
	}
	if j.batches > maxBatches {
		return argument(j.name, "was scheduled with Batch("+strconv.Itoa(j.settings.batch)+"), which cuts "+strconv.Itoa(n)+" indices into more than "+strconv.Itoa(maxBatches)+" batches",
			"Use a larger batch; 0 is automatic.", j.settings.batch)
	}
	j.settings.workers = max(min(j.settings.workers, j.batches), 1)
	return nil
}
