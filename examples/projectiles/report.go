package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"
)

// report writes what has happened and how fast. An output that fails does so again at the end, where it is looked at.
func report(o options, forms []*form, machine *ceiling, w io.Writer) error {
	t, air := forms[0].Tally(), len(forms[0].Poses())
	fmt.Fprintf(w, "%d guns, %d targets, seed %d: %s of %s, and %d before\n", o.Guns, o.Targets, o.Seed, counted(o.rounds, "round"), counted(o.frames, "frame"), warm)
	fmt.Fprintf(w, "in the last frame %d projectiles were in the air; of %d that were fired %d have landed, %d of them at a target; %d targets are gone\n\n",
		air, t.Fired, t.Landed, t.Hits, t.Killed)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "frames a second\tmedian\tbest\tas the plain loops\tas the sequential jobs")
	for i, f := range forms {
		fmt.Fprintf(tw, "%s\t%.0f\t%.0f", f.name, second(f.median()), second(f.least()))
		for _, other := range forms[:min(i, 2)] {
			usually, best := f.faster(other)
			fmt.Fprintf(tw, "\t%.2f times, best %.2f", usually, best)
		}
		fmt.Fprintln(tw)
	}
	_ = tw.Flush()
	slices.Sort(machine.ratios)
	_, err := fmt.Fprintf(w, "(%s made the frames of %d plain ones at the same time %.2f times as fast as one after the other, at best %.2f)\n",
		counted(len(machine.all), "goroutine"), len(machine.all), machine.ratios[len(machine.ratios)/2], machine.ratios[len(machine.ratios)-1])
	return err
}

// second returns how many frames there are in one.
func second(frame time.Duration) float64 { return float64(time.Second) / float64(max(frame, 1)) }

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprint(n, " ", what, "s")
}
