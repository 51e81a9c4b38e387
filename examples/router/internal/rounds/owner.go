package rounds

import (
	"math"

	"example.com/custody/examples/router/internal/grid"
	"example.com/custody/examples/router/internal/search"
)

// owner is a part of the search: what of it is not in the nodes of its cells.
type owner struct {
	open  search.Frontier
	sent  [][]message // by owner: what was sent in this round
	least int32       // the lowest estimate of what is open or was sent; none
	count int32       // cells expanded in this round
}

func newOwners(l *layout) []owner {
	owners := make([]owner, l.owners)
	for i := range owners {
		owners[i].sent = make([][]message, l.owners)
	}
	return owners
}

// message is a way to another owner's cell.
type message struct {
	To   place
	Cost int32
	Came search.Came
}

// none is an estimate that nothing has.
const none = math.MaxInt32

// field is what all owners know: costs and tiles, by place; and parameters.
type field struct {
	costs []uint8
	tiles []tile
	terms
}

// terms are the parameters of a round.
type terms struct {
	Shape    grid.Shape
	Frame    frame
	ToX, ToY int32 // the goal's column and row
	Bound    int32 // cells with higher estimates are not expanded in this round
	Best     int32 // the cheapest way to the goal that is known costs that; none. What cannot be cheaper is left out
}

// rest returns what a way from a cell to the goal costs at least.
func (t *terms) rest(x, y int32) int32 {
	return t.Shape.Least * (grid.Away(x, t.ToX) + grid.Away(y, t.ToY))
}

// receive takes in messages that another owner has sent. nodes are those of the owner's cells, whose places begin at base.
func (o *owner) receive(f *field, nodes []search.Node, base place, messages []message) {
	for _, m := range messages {
		t, u, v := f.Frame.tileOf(m.To)
		o.open.Offer(nodes, m.To-base, m.Cost, m.Cost+f.rest(f.tiles[t].X+u, f.tiles[t].Y+v), m.Came)
	}
}

// expand does what an owner does with its open cells in a round.
func (o *owner) expand(f *field, nodes []search.Node, base place) {
	o.least, o.count = none, 0
	for i := range o.sent {
		o.sent[i] = o.sent[i][:0]
	}
	edge, bits := f.Frame.edge(), f.Frame.Bits
	within := [grid.Directions]place{1, edge, -1, -edge}
	across := [grid.Directions]place{1 - edge, edge - edge*edge, edge - 1, edge*edge - edge} // to the same row or column of the next tile
	for !o.open.Empty() && o.open.Least() <= f.Bound {
		i := o.open.Pop(nodes)
		o.count++
		cost, at := nodes[i].Cost, base+i
		k, u, v := f.Frame.tileOf(at)
		t := &f.tiles[k]
		first := k << (2 * bits)
		inside := [grid.Directions]bool{u < edge-1, v < edge-1, u > 0, v > 0}
		for d := range inside {
			to := at + within[d]
			if !inside[d] {
				if t.Next[d] < 0 {
					continue
				}
				to = t.Next[d] + at - first + across[d]
			}
			step := int32(f.costs[to])
			if step == grid.Wall {
				continue
			}
			estimate := cost + step + f.rest(t.X+u+grid.DX[d], t.Y+v+grid.DY[d])
			came := search.Came(d) + search.Stepped
			switch own := to - base; {
			case estimate >= f.Best:
			case own >= 0 && int(own) < len(nodes):
				o.open.Offer(nodes, own, cost+step, estimate, came)
			default:
				o.send(f.tiles[to>>(2*bits)].Owner, message{to, cost + step, came}, estimate)
			}
		}
	}
	if !o.open.Empty() {
		o.least = min(o.least, o.open.Least())
	}
}

// send leaves a message for another owner.
func (o *owner) send(to int32, m message, estimate int32) {
	o.sent[to] = append(o.sent[to], m)
	o.least = min(o.least, estimate)
}
