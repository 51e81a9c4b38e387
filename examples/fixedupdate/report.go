package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"example.com/custody/examples/fixedupdate/internal/fall"
)

// report writes how many steps a second each form made, where the time of the columns went, and what has happened. An output that fails does so
// again at the end, where it is looked at.
func report(o options, forms []*form, w io.Writer) error {
	fmt.Fprintf(w, "%d objects at first; %d steps in %d parts; %d registered in each, %d removed and %d killed while its job runs\n\n",
		o.n, o.steps, o.Parts, o.churn, o.churn/4, o.churn/4)
	speeds(forms, w)
	fmt.Fprintln(w)
	stages(forms, w)
	fmt.Fprintf(w, "(times are medians of %d steps, made in turns; in parentheses, what the least times say)\n\n", o.steps)
	return facts(forms[byCalls], w)
}

// speeds compares each form with both sequential ones: by medians, and by the least times in parentheses.
func speeds(forms []*form, w io.Writer) {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "\ta step\tleast\tsteps/s\tagainst sequential calls\tand sequential columns")
	for i, f := range forms {
		fmt.Fprintf(tw, "%s\t%v\t%v\t%.0f", f.name, rounded(f.median()), rounded(f.least()), ratio(time.Second, f.median()))
		if i != byCalls {
			fmt.Fprint(tw, "\t", f.against(forms[byCalls]))
		}
		if i >= parallel {
			fmt.Fprint(tw, "\t", f.against(forms[byColumns]))
		}
		fmt.Fprintln(tw)
	}
	_ = tw.Flush()
}

// stages tells where the time of a step goes.
func stages(forms []*form, w io.Writer) {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, name := range fall.StageNames {
		fmt.Fprintf(tw, "%s\t", name)
	}
	fmt.Fprintln(tw, " of a step")
	for _, f := range forms {
		columns, ok := f.World.(*fall.Columns)
		if !ok {
			continue
		}
		for stage := range fall.Stages {
			var times []time.Duration
			for _, step := range columns.Took() {
				times = append(times, step[stage])
			}
			fmt.Fprintf(tw, "%v\t", rounded(median(times)))
		}
		fmt.Fprintf(tw, " %s\n", f.name)
	}
	_ = tw.Flush()
}

// facts writes what has happened, which is the same in all forms.
func facts(f *form, w io.Writer) error {
	t := f.Tally()
	made, wraps := f.Made()
	_, err := fmt.Fprintf(w, "%d objects made: %d in the world, %d removed or burnt out, %d dead and swept, %d called off; %d in the last step\n"+
		"%d results handed back, %d passed by because their objects had died; %d times an object fell below the floor and came out at the top\n"+
		"refused: %d nil items when they were registered, %d requests to add one twice or remove one twice\n",
		made, t.Added, t.Removed, t.Swept, t.CalledOff, f.Len(), t.Moved, t.PassedBy, wraps, f.Wrong, t.Refused)
	return err
}

func rounded(d time.Duration) time.Duration {
	if d > 10*time.Millisecond {
		return d.Round(10 * time.Microsecond)
	}
	if d > 100*time.Microsecond {
		return d.Round(time.Microsecond)
	}
	return d.Round(10 * time.Nanosecond)
}
