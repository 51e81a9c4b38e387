package route

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/custody/examples/router/internal/grid"
	"example.com/custody/examples/router/internal/search"
	"example.com/custody/fuzz"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// allForms searches a task in all forms, twice each, and fails unless they find the same. It returns what that is.
func allForms(t *testing.T, task grid.Task, limit, workers int, seed uint64) []Route {
	t.Helper()
	s := NewSequential(task, limit)
	s.Run()
	defer fuzz.HandOut(seed)()
	jobs := NewJobs(task, limit, workers)
	defer jobs.Close()
	loop := NewLoop(task, limit, parallelfor.Workers(workers))
	hand := NewGoroutines(task, limit, workers)
	for range 2 {
		next := 0
		jobs.Run(func(goal int, r search.Result, path []grid.Cell) {
			require.Equal(t, next, goal, "jobs are completed in order")
			require.NoError(t, Same(s.Routes()[goal:goal+1], []Route{{r, slices.Clone(path)}}))
			next++
		})
		require.Equal(t, len(task.Goals), next)
		loop.Run()
		hand.Run()
		require.NoError(t, Same(s.Routes(), jobs.Routes()))
		require.NoError(t, Same(s.Routes(), loop.Routes()))
		require.NoError(t, Same(s.Routes(), hand.Routes()))
	}
	return s.Routes()
}

func TestAllFormsFindTheSameAtAnyNumberOfWorkers(t *testing.T) {
	for seed := range uint64(12) {
		c := grid.Config{Width: 12 + int(seed*11%37), Height: 12 + int(seed*5%31), Goals: 10, Walls: 0.1 * float64(seed%4), Odd: seed%3 > 0, Seed: seed}
		task := grid.New(c)
		for _, workers := range []int{1, 2, 8} {
			require.NoError(t, Check(task, allForms(t, task, 0, workers, seed)), "%+v workers %d", c, workers)
		}
	}
}

func TestASequentialLoopFindsTheSame(t *testing.T) {
	task := grid.New(grid.Config{Width: 40, Height: 40, Goals: 10, Walls: 0.1, Odd: true, Seed: 1})
	s, loop := NewSequential(task, 0), NewLoop(task, 0, parallelfor.Sequential())
	s.Run()
	loop.Run()
	require.NoError(t, Same(s.Routes(), loop.Routes()))
}

func TestSpecialTasks(t *testing.T) {
	one, row := grid.Of([][]uint8{{3}}), grid.Of([][]uint8{{5, 1, 2, 0, 4}})
	for name, c := range map[string]struct {
		task  grid.Task
		limit int
		want  string
	}{
		"one cell":               {grid.Task{Grid: one, Start: one.Cell(0, 0), Goals: []grid.Cell{one.Cell(0, 0)}}, 0, "found 0"},
		"no goals":               {grid.Task{Grid: one, Start: one.Cell(0, 0)}, 0, ""},
		"a row":                  {grid.Task{Grid: row, Start: row.Cell(0, 0), Goals: []grid.Cell{row.Cell(2, 0), row.Cell(4, 0), row.Cell(3, 0), row.Cell(0, 0)}}, 0, "found 3, no way 0, no way 0, found 0"},
		"a limit":                {grid.Task{Grid: row, Start: row.Cell(0, 0), Goals: []grid.Cell{row.Cell(2, 0), row.Cell(1, 0)}}, 1, "gave up 0, found 1"},
		"all goals are the same": {grid.Task{Grid: row, Start: row.Cell(2, 0), Goals: slices.Repeat([]grid.Cell{row.Cell(0, 0)}, 5)}, 0, "found 6, found 6, found 6, found 6, found 6"},
		"the start is a wall":    {grid.Task{Grid: row, Start: row.Cell(3, 0), Goals: []grid.Cell{row.Cell(3, 0), row.Cell(2, 0)}}, 0, "no way 0, no way 0"},
	} {
		for _, workers := range []int{1, 2, 8} {
			routes := allForms(t, c.task, c.limit, workers, 3)
			require.NoError(t, Check(c.task, routes), name)
			var said strings.Builder
			for i, r := range routes {
				if i > 0 {
					said.WriteString(", ")
				}
				said.WriteString(fmt.Sprint(r.Outcome, " ", r.Cost))
			}
			assert.Equal(t, c.want, said.String(), name)
		}
	}
}

func TestRoutesThatAreWrongAreFound(t *testing.T) {
	task := grid.New(grid.Config{Width: 20, Height: 20, Goals: 4, Odd: true, Seed: 3})
	s := NewSequential(task, 0)
	s.Run()
	far := slices.IndexFunc(s.Routes(), func(r Route) bool { return len(r.Path) > 5 })
	enclosed := slices.IndexFunc(s.Routes(), func(r Route) bool { return r.Outcome == search.NoWay })
	for _, c := range []struct {
		goal  int
		spoil func(r *Route)
		says  string
	}{
		{far, func(r *Route) { r.Cost++ }, "the search says"},
		{far, func(r *Route) { r.Path = slices.Delete(slices.Clone(r.Path), 2, 3) }, "no step leads"},
		{far, func(r *Route) { r.Path = r.Path[1:] }, "does not lead from the start"},
		{far, func(r *Route) { r.Path = nil }, "does not lead from the start"},
		{far, func(r *Route) { *r = Route{Result: search.Result{Outcome: search.NoWay}} }, "no way was found, and there is one"},
		{far, func(r *Route) { r.Outcome = search.GaveUp }, "gave up, but it has a path"},
		{enclosed, func(r *Route) { r.Cost = 1 }, "no way, but it has a path"},
		{far, func(r *Route) { // there and back again
			r.Path = append([]grid.Cell{r.Path[0], r.Path[1]}, r.Path...)
			r.Cost += int32(task.Costs[r.Path[1]]) + int32(task.Costs[r.Path[0]])
		}, "and the cheapest one costs"},
	} {
		routes := slices.Clone(s.Routes())
		c.spoil(&routes[c.goal])
		assert.ErrorContains(t, Check(task, routes), c.says)
		assert.ErrorContains(t, Same(s.Routes(), routes), fmt.Sprintf("goal %d", c.goal))
	}
	assert.ErrorContains(t, Check(task, nil), "4 goals and 0 routes")
	assert.ErrorContains(t, Same(s.Routes(), nil), "4 routes and 0")
}

// violation returns what f panics with, if that is a violation.
func violation(f func()) (v *safety.Violation) {
	defer func() { v, _ = recover().(*safety.Violation) }()
	f()
	return nil
}

// What the completed job has found is there, and what others will find is not, whether or not they have finished.
func TestOutputsComeBackOneByOne(t *testing.T) {
	if !safety.Enabled {
		t.Skip("this build checks nothing")
	}
	for _, workers := range []int{1, 2, 8} {
		jobs := NewJobs(grid.New(grid.Config{Width: 20, Height: 20, Goals: 3, Seed: 1}), 0, workers)
		jobs.Run(func(goal int, r search.Result, path []grid.Cell) {
			require.Len(t, path, jobs.paths[goal].Len())
			require.Equal(t, jobs.costs.Len(), jobs.task.Cells(), "what all jobs read may be read")
			if goal < 2 {
				require.ErrorIs(t, violation(func() { jobs.costs.Set(0, 1) }), safety.ErrInFlight)
				require.ErrorIs(t, violation(func() { jobs.paths[goal+1].Len() }), safety.ErrInFlight)
				require.ErrorIs(t, violation(func() { jobs.results[goal+1].Load() }), safety.ErrInFlight)
			}
		})
		jobs.Close()
	}
}

func TestTheMissingMarkIsAlwaysTheSameViolation(t *testing.T) {
	if !safety.Enabled {
		t.Skip("this build checks nothing")
	}
	task := grid.New(grid.Config{Width: 5, Height: 5, Goals: 1, Seed: 1})
	first := Careless(task)
	require.ErrorIs(t, first, safety.ErrConflict)
	require.Equal(t, []string{`array.Array[uint8] "costs"`, "router", "Costs", "router", "Costs"},
		[]string{first.Container, first.Job, first.Field, first.OtherJob, first.OtherField})
	for range 999 {
		require.Equal(t, *first, *Careless(task))
	}
}

func BenchmarkForms(b *testing.B) {
	task := grid.New(grid.Config{Width: 40, Height: 40, Goals: 10, Walls: 0.1, Odd: true, Seed: 1})
	jobs := NewJobs(task, 0, 2)
	defer jobs.Close()
	for _, f := range []struct {
		name string
		run  func()
	}{
		{"sequential", NewSequential(task, 0).Run},
		{"goroutines", NewGoroutines(task, 0, 2).Run},
		{"jobs", func() { jobs.Run(nil) }},
		{"loop", NewLoop(task, 0, parallelfor.Workers(2)).Run},
	} {
		b.Run(f.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				f.run()
			}
		})
	}
}
