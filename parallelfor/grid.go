package parallelfor

import (
	"math"
	"strconv"

	"example.com/custody/safety"
)

// grid cuts the indices [0, n) into cells at multiples of batch. Every body call, write range, lane
// run and partial sum is exactly one cell, whoever runs it, so results do not depend on the workers.
type grid struct {
	n, batch, cells int
	given           int // what batch it was asked for with
}

const (
	autoFew  = 16   // at least so many cells when the batch is automatic, if there are so many indices
	autoMost = 4096 // at most so many
	autoEven = 16   // longer cells have a multiple of so many indices, for neighbours not to share cache lines
)

// newGrid returns the grid of n indices: cells of batch indices; for batch 0 cells of a length that is a function
// of n alone: single indices up to n = 16; then 16 cells, until they have twice the square root of n indices, which
// is so many rounded up to a multiple of 16 from then on; and never more than 4096 cells. For batch -1 there is one cell.
//
// So a short loop of cheap indices is not lost among its cells, a long one has enough of them for many workers,
// and the cost of the cells grows slower than that of the indices.
func newGrid(n, batch int) grid {
	given := batch
	switch {
	case batch == -1:
		batch = max(n, 1)
	case batch == 0:
		long := int(2 * math.Sqrt(float64(n)))
		long = divUp(long, autoEven) * autoEven
		batch = max(divUp(n, autoMost), min(divUp(n, autoFew), long), 1)
	}
	return grid{n: n, batch: batch, cells: divUp(n, batch), given: given}
}

func divUp(a, b int) int {
	q := a / b
	if a%b != 0 {
		q++
	}
	return q
}

// bounds returns the indices [begin, end) of cell c.
func (g *grid) bounds(c int) (begin, end int) {
	begin = c * g.batch
	return begin, begin + min(g.batch, g.n-begin)
}

// cut cuts n indices into cells, and sees to it that there are no more workers than these can use.
func (j *exec) cut(n int) *safety.Violation {
	if b := j.settings.batch; n != j.n || b != j.given || j.cells == 0 { // not as the last time
		j.grid = newGrid(n, b)
	}
	if j.cells > maxCells {
		return argument(j.name, "was scheduled with Batch("+strconv.Itoa(j.settings.batch)+"), which cuts "+strconv.Itoa(n)+" indices into more than "+strconv.Itoa(maxCells)+" cells",
			"Use a larger batch; 0 is automatic.", j.settings.batch)
	}
	j.settings.workers = max(min(j.settings.workers, j.cells), 1)
	return nil
}
