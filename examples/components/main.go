package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"example.com/custody/examples/components/internal/sim"
	"example.com/custody/examples/internal/program"
	"example.com/custody/parallelfor"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program: it returns the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	return program.Run("components", args, stdout, stderr, parse, simulate)
}

// options are the flags.
type options struct {
	n, chunk, steps, batch int
	workers                []int
}

func parse(args []string, stderr io.Writer) (o options, err error) {
	workers := ""
	fs := flag.NewFlagSet("components", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.IntVar(&o.n, "n", 100_000, "how many entities there are")
	fs.IntVar(&o.chunk, "chunk", 1024, "how many rows a chunk has")
	fs.IntVar(&o.steps, "steps", 50, "how many steps are made")
	fs.IntVar(&o.batch, "batch", 0, "how many entities, or chunks, a batch of a loop has; 0 is automatic, -1 is one worker")
	fs.StringVar(&workers, "workers", "1,2,8", "how many workers run the loops: one simulation for each number")
	if err := fs.Parse(args); err != nil {
		return o, err
	}
	for number := range strings.SplitSeq(workers, ",") {
		n, err := strconv.Atoi(number)
		if err != nil || n < 1 {
			return o, fmt.Errorf("-workers %s: numbers of at least 1, with commas between them, are needed", workers)
		}
		o.workers = append(o.workers, n)
	}
	switch {
	case fs.NArg() > 0:
		return o, fmt.Errorf("unexpected argument %q", fs.Arg(0))
	case o.n < 0:
		return o, fmt.Errorf("-n %d: it is at least 0", o.n)
	case o.chunk < 1:
		return o, fmt.Errorf("-chunk %d: at least 1 is needed", o.chunk)
	case o.steps < 1:
		return o, fmt.Errorf("-steps %d: at least 1 is needed", o.steps)
	case o.batch < -1:
		return o, fmt.Errorf("-batch %d: it is at least 1, or 0 for automatic, or -1 for one worker", o.batch)
	}
	return o, nil
}

// simulate makes the steps, of all simulations in turns, and reports.
func simulate(o options, w io.Writer) error {
	costs := sim.Costs() // before anything else, so that the first is the first
	plain := sim.NewPlain(o.n)
	var all []*sim.Columns
	for _, workers := range o.workers {
		all = append(all, sim.NewColumns(o.n, o.chunk, parallelfor.Workers(workers), parallelfor.Batch(o.batch)))
	}
	for range o.steps {
		plain.Step()
		for _, s := range all {
			s.Step()
		}
	}
	if err := report(o, plain, all, costs, w); err != nil {
		return err
	}
	for k, s := range all {
		if err := sim.Same(plain, s); err != nil {
			return fmt.Errorf("what %d workers left is not what the plain loops did: %w", o.workers[k], err)
		}
	}
	_, err := fmt.Fprintf(w, "\nverified: at any number of workers, every bit of every component is that of the plain loops, checksum %016x\n", plain.Sum())
	return err
}
