package parallelfor

// grid cuts the indices [0, n) into cells at multiples of batch. Every body call, write range, lane
// run and partial sum is exactly one cell, whoever runs it, so results do not depend on the workers.
type grid struct{ n, batch, cells int }

const (
	autoCells   = 512 // at most so many cells when the batch is automatic
	autoSmall   = 16  // so many cells for loops too short to be worth more
	autoAtLeast = 64  // indices that make further cells worth while
)

// newGrid returns the grid of n indices: cells of batch indices; for batch 0 cells of a length that is a function
// of n alone: single indices up to n = 16; then 16 cells, until they have 64 indices; then cells of 64,
// until there are 512; then 512 cells. For batch -1 there is one cell.
func newGrid(n, batch int) grid {
	switch {
	case batch == -1:
		batch = max(n, 1)
	case batch == 0:
		batch = max(divUp(n, autoCells), min(divUp(n, autoSmall), autoAtLeast), 1)
	}
	return grid{n: n, batch: batch, cells: divUp(n, batch)}
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
