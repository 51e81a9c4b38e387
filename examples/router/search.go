package main

import (
	"fmt"
	"io"

	"example.com/custody/examples/router/internal/grid"
	"example.com/custody/examples/router/internal/rounds"
	"example.com/custody/examples/router/internal/route"
	astar "example.com/custody/examples/router/internal/search"
	"example.com/custody/parallelfor"
)

// search searches in all forms and reports.
func search(o options, t grid.Task, w io.Writer) error {
	plain := route.NewSequential(t, o.limit)
	one := &form{name: "one after the other", run: plain.Run}
	if o.rounds {
		plain.Run()
		facts(o, t, plain.Routes(), w)
		return roundly(o, t, one, plain, w)
	}
	jobs := route.NewJobs(t, o.limit, o.workers)
	defer jobs.Close()
	loop := route.NewLoop(t, o.limit, parallelfor.Workers(o.workers))
	hand := route.NewGoroutines(t, o.limit, o.workers)
	forms := []*form{
		one,
		{name: "a job for each goal", run: func() { jobs.Run(nil) }},
		{name: "one parallel loop", run: loop.Run},
		{name: "goroutines by hand", run: hand.Run},
	}
	measure(forms, o.repeat)
	facts(o, t, plain.Routes(), w)
	if err := speeds(o, forms, w); err != nil {
		return err
	}
	if err := record(o, jobs, w); err != nil {
		return err
	}
	if o.png != "" {
		if err := drawn(o.png, t, jobs.Routes()); err != nil {
			return err
		}
	}
	if o.verify {
		if err := route.Check(t, plain.Routes()); err != nil {
			return fmt.Errorf("the sequential searches are wrong: %w", err)
		}
		for form, routes := range map[string][]route.Route{"jobs": jobs.Routes(), "loop": loop.Routes(), "goroutines": hand.Routes()} {
			if err := route.Same(plain.Routes(), routes); err != nil {
				return fmt.Errorf("the %s found something else than the sequential searches: %w", form, err)
			}
		}
	}
	return roundly(o, t, one, plain, w)
}

// roundly searches in rounds, to all goals one after the other, and reports. one is what that is compared with.
func roundly(o options, t grid.Task, one *form, plain *route.Sequential, w io.Writer) error {
	calm := newRounder(o, t, rounds.NewSequential(t.Grid))
	busy := newRounder(o, t, rounds.NewParallel(t.Grid, parallelfor.Workers(o.workers)))
	own := &form{name: "rounds, one owner after the other", run: calm.run}
	forms := []*form{{name: one.name, run: one.run}, own, {name: "rounds, owners in parallel", run: busy.run}}
	measure(forms, o.repeat)
	if err := roundSpeeds(o, forms, busy, w); err != nil {
		return err
	}
	if !o.verify {
		return nil
	}
	if err := route.Same(calm.routes, busy.routes); err != nil {
		return fmt.Errorf("the parallel rounds found something else than the sequential ones: %w", err)
	}
	if err := route.Check(t, busy.routes); err != nil {
		return fmt.Errorf("the rounds are wrong: %w", err)
	}
	if err := route.Check(t, plain.Routes()); err != nil {
		return fmt.Errorf("the sequential searches are wrong: %w", err)
	}
	_, err := fmt.Fprintln(w, "\nverified: every form finds what its sequential one does, cell by cell, and no way is cheaper")
	return err
}

// rounder searches to all goals in rounds.
type rounder struct {
	finder
	task   grid.Task
	limit  int32
	routes []route.Route
	rounds int // of all searches together
}

// finder is a search in rounds.
type finder interface {
	Find(q astar.Query, path []grid.Cell) (astar.Result, []grid.Cell)
	Rounds() int
	Owners() int
}

func newRounder(o options, t grid.Task, f finder) *rounder {
	return &rounder{finder: f, task: t, limit: int32(o.limit), routes: make([]route.Route, len(t.Goals))}
}

func (r *rounder) run() {
	r.rounds = 0
	for i, goal := range r.task.Goals {
		at := &r.routes[i]
		at.Result, at.Path = r.Find(astar.Query{Start: r.task.Start, Goal: goal, Limit: r.limit}, at.Path[:0])
		r.rounds += r.Rounds()
	}
}
