package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"text/tabwriter"
	"time"

	"example.com/custody/examples/internal/program"
	"example.com/custody/examples/internal/zerocount"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program: it returns the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	return program.Run("countzeros", args, stdout, stderr, parse, work)
}

func parse(args []string, stderr io.Writer) (zerocount.Options, error) {
	return zerocount.Parse("countzeros", 1<<23, args, stderr, func(*flag.FlagSet) {})
}

func work(o zerocount.Options, w io.Writer) error {
	times, err := zerocount.Measure(o, variants, func(v variant) (string, zerocount.Count) { return v.name, v.count })
	if err != nil {
		return err
	}
	return report(o, times, w)
}

func report(o zerocount.Options, times []time.Duration, w io.Writer) error {
	fmt.Fprintf(w, "%v\n\n", o)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "way\ttime\tan element\tratio\t")
	for k, v := range variants {
		perElement := float64(times[k].Nanoseconds()) / float64(max(o.N, 1))
		ratio := float64(times[k]) / float64(max(times[0], 1))
		fmt.Fprintf(tw, "%s\t%v\t%.2f ns\t%.2f\t%s\n", v.name, times[k].Round(10*time.Microsecond), perElement, ratio, v.what)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, "\nall ways counted the same")
	return err
}
