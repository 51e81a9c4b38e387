package route

import (
	"slices"
	"sync"
	"sync/atomic"

	"example.com/custody/examples/router/internal/grid"
	"example.com/custody/examples/router/internal/search"
)

// Goroutines searches the ways by goroutines and an atomic counter, without the library: how much faster than one after the other that is
// tells what the machine has to give at the moment. Nobody checks who touches what.
type Goroutines struct {
	task   grid.Task
	limit  int32
	nodes  [][]search.Node // by goroutine
	routes []Route
}

// NewGoroutines returns searches by so many goroutines that give up at a limit of expanded cells, 0 for never.
func NewGoroutines(t grid.Task, limit, workers int) *Goroutines {
	g := &Goroutines{task: t, limit: int32(limit), routes: make([]Route, len(t.Goals))}
	for range min(workers, len(t.Goals)) {
		g.nodes = append(g.nodes, make([]search.Node, t.Cells()))
	}
	return g
}

// Run searches all ways.
func (g *Goroutines) Run() {
	var next atomic.Int32
	var all sync.WaitGroup
	for _, nodes := range g.nodes {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(g.routes); i = int(next.Add(1)) - 1 {
				clear(nodes)
				q := search.Query{Start: g.task.Start, Goal: g.task.Goals[i], Limit: g.limit}
				r := &g.routes[i]
				r.Result, r.Path = search.Find(g.task.Shape, g.task.Costs, q, nodes, r.Path[:0])
			}
		})
	}
	all.Wait()
}

// Routes returns what was found last.
func (g *Goroutines) Routes() []Route { return slices.Clone(g.routes) }
