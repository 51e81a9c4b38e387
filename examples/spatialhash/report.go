package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"example.com/custody/examples/spatialhash/internal/sim"
)

// report writes what was found and how long it took; parallel is nil when only the plain loops ran.
func report(o options, plain *sim.Sequential, parallel *sim.Parallel, w io.Writer) error {
	trace := &plain.Trace
	if parallel != nil {
		trace = &parallel.Trace
	}
	last := trace.Facts[len(trace.Facts)-1]
	edge := o.Edge()
	fmt.Fprintf(w, "%d particles in %d x %d x %d cells, seed %d, %d steps\n", o.N, edge, edge, edge, o.Seed, o.steps)
	fmt.Fprintf(w, "last step: %d pairs near each other, %d occupied cells, the fullest with %d particles\n", last.Pairs, last.Occupied, last.Largest)
	fmt.Fprintf(w, "checksum of all steps: %016x\n\n", trace.Sum())

	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if parallel == nil {
		fmt.Fprintln(tw, "phase\tsequential")
	} else {
		fmt.Fprintf(tw, "phase\tsequential\tparallel\t%d workers\n", o.workers)
	}
	all := times{parallel: parallel != nil}
	for p := range sim.Phases {
		t := times{plain: plain.Time(p), parallel: all.parallel}
		if t.parallel {
			t.jobs = parallel.Time(p)
		}
		t.row(tw, p.String())
		all.plain += t.plain
		all.jobs += t.jobs
	}
	all.row(tw, "all")
	if err := tw.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "(medians of %d steps)\n", o.steps)
	return err
}

// times are how long the plain loops and the jobs took, if these ran.
type times struct {
	plain, jobs time.Duration
	parallel    bool
}

func (t times) row(w io.Writer, name string) {
	fmt.Fprintf(w, "%s\t%v", name, rounded(t.plain))
	if t.parallel {
		fmt.Fprintf(w, "\t%v\t%.2f times as fast", rounded(t.jobs), float64(t.plain)/float64(max(t.jobs, 1)))
	}
	fmt.Fprintln(w)
}

func rounded(d time.Duration) time.Duration { return d.Round(10 * time.Microsecond) }
