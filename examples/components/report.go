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
func report(o options, plain *sim.Plain, all []*sim.Columns, costs [sim.Systems]sim.Cost, w io.Writer) error {
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
	tw = tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "system\tentities\tchunks\tfirst schedule\tlater ones\t")
	for k, name := range sim.Names {
		entities, chunks := all[0].Of(k)
		fmt.Fprintf(tw, "%s\t%d\t%d\t%v\t%v\t\n", name, entities, chunks, exact(costs[k].First), exact(costs[k].Later))
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	seen := all[0].Seen
	_, err := fmt.Fprintf(w, "(times are of steps, in medians; and of schedules that find nothing to do, completed)\n\n"+
		"locate, whose positions are Changed, looked at %d chunks in the first step and at %d in the last\n", seen[0], seen[len(seen)-1])
	return err
}

func median(times []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(times))
	return sorted[len(sorted)/2]
}

func rounded(d time.Duration) time.Duration { return d.Round(10 * time.Microsecond) }

func exact(d time.Duration) time.Duration { return d.Round(10 * time.Nanosecond) }
