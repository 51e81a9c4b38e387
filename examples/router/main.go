package main

import (
	"cmp"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"

	"example.com/custody/examples/internal/program"
	"example.com/custody/parallelfor"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program. It returns the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	o := program.Options{N: 300, Steps: 10, Chunk: 1}
	return program.Simulate("router", "cells along each edge", o, args, stdout, stderr, work)
}

func work(o program.Options, w io.Writer) error {
	if o.N > 4000 {
		return fmt.Errorf("-n %d: there may be 4000", o.N)
	}
	g, start, goals := begin(o)
	plain, jobs := make([]way, len(goals)), make([]way, len(goals))
	nodes := make([]node, len(g.costs))
	var how []parallelfor.Option
	if o.Workers > 1 {
		pool := parallelfor.NewPool(o.Workers - 1) // the caller is a worker too
		defer pool.Close()
		how = append(how, parallelfor.On(pool))
	} else {
		how = append(how, parallelfor.Inline())
	}
	r := newRouter(g, len(goals), how...)
	if err := program.Race(w, o.Steps,
		program.Way{Name: "one after the other", Step: func() {
			for i, goal := range goals {
				clear(nodes)
				plain[i].route, plain[i].path = g.find(start, goal, nodes, plain[i].path[:0])
			}
		}},
		program.Way{Name: fmt.Sprintf("a job for each goal, %d workers", o.Workers), Step: func() {
			r.run(g.stride, start, goals, func(i int, r route, path []cell) {
				jobs[i] = way{route: r, path: append(jobs[i].path[:0], path...)}
			})
		}},
	); err != nil {
		return err
	}
	for i, goal := range goals {
		fmt.Fprintf(w, "goal %d at %d, %d: ", i, goal%g.stride, goal/g.stride)
		if r := plain[i].route; r.found {
			fmt.Fprintf(w, "cost %d, %d steps, %d cells expanded\n", r.cost, len(plain[i].path)-1, r.expanded)
		} else {
			fmt.Fprintf(w, "no way, %d cells expanded\n", r.expanded)
		}
	}
	return program.Verified(w, plain, jobs)
}

// way is a route and its cells.
type way struct {
	route route
	path  []cell
}

// begin returns a grid, a start in its corner, and ten goals, from far to near. A tenth of the
// cells are walls. One goal is the start, and one has walls around it.
func begin(o program.Options) (g grid, start cell, goals []cell) {
	r := rand.New(rand.NewPCG(o.Seed, 1))
	g = grid{stride: cell(o.N) + 2}
	g.costs = make([]uint8, g.stride*g.stride)
	at := func(x, y int) cell { return cell(y+1)*g.stride + cell(x+1) }
	for y := range o.N {
		for x := range o.N {
			if cost := uint8(1 + r.IntN(highest)); r.IntN(10) > 0 {
				g.costs[at(x, y)] = cost
			}
		}
	}
	start = at(0, 0)
	goals = append(goals, start)
	for range 8 {
		goals = append(goals, at(r.IntN(o.N), r.IntN(o.N)))
	}
	enclosed := at(o.N/2, o.N/2)
	for _, c := range []cell{enclosed - 1, enclosed + 1, enclosed - g.stride, enclosed + g.stride} {
		g.costs[c] = 0
	}
	goals = append(goals, enclosed)
	for _, c := range goals {
		g.costs[c] = max(g.costs[c], 1)
	}
	slices.SortFunc(goals, func(a, b cell) int { return cmp.Compare(g.steps(start, b), g.steps(start, a)) })
	return g, start, goals
}
