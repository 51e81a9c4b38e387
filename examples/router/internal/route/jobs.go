package route

import (
	"slices"
	"strconv"

	"example.com/custody/array"
	"example.com/custody/examples/router/internal/grid"
	"example.com/custody/examples/router/internal/search"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// router searches the way to one goal. All routers read the costs together; what a router finds goes into outputs of its own.
type router struct {
	Costs  array.Reader[uint8]
	Result array.ValueWriter[search.Result]
	Path   array.ParallelWriter[grid.Cell]
	Shape  grid.Shape
	Query  search.Query
	Worker parallelfor.Worker
}

func (j *router) Execute() {
	nodes := parallelfor.Scratch[search.Node](j.Worker, j.Shape.Cells())
	result, path := search.Find(j.Shape, j.Costs.Slice(), j.Query, nodes, j.Path.AvailableBuffer())
	j.Result.Store(result)
	j.Path.AppendAll(path)
}

// Jobs searches the ways to all goals of a task by single jobs.
type Jobs struct {
	task    grid.Task
	limit   int32
	costs   *array.Array[uint8]
	results []*array.Value[search.Result]
	paths   []*array.List[grid.Cell]
	names   []string
	handles []parallelfor.Handle
	pool    *parallelfor.Pool // nil: the jobs are executed one by one
	how     parallelfor.Option
}

// NewJobs returns searches that give up at a limit of expanded cells, 0 for never. Of so many workers the one is the goroutine that calls
// Run, and the others are those of a pool, which Close ends.
func NewJobs(t grid.Task, limit, workers int) *Jobs {
	j := &Jobs{task: t, limit: int32(limit), handles: make([]parallelfor.Handle, len(t.Goals))}
	j.how = parallelfor.Inline()
	if workers > 1 {
		j.pool = parallelfor.NewPool(workers - 1)
		j.how = parallelfor.On(j.pool)
	}
	j.costs = array.Of(t.Costs, safety.Named("costs"))
	for i := range t.Goals {
		name := strconv.Itoa(i)
		j.results = append(j.results, array.NewValue(search.Result{Outcome: search.Unasked}, safety.Named("result "+name)))
		j.paths = append(j.paths, array.NewList[grid.Cell](safety.Named("path "+name)))
		j.names = append(j.names, "goal "+name)
	}
	return j
}

// Run searches all ways. The jobs are completed in order: found is called with what the first one has found as soon as that is
// complete, while the others run, and so on; nil is nobody. The path is good until found returns.
//
// The pool's workers take jobs in the order in which they were scheduled, which is from the last to the first; and to complete a job that
// nobody has begun is to execute it. So the two sides come towards each other, and nobody waits before they meet. Were the first scheduled
// first, the pool would always have begun the one that is to be completed next, and the caller would do nothing but wait.
func (j *Jobs) Run(found func(goal int, r search.Result, path []grid.Cell)) {
	for i, goal := range slices.Backward(j.task.Goals) {
		j.paths[i].Clear()
		j.handles[i] = parallelfor.ScheduleDo(router{
			Costs: j.costs.Reader(), Result: j.results[i].Writer(), Path: j.paths[i].ParallelWriter(),
			Shape: j.task.Shape, Query: search.Query{Start: j.task.Start, Goal: goal, Limit: j.limit},
		}, (*router).Execute, parallelfor.Name(j.names[i]), j.how)
	}
	for i, h := range j.handles {
		h.Complete()
		if found != nil { // the outputs of job i are ours again, and the costs and all other outputs are not
			found(i, j.results[i].Load(), j.paths[i].Slice())
		}
	}
}

// Routes returns what was found last.
func (j *Jobs) Routes() []Route {
	routes := make([]Route, len(j.results))
	for i := range routes {
		routes[i] = Route{j.results[i].Load(), slices.Clone(j.paths[i].Slice())}
	}
	return routes
}

// Close ends the pool.
func (j *Jobs) Close() {
	if j.pool != nil {
		j.pool.Close()
	}
}
