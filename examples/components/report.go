package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"

	"example.com/custody/examples/components/internal/sim"
)

// report writes how long all took, and what was seen of the filter.
func report(o options, plain *sim.Plain, all []*sim.Columns, w io.Writer) error {
	chunks, archetypes := all[0].World.Chunks()
	fmt.Fprintf(w, "%d entities of %d archetypes in %d chunks, 4 columns, %d systems, %d steps\n\n", o.n, archetypes, chunks, sim.Systems, o.steps)

	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "a step\ttime\t")
	base := median(plain.Took)
	fmt.Fprintf(tw, "plain loops\t%v\t\n", rounded(base))
	for k, s := range all {
		took := median(s.Took)
		fmt.Fprintf(tw, "systems, %d workers\t%v\t%.2f times as fast\n", o.workers[k], rounded(took), float64(base)/float64(max(took, 1)))
	}
	if err := tw.Flush(); err != nil {
		return err
	}

	fmt.Fprintln(w)
	first := all[0] // whose first schedules are the first of their types
	tw = tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "system\tentities\tchunks\tfirst schedule\tlater ones\t")
	for k, name := range sim.Names {
		entities, chunks := first.Of(k)
		fmt.Fprintf(tw, "%s\t%d\t%d\t%v\t%v\t\n", name, entities, chunks, exact(first.Costs[k][0]), exact(median(first.Costs[k][1:])))
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "(%d workers; times are medians, but for the first)\n\nlocate, whose positions are Changed, looked at %d chunks in the first step and at %d in the last\n",
		o.workers[0], first.Seen[0], first.Seen[len(first.Seen)-1])
	return err
}

func median(times []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(times))
	return sorted[len(sorted)/2]
}

func rounded(d time.Duration) time.Duration { return d.Round(10 * time.Microsecond) }

func exact(d time.Duration) time.Duration { return d.Round(100 * time.Nanosecond) }
