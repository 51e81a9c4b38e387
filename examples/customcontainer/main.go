package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"text/tabwriter"
	"time"

	"example.com/custody/array"
	"example.com/custody/examples/internal/program"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program: it returns the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	return program.Run("customcontainer", args, stdout, stderr, parse, work)
}

func work(o options, w io.Writer) error {
	if o.misuses {
		return list(o, w)
	}
	return count(o, w)
}

// options are the flags.
type options struct {
	n, every, batch, workers, repeat int
	misuses                          bool
}

func parse(args []string, stderr io.Writer) (o options, err error) {
	fs := flag.NewFlagSet("customcontainer", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.IntVar(&o.n, "n", 1<<22, "how many elements the array has")
	fs.IntVar(&o.every, "every", 2, "every so many-th element is 0")
	fs.IntVar(&o.batch, "batch", 8, "how many indices a cell has; 0 is automatic")
	fs.IntVar(&o.workers, "workers", runtime.GOMAXPROCS(0), "how many workers run the loops")
	fs.IntVar(&o.repeat, "repeat", 9, "how often each way is measured, in turns")
	fs.BoolVar(&o.misuses, "misuses", false, "do not count, but break each rule of the counter once")
	if err := fs.Parse(args); err != nil {
		return o, err
	}
	switch {
	case fs.NArg() > 0:
		return o, fmt.Errorf("unexpected argument %q", fs.Arg(0))
	case o.n < 0, o.every < 1, o.batch < 0, o.workers < 1, o.repeat < 1:
		return o, errors.New("-n and -batch must be at least 0, -every, -workers and -repeat at least 1")
	}
	return o, nil
}

// input returns n numbers of which every so many-th is 0, the first too.
func input(n, every int) *array.Array[int32] {
	in := array.New[int32](n, safety.Named("in"))
	for i, s := 0, in.Slice(); i < n; i++ {
		s[i] = int32(i % every)
	}
	return in
}

// count counts by all ways, in turns. Before they are measured each one runs once.
func count(o options, w io.Writer) error {
	in := input(o.n, o.every)
	want := int64((o.n + o.every - 1) / o.every)
	took := make([][]time.Duration, len(ways))
	for round := range o.repeat + 1 {
		for k, way := range ways {
			began := time.Now()
			got := way.count(in, parallelfor.Batch(o.batch), parallelfor.Workers(o.workers))
			if d := time.Since(began); round > 0 {
				took[k] = append(took[k], d)
			}
			if got != want {
				return fmt.Errorf("%s: counted %d zeros of %d", way.name, got, want)
			}
		}
	}
	return report(o, took, w)
}

func report(o options, took [][]time.Duration, w io.Writer) error {
	fmt.Fprintf(w, "%d elements, every %d. is 0, Batch(%d), %d workers; medians of %d\n\n", o.n, o.every, o.batch, o.workers, o.repeat)
	medians := make([]time.Duration, len(took))
	for k := range took {
		slices.Sort(took[k])
		medians[k] = max(took[k][len(took[k])/2], 1)
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "way\ttime\tan element\tof the plain loop\tof the library's\t")
	for k, way := range ways {
		each, ratio, library := float64(medians[k].Nanoseconds())/float64(max(o.n, 1)), float64(medians[k])/float64(medians[0]), ""
		if way.like >= 0 {
			library = fmt.Sprintf("%.2f", float64(medians[k])/float64(medians[way.like]))
		}
		fmt.Fprintf(tw, "%s\t%v\t%.2f ns\t%.2f\t%s\t%s\n", way.name, medians[k].Round(10*time.Microsecond), each, ratio, library, way.what)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, "\nall ways counted the same")
	return err
}
