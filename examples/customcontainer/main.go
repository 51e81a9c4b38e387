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
	return program.Run("customcontainer", args, stdout, stderr, parse, work)
}

// options are the flags.
type options struct {
	zerocount.Options
	misuses bool
}

func parse(args []string, stderr io.Writer) (o options, err error) {
	o.Options, err = zerocount.Parse("customcontainer", 1<<22, args, stderr, func(fs *flag.FlagSet) {
		fs.BoolVar(&o.misuses, "misuses", false, "do not count, but break each rule of the counter once")
	})
	return o, err
}

func work(o options, w io.Writer) error {
	if o.misuses {
		return list(o, w)
	}
	times, err := zerocount.Measure(o.Options, ways, func(way way) (string, zerocount.Count) { return way.name, way.count })
	if err != nil {
		return err
	}
	return report(o.Options, times, w)
}

func report(o zerocount.Options, times []time.Duration, w io.Writer) error {
	fmt.Fprintf(w, "%v\n\n", o)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "way\ttime\tan element\tof the plain loop\tof the library's\t")
	for k, way := range ways {
		each, ratio, library := float64(times[k].Nanoseconds())/float64(max(o.N, 1)), against(times[k], times[0]), ""
		if way.like >= 0 {
			library = fmt.Sprintf("%.2f", against(times[k], times[way.like]))
		}
		fmt.Fprintf(tw, "%s\t%v\t%.2f ns\t%.2f\t%s\t%s\n", way.name, times[k].Round(10*time.Microsecond), each, ratio, library, way.what)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, "\nall ways counted the same")
	return err
}

func against(a, b time.Duration) float64 { return float64(a) / float64(max(b, 1)) }
