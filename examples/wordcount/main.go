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

	"example.com/custody/examples/internal/program"
	"example.com/custody/parallelfor"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program: it returns the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	return program.Run("wordcount", args, stdout, stderr, parse, work)
}

func work(o options, w io.Writer) error {
	pieces, unread := texts(o.files)
	return errors.Join(append(unread, measure(o, pieces, w))...)
}

// options are the flags, and the files.
type options struct {
	files                       []string
	top, workers, batch, repeat int
	sequential, verify          bool
}

func parse(args []string, stderr io.Writer) (o options, err error) {
	fs := flag.NewFlagSet("wordcount", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.IntVar(&o.top, "top", 10, "how many words are listed; 0 lists all")
	fs.IntVar(&o.workers, "workers", runtime.GOMAXPROCS(0), "how many workers run the loop")
	fs.IntVar(&o.batch, "batch", 0, "how many pieces of text a batch has; 0 is automatic")
	fs.IntVar(&o.repeat, "repeat", 3, "how often each loop runs, in turns; times are medians")
	fs.BoolVar(&o.sequential, "sequential", false, "run the plain loop only")
	fs.BoolVar(&o.verify, "verify", false, "prove that both loops count the same, and fail otherwise")
	if err := fs.Parse(args); err != nil {
		return o, err
	}
	o.files = fs.Args()
	switch {
	case o.top < 0:
		return o, fmt.Errorf("-top %d: it is at least 0", o.top)
	case o.workers < 1:
		return o, fmt.Errorf("-workers %d: at least 1 is needed", o.workers)
	case o.batch < 0:
		return o, fmt.Errorf("-batch %d: it is at least 1, or 0 for automatic", o.batch)
	case o.repeat < 1:
		return o, fmt.Errorf("-repeat %d: at least 1 is needed", o.repeat)
	case o.sequential && o.verify:
		return o, errors.New("-verify compares two loops, and -sequential runs only one")
	}
	return o, nil
}

// measure runs the loops in turns and reports.
func measure(o options, pieces []string, w io.Writer) error {
	var counts, plain counted
	var times, plainTimes []time.Duration
	for range o.repeat {
		began := time.Now()
		plain = countPlainly(pieces)
		plainTimes = append(plainTimes, time.Since(began))
		if o.sequential {
			counts = plain
			continue
		}
		began = time.Now()
		counts = count(pieces, parallelfor.Workers(o.workers), parallelfor.Batch(o.batch))
		times = append(times, time.Since(began))
	}
	if err := report(o, counts, w); err != nil {
		return err
	}
	fmt.Fprintf(w, "\nsequential  %v\n", median(plainTimes))
	if !o.sequential {
		fmt.Fprintf(w, "parallel    %v, %d workers: %.2f times as fast (medians of %d)\n", median(times), o.workers,
			float64(median(plainTimes))/float64(max(median(times), 1)), o.repeat)
	}
	if !o.verify {
		return nil
	}
	if err := same(plain, counts); err != nil {
		return fmt.Errorf("the parallel loop differs from the sequential one: %w", err)
	}
	_, err := fmt.Fprintln(w, "verified: all words, their order and their counts are those of the sequential loop")
	return err
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2].Round(time.Microsecond)
}

// report writes the most frequent words.
func report(o options, counts counted, w io.Writer) error {
	total := 0
	for _, c := range counts {
		total += c.count
	}
	fmt.Fprintf(w, "%d words, %d different ones\n\n", total, len(counts))
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, c := range counts.first(o.top) {
		fmt.Fprintf(tw, "%d\t  %s\n", c.count, c.word)
	}
	return tw.Flush()
}
