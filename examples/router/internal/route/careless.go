package route

import (
	"example.com/custody/array"
	"example.com/custody/examples/router/internal/grid"
	"example.com/custody/examples/router/internal/search"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// careless is a router that has the costs to write, though it only reads them.
type careless struct {
	Costs  array.Writer[uint8] // array.Reader[uint8] is meant
	Result array.ValueWriter[search.Result]
	Shape  grid.Shape
	Query  search.Query
	Worker parallelfor.Worker
}

func (j *careless) Execute() {
	nodes := parallelfor.Scratch[search.Node](j.Worker, j.Shape.Cells())
	result, _ := search.Find(j.Shape, j.Costs.Slice(), j.Query, nodes, nil)
	j.Result.Store(result)
}

// Careless schedules two careless jobs, of which neither runs after the other, and returns the violation that the second schedule is.
// It returns nil in builds that check nothing. The first job does not begin before that, so the text never says that it has finished.
func Careless(t grid.Task) (v *safety.Violation) {
	costs := array.Of(t.Costs, safety.Named("costs"))
	begin := make(chan struct{})
	held := parallelfor.Go(gate{begin}, func(g *gate) { <-g.begin })
	var jobs []parallelfor.Handle
	defer func() {
		v, _ = recover().(*safety.Violation)
		close(begin)
		parallelfor.Combine(jobs...).Complete()
	}()
	for range 2 {
		result := array.NewValue(search.Result{}, safety.Named("result"))
		job := careless{Costs: costs.Writer(), Result: result.Writer(), Shape: t.Shape, Query: search.Query{Start: t.Start, Goal: t.Goals[0]}}
		jobs = append(jobs, parallelfor.ScheduleDo(job, (*careless).Execute, parallelfor.Name("router"), parallelfor.After(held)))
	}
	return nil
}

// gate is what a job waits for.
type gate struct {
	begin chan struct{} `custody:"unguarded"`
}
