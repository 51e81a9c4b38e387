package route

import (
	"example.com/custody/examples/router/internal/grid"
	"example.com/custody/examples/router/internal/search"
)

// Sequential searches the ways to all goals of a task one after the other, without the library: what the parallel forms must equal, and
// what their speed is measured against. Its memory is used again, too.
type Sequential struct {
	task   grid.Task
	limit  int32
	nodes  []search.Node
	routes []Route
}

// NewSequential returns searches that give up at a limit of expanded cells, 0 for never.
func NewSequential(t grid.Task, limit int) *Sequential {
	return &Sequential{task: t, limit: int32(limit), nodes: make([]search.Node, t.Cells()), routes: make([]Route, len(t.Goals))}
}

// Run searches all ways.
func (s *Sequential) Run() {
	for i, goal := range s.task.Goals {
		clear(s.nodes)
		r := &s.routes[i]
		q := search.Query{Start: s.task.Start, Goal: goal, Limit: s.limit}
		r.Result, r.Path = search.Find(s.task.Shape, s.task.Costs, q, s.nodes, r.Path[:0])
	}
}

// Routes returns what was found last. It is good until the next run.
func (s *Sequential) Routes() []Route { return s.routes }
