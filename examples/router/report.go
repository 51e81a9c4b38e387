package main

import (
	"fmt"
	"hash/fnv"
	"io"
	"text/tabwriter"
	"time"

	"example.com/custody/examples/router/internal/grid"
	"example.com/custody/examples/router/internal/route"
)

// listed is how many goals are listed at most.
const listed = 20

// facts writes what was found. An output that fails does so again at the end, where it is looked at.
func facts(o options, t grid.Task, routes []route.Route, w io.Writer) {
	fmt.Fprintf(w, "%d x %d cells, costs 1 to %d, %d goals, seed %d\n\n", t.Width, t.Height, grid.Highest, len(t.Goals), o.Seed)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "goal\tcolumn\trow\tcost\tsteps\texpanded\t outcome")
	for i, r := range routes[:min(listed, len(routes))] {
		x, y := t.At(t.Goals[i])
		fmt.Fprintf(tw, "%d\t%d\t%d\t%d\t%d\t%d\t %v\n", i, x, y, r.Cost, max(len(r.Path)-1, 0), r.Expanded, r.Outcome)
	}
	_ = tw.Flush()
	if more := len(routes) - listed; more > 0 {
		fmt.Fprintf(w, "and %d more\n", more)
	}
	fmt.Fprintf(w, "checksum of the ways: %016x\n\n", sum(routes))
}

// sum returns a checksum of all that routes are.
func sum(routes []route.Route) uint64 {
	h := fnv.New64a()
	for _, r := range routes {
		fmt.Fprintln(h, r.Outcome, r.Cost, r.Expanded, r.Path)
	}
	return h.Sum64()
}

// speeds writes how long the forms took, the first of which is the sequential one.
func speeds(o options, forms []*form, w io.Writer) error {
	at := min(o.workers, o.Goals)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(tw, "all goals\tmedian\tleast\t%s\n", workers(o.workers))
	for i, f := range forms {
		fmt.Fprintf(tw, "%s\t%v\t%v", f.name, rounded(f.median()), rounded(f.least()))
		if i > 0 {
			usually, best := f.faster(forms[0])
			fmt.Fprintf(tw, "\t%.2f times as fast, least %.2f: %.2f and %.2f for each of %d", usually, best, usually/float64(at), best/float64(at), at)
		}
		fmt.Fprintln(tw)
	}
	_ = tw.Flush()
	_, err := fmt.Fprintf(w, "(medians and least times of %d)\n", len(forms[0].times))
	return err
}

// roundSpeeds writes how long the rounds took: the first form is A* as it is, the second one rounds in turns.
func roundSpeeds(o options, forms []*form, r *rounder, w io.Writer) error {
	expanded := 0
	for _, found := range r.routes {
		expanded += int(found.Expanded)
	}
	fmt.Fprintf(w, "\nin rounds: %d owners expand %d cells in %d rounds for all goals together\nchecksum of the ways: %016x\n\n", r.Owners(), expanded, r.rounds, sum(r.routes))
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(tw, "all goals\tmedian\tleast\t%s\n", workers(o.workers))
	for i, f := range forms {
		fmt.Fprintf(tw, "%s\t%v\t%v", f.name, rounded(f.median()), rounded(f.least()))
		if i == 2 {
			usually, best := f.faster(forms[1])
			whole, wholeBest := f.faster(forms[0])
			fmt.Fprintf(tw, "\t%.2f times as fast as in turns, least %.2f; %.2f and %.2f times as A*", usually, best, whole, wholeBest)
		}
		fmt.Fprintln(tw)
	}
	_ = tw.Flush()
	_, err := fmt.Fprintf(w, "(medians and least times of %d)\n", len(forms[0].times))
	return err
}

func workers(n int) string {
	if n == 1 {
		return "1 worker"
	}
	return fmt.Sprint(n, " workers")
}

func rounded(d time.Duration) time.Duration {
	if d > 100*time.Millisecond {
		return d.Round(100 * time.Microsecond)
	}
	return d.Round(100 * time.Nanosecond)
}
