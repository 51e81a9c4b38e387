package main

import (
	"fmt"
	"math/bits"
	"slices"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// cell is the number of a cell of a square grid. A border of walls is around the grid, so that
// every cell has four neighbours.
type cell = int32

// grid has what it costs to enter each cell, from 1 to highest; 0 is a wall.
type grid struct {
	stride cell // from a cell to the one below it
	costs  []uint8
}

const highest = 10

// steps returns how many steps two cells are apart without walls.
func (g *grid) steps(a, b cell) int32 {
	x, y := a%g.stride-b%g.stride, a/g.stride-b/g.stride
	return max(x, -x) + max(y, -y)
}

// route is what a search finds. That there is no way is a result, not an error.
type route struct {
	found          bool
	cost, expanded int32 // of all cells that the way enters; cells whose neighbours were looked at
}

// node is what a search knows of a cell: the cheapest cost so far, and the cell before. The zero
// node knows nothing.
type node struct {
	cost   int32
	before cell
	closed bool
}

// find is A*: it searches the cheapest way and appends its cells to path. Nodes are zero, one for
// each cell. The estimates of open cells differ by highest+1 at most, so 64 lists are the queue.
func (g *grid) find(start, goal cell, nodes []node, path []cell) (route, []cell) {
	var open [64][]cell // by estimate; a cell may be in several
	var used uint64     // bit k: open[k] is not empty
	offer := func(c, before cell, cost int32) {
		if n := &nodes[c]; n.before == 0 || cost < n.cost {
			*n = node{cost: cost, before: before}
			k := (cost + g.steps(c, goal)) % 64
			open[k] = append(open[k], c)
			used |= 1 << k
		}
	}
	r := route{}
	offer(start, start, 0)
	for least := g.steps(start, goal); used != 0; {
		least += int32(bits.TrailingZeros64(bits.RotateLeft64(used, -int(least%64))))
		list := &open[least%64]
		at := (*list)[len(*list)-1]
		if *list = (*list)[:len(*list)-1]; len(*list) == 0 {
			used &^= 1 << (least % 64)
		}
		n := &nodes[at]
		if at == goal {
			r.found, r.cost = true, n.cost
			return r, g.trace(nodes, start, goal, path)
		}
		if n.closed { // a cheaper way led here before
			continue
		}
		n.closed = true
		r.expanded++
		for _, to := range [4]cell{at + 1, at + g.stride, at - 1, at - g.stride} {
			if step := int32(g.costs[to]); step > 0 {
				offer(to, at, n.cost+step)
			}
		}
	}
	return r, path
}

func (g *grid) trace(nodes []node, start, goal cell, path []cell) []cell {
	begun := len(path)
	for at := goal; at != start; at = nodes[at].before {
		path = append(path, at)
	}
	path = append(path, start)
	slices.Reverse(path[begun:])
	return path
}

// search is a job that finds the way to one goal. All searches read the costs together, so they
// need no order; each has outputs of its own.
type search struct {
	Costs       array.Reader[uint8]
	Route       array.ValueWriter[route]
	Path        array.ParallelWriter[cell]
	Stride      cell
	Start, Goal cell
	Worker      parallelfor.Worker // whose memory the nodes use again
}

func (s *search) Execute() {
	g := grid{stride: s.Stride, costs: s.Costs.Slice()}
	nodes := parallelfor.Scratch[node](s.Worker, len(g.costs))
	r, path := g.find(s.Start, s.Goal, nodes, s.Path.AvailableBuffer())
	s.Route.Store(r)
	s.Path.AppendAll(path)
}

// router searches the ways from one start to many goals.
type router struct {
	costs  *array.Array[uint8]
	routes []*array.Value[route]
	paths  []*array.List[cell]
	opts   []parallelfor.Option
}

func newRouter(g grid, goals int, opts ...parallelfor.Option) *router {
	r := &router{costs: array.Of(g.costs, safety.Named("costs")), opts: opts}
	for i := range goals {
		r.routes = append(r.routes, array.NewValue(route{}, safety.Named(fmt.Sprint("route ", i))))
		r.paths = append(r.paths, array.NewList[cell](safety.Named(fmt.Sprint("path ", i))))
	}
	return r
}

// run schedules a job for each goal, the last first, and completes them, the first first: the pool
// begins with the jobs that the caller completes last. The outputs of a completed job are the
// caller's while the others run.
func (r *router) run(stride, start cell, goals []cell, found func(goal int, r route, path []cell)) {
	handles := make([]parallelfor.Handle, len(goals))
	for i, goal := range slices.Backward(goals) {
		r.paths[i].Clear()
		handles[i] = parallelfor.ScheduleDo(search{
			Costs: r.costs.Reader(), Route: r.routes[i].Writer(), Path: r.paths[i].ParallelWriter(),
			Stride: stride, Start: start, Goal: goal,
		}, (*search).Execute, r.opts...)
	}
	for i, h := range handles {
		h.Complete()
		found(i, r.routes[i].Load(), r.paths[i].Slice())
	}
}
