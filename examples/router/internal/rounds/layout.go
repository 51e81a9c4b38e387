package rounds

import "example.com/custody/examples/router/internal/grid"

// place is the number of a cell in the order of the owners: those of owner 0 come first. A tile is a square of cells that have
// one owner; its places follow each other, row by row. What of it lies outside the grid is wall.
type place = int32

// tile says where a tile is.
type tile struct {
	X, Y  int32                  // its first cell's column and row
	Next  [grid.Directions]place // the first places of its neighbours, or -1
	Owner int32
}

// layout is which owner has which cells.
type layout struct {
	shape  grid.Shape
	frame  frame
	owners int
	tiles  []tile  // by place / frame.area()
	costs  []uint8 // by place
	begins []int   // owner i has the places begins[i] to begins[i+1]
	firsts []place // by column and row of tiles: their first places
	across int32   // how many tiles there are in a row
}

// frame is how large tiles are: a parameter of jobs.
type frame struct {
	Bits int32 // tiles have edges of 1<<Bits cells
}

func (f frame) edge() int32 { return 1 << f.Bits }
func (f frame) area() int32 { return 1 << (2 * f.Bits) }

// tileOf returns the number of a place's tile, and column and row within it.
func (f frame) tileOf(p place) (t, u, v int32) {
	within := p & (f.area() - 1)
	return p >> (2 * f.Bits), within & (f.edge() - 1), within >> f.Bits
}

// sizes returns how many owners a grid has, and how large its tiles are. Small tiles spread the work evenly, and large ones save
// messages. It knows the grid, and nothing of workers.
func sizes(s grid.Shape) (owners int, f frame) {
	if s.Cells() < 1<<16 {
		return 8, frame{Bits: 3}
	}
	return 32, frame{Bits: 4}
}

// newLayout lays a grid out.
func newLayout(g grid.Grid) *layout {
	l := &layout{shape: g.Shape}
	l.owners, l.frame = sizes(g.Shape)
	edge := l.frame.edge()
	l.across = (g.Width + edge - 1) / edge
	down := (g.Height + edge - 1) / edge
	l.firsts = make([]place, l.across*down)
	l.begins = []int{0}
	for owner := range int32(l.owners) {
		for k := range l.across * down {
			if t := (tile{X: k % l.across * edge, Y: k / l.across * edge, Owner: ownerOf(k, l.owners)}); t.Owner == owner {
				l.firsts[k] = place(len(l.tiles)) << (2 * l.frame.Bits)
				l.tiles = append(l.tiles, t)
			}
		}
		l.begins = append(l.begins, len(l.tiles)<<(2*l.frame.Bits))
	}
	l.costs = make([]uint8, len(l.tiles)<<(2*l.frame.Bits))
	for i := range l.tiles {
		t := &l.tiles[i]
		for d := range t.Next {
			t.Next[d] = l.first(t.X+grid.DX[d]*edge, t.Y+grid.DY[d]*edge)
		}
		for y := t.Y; y < min(t.Y+edge, g.Height); y++ {
			row := g.Costs[g.Cell(t.X, y):][:min(edge, g.Width-t.X)]
			copy(l.costs[l.place(g.Cell(t.X, y)):], row)
		}
	}
	return l
}

// ownerOf hashes a tile to its owner: the finishing steps of splitmix64.
func ownerOf(tile int32, owners int) int32 {
	h := uint64(tile) + 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return int32((h ^ h>>31) % uint64(owners))
}

// first returns the first place of the tile that has a cell, or -1 outside the grid.
func (l *layout) first(x, y int32) place {
	if x < 0 || y < 0 || x >= l.shape.Width || y >= l.shape.Height {
		return -1
	}
	return l.firsts[y>>l.frame.Bits*l.across+x>>l.frame.Bits]
}

// place returns where a cell of the grid is.
func (l *layout) place(c grid.Cell) place {
	x, y := l.shape.At(c)
	within := l.frame.edge() - 1
	return l.first(x, y) + (y&within)<<l.frame.Bits + x&within
}

// at returns the column and the row of a place.
func (l *layout) at(p place) (x, y int32) {
	t, u, v := l.frame.tileOf(p)
	return l.tiles[t].X + u, l.tiles[t].Y + v
}

// owner returns whose a place is.
func (l *layout) owner(p place) int32 { return l.tiles[p>>(2*l.frame.Bits)].Owner }
