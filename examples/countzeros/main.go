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
	return program.Run("countzeros", args, stdout, stderr, parse, work)
}

// options are the flags.
type options struct {
	n, every, batch, workers, repeat int
}

func parse(args []string, stderr io.Writer) (o options, err error) {
	fs := flag.NewFlagSet("countzeros", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.IntVar(&o.n, "n", 1<<23, "how many elements the array has")
	fs.IntVar(&o.every, "every", 2, "every so many-th element is 0")
	fs.IntVar(&o.batch, "batch", 8, "how many indices a cell has; 0 is automatic")
	fs.IntVar(&o.workers, "workers", runtime.GOMAXPROCS(0), "how many workers run the loops")
	fs.IntVar(&o.repeat, "repeat", 9, "how often each way is measured, in turns")
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

func work(o options, w io.Writer) error {
	in := input(o.n, o.every)
	times, err := measure(o, in)
	if err != nil {
		return err
	}
	return report(o, times, w)
}

// input returns n numbers of which every so many-th is 0, the first too.
func input(n, every int) *array.Array[int32] {
	in := array.New[int32](n, safety.Named("in"))
	for i, s := 0, in.Slice(); i < n; i++ {
		s[i] = int32(i % every)
	}
	return in
}

// measure returns the median time of each variant. Before that each one runs once, unmeasured.
func measure(o options, in *array.Array[int32]) ([]time.Duration, error) {
	want := int64((o.n + o.every - 1) / o.every)
	all := make([][]time.Duration, len(variants))
	for round := range o.repeat + 1 {
		for k, v := range variants {
			began := time.Now()
			got := v.count(in, parallelfor.Batch(o.batch), parallelfor.Workers(o.workers))
			took := time.Since(began)
			if got != want {
				return nil, fmt.Errorf("%s: counted %d zeros of %d", v.name, got, want)
			}
			if round > 0 {
				all[k] = append(all[k], took)
			}
		}
	}
	medians := make([]time.Duration, len(variants))
	for k, times := range all {
		slices.Sort(times)
		medians[k] = times[len(times)/2]
	}
	return medians, nil
}

func report(o options, times []time.Duration, w io.Writer) error {
	batch := fmt.Sprintf("Batch(%d)", o.batch)
	fmt.Fprintf(w, "%d elements, every %d. is 0, %s, %d workers; medians of %d\n\n", o.n, o.every, batch, o.workers, o.repeat)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "way\ttime\tan element\tratio\t")
	for k, v := range variants {
		perElement := float64(times[k].Nanoseconds()) / float64(max(o.n, 1))
		ratio := float64(times[k]) / float64(max(times[0], 1))
		fmt.Fprintf(tw, "%s\t%v\t%.2f ns\t%.2f\t%s\n", v.name, times[k].Round(10*time.Microsecond), perElement, ratio, v.what)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, "\nall ways counted the same")
	return err
}
