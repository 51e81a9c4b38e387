package route

import (
	"slices"

	"example.com/custody/array"
	"example.com/custody/examples/router/internal/grid"
	"example.com/custody/examples/router/internal/search"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// routers searches the way to goal i at index i.
type routers struct {
	Costs   array.Reader[uint8]
	Goals   array.Reader[grid.Cell]
	Results array.Writer[search.Result]
	Paths   array.StreamParallelWriter[grid.Cell]
	Shape   grid.Shape
	Start   grid.Cell
	Limit   int32
	Worker  parallelfor.Worker
}

func (j *routers) Execute(i int) {
	nodes := parallelfor.Scratch[search.Node](j.Worker, j.Shape.Cells())
	q := search.Query{Start: j.Start, Goal: j.Goals.At(i), Limit: j.Limit}
	result, path := search.Find(j.Shape, j.Costs.Slice(), q, nodes, j.Paths.AvailableBuffer())
	j.Results.Set(i, result)
	j.Paths.AppendAll(i, path)
}

// Loop searches the ways to all goals of a task in one parallel loop.
type Loop struct {
	job     routers
	costs   *array.Array[uint8]
	goals   *array.Array[grid.Cell]
	results *array.Array[search.Result]
	paths   *array.Stream[grid.Cell]
	opts    []parallelfor.Option
}

// NewLoop returns searches that give up at a limit of expanded cells, 0 for never.
func NewLoop(t grid.Task, limit int, opts ...parallelfor.Option) *Loop {
	return &Loop{
		job:     routers{Shape: t.Shape, Start: t.Start, Limit: int32(limit)},
		costs:   array.Of(t.Costs, safety.Named("costs")),
		goals:   array.Of(t.Goals, safety.Named("goals")),
		results: array.New[search.Result](len(t.Goals), safety.Named("results")),
		paths:   array.NewStream[grid.Cell](safety.Named("paths")),
		opts:    append([]parallelfor.Option{parallelfor.Batch(1)}, opts...), // a search is long: each is handed out by itself
	}
}

// Run searches all ways.
func (l *Loop) Run() {
	l.paths.Clear()
	job := l.job
	job.Costs, job.Goals = l.costs.Reader(), l.goals.Reader()
	job.Results, job.Paths = l.results.Writer(), l.paths.ParallelWriter()
	parallelfor.For(l.goals.Len(), job, (*routers).Execute, l.opts...)
}

// Routes returns what was found last.
func (l *Loop) Routes() []Route {
	routes := make([]Route, l.paths.Len())
	for i, path := range l.paths.All() {
		routes[i] = Route{l.results.At(i), slices.Clone(path)}
	}
	return routes
}
