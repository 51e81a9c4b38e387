package scheduler

import (
	"fmt"
	"math/rand/v2"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
)

const (
	gridSide  = 40
	gridN     = gridSide * gridSide
	goalCount = 10
	starts    = 10 // of searches for each goal: a job index is then long, as it is on larger grids
)

// search is what the searches for paths to one goal need and find.
type search struct {
	Goal int32
	// Costs are those of the cheapest paths to Goal from the first cells, -1 where there is none.
	// Seen is how many cells were left for good.
	Costs [starts]int32
	Seen  int

	best [gridN]int32
	open [4 * gridN]openCell // a heap; a cell is in it once for each neighbour at most
	size int
}

// String gives what was found.
func (s search) String() string {
	return fmt.Sprintf("%v to %d after %d cells", s.Costs, s.Goal, s.Seen)
}

// openCell is a cell that may be gone through, and what a path through it costs at least.
type openCell struct{ least, cost, cell int32 }

// run finds the cheapest paths. price is what it costs to enter a cell: 1 or more, or 0 for a wall.
// What it leaves depends on price and Goal alone.
func (s *search) run(price []uint8) {
	s.Seen = 0
	for from := range s.Costs {
		s.Costs[from] = s.path(price, int32(from))
	}
}

// path finds the cheapest path from a cell by A*, and returns what it costs, or -1.
func (s *search) path(price []uint8, from int32) int32 {
	for i := range s.best {
		s.best[i] = 1 << 30
	}
	s.size, s.best[from] = 0, 0
	s.push(openCell{s.ahead(from), 0, from})
	for s.size > 0 {
		c := s.pop()
		if c.cost > s.best[c.cell] {
			continue
		}
		s.Seen++
		if c.cell == s.Goal {
			return c.cost
		}
		x := c.cell % gridSide
		if x > 0 {
			s.enter(price, c, c.cell-1)
		}
		if x < gridSide-1 {
			s.enter(price, c, c.cell+1)
		}
		if c.cell >= gridSide {
			s.enter(price, c, c.cell-gridSide)
		}
		if c.cell < gridN-gridSide {
			s.enter(price, c, c.cell+gridSide)
		}
	}
	return -1
}

// enter notes the path to cell through from, if there is none as cheap.
func (s *search) enter(price []uint8, from openCell, cell int32) {
	p := int32(price[cell])
	if cost := from.cost + p; p > 0 && cost < s.best[cell] {
		s.best[cell] = cost
		s.push(openCell{cost + s.ahead(cell), cost, cell})
	}
}

// ahead returns what a path from cell to the goal costs at least: a cell costs 1 or more.
func (s *search) ahead(cell int32) int32 {
	dx, dy := cell%gridSide-s.Goal%gridSide, cell/gridSide-s.Goal/gridSide
	return max(dx, -dx) + max(dy, -dy)
}

func (s *search) push(c openCell) {
	i := s.size
	s.size++
	for i > 0 {
		up := (i - 1) / 2
		if s.open[up].least <= c.least {
			break
		}
		s.open[i] = s.open[up]
		i = up
	}
	s.open[i] = c
}

func (s *search) pop() openCell {
	top := s.open[0]
	s.size--
	c, i := s.open[s.size], 0
	for {
		down := 2*i + 1
		if down >= s.size {
			break
		}
		if down+1 < s.size && s.open[down+1].least < s.open[down].least {
			down++
		}
		if c.least <= s.open[down].least {
			break
		}
		s.open[i] = s.open[down]
		i = down
	}
	s.open[i] = c
	return top
}

// seek is a job with a search for each index.
type seek struct {
	Price    array.Reader[uint8]
	Searches array.Writer[search]
}

func (j *seek) Execute(i int) { j.Searches.Ptr(i).run(j.Price.Slice()) }

// newPaths returns a grid with prices of 1 to 9 and some walls, and searches from the first row to
// cells near the end of the last: each looks at nearly all of the grid, so that all indices have as
// much to do.
func newPaths() (price *array.Array[uint8], searches *array.Array[search]) {
	price, searches = array.New[uint8](gridN), array.New[search](goalCount)
	random := rand.New(rand.NewPCG(3, 4))
	p := price.Slice()
	for i := range p {
		if random.IntN(10) > 0 {
			p[i] = uint8(1 + random.IntN(9))
		}
	}
	found := searches.Slice()
	for i := range found {
		x, y := gridSide-1-i%4, gridSide-1-i/4
		found[i].Goal = int32(y*gridSide + x)
		p[found[i].Goal] = 1
	}
	return price, searches
}

// paths is few indices with much work each.
func paths(r *run) {
	price, searches := newPaths()
	p, found := price.Slice(), searches.Slice()
	part := func(begin, end int) {
		for i := begin; i < end; i++ {
			found[i].run(p)
		}
	}
	loop := func() { part(0, goalCount) }
	s := r.contest(contest{
		work:    "A* to 10 goals on a 40x40 grid, a goal an index",
		loop:    loop,
		ours:    func() { parallelfor.For(goalCount, seek{price.Reader(), searches.Writer()}, (*seek).Execute) },
		by:      loops(goalCount, 1, part),
		results: newCells(found, loop),
	})
	s.AtMostHalf(1.05)
	s.Beside()
}
