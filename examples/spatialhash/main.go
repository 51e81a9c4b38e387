package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"

	"example.com/custody/examples/internal/program"
	"example.com/custody/examples/spatialhash/internal/sim"
	"example.com/custody/parallelfor"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program: it returns the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	return program.Run("spatialhash", args, stdout, stderr, parse, simulate)
}

// options are the flags.
type options struct {
	sim.Config
	steps, workers, batch int
	sequential, verify    bool
}

func parse(args []string, stderr io.Writer) (o options, err error) {
	fs := flag.NewFlagSet("spatialhash", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.IntVar(&o.N, "n", 200_000, "how many particles there are")
	fs.Float64Var(&o.Crowd, "crowd", 2, "how many of them a cell has on average; cells are as wide as particles see")
	fs.Uint64Var(&o.Seed, "seed", 1, "decides where the particles are at first")
	fs.IntVar(&o.steps, "steps", 10, "how many steps are made")
	fs.IntVar(&o.workers, "workers", runtime.GOMAXPROCS(0), "how many workers run the loops")
	fs.IntVar(&o.batch, "batch", 0, "how many indices a cell of a loop has; 0 is automatic")
	fs.BoolVar(&o.sequential, "sequential", false, "run the plain loops only")
	fs.BoolVar(&o.verify, "verify", false, "prove that both runs are the same, bit for bit, and fail otherwise")
	if err := fs.Parse(args); err != nil {
		return o, err
	}
	return o, o.check(fs.Args())
}

// check refuses what makes no sense.
func (o options) check(rest []string) error {
	switch {
	case len(rest) > 0:
		return fmt.Errorf("unexpected argument %q", rest[0])
	case o.steps < 1:
		return fmt.Errorf("-steps %d: at least 1 is needed", o.steps)
	case o.workers < 1:
		return fmt.Errorf("-workers %d: at least 1 is needed", o.workers)
	case o.batch < 0:
		return fmt.Errorf("-batch %d: it is at least 1, or 0 for automatic", o.batch)
	case o.sequential && o.verify:
		return errors.New("-verify compares two runs, and -sequential makes only one")
	}
	return o.Check()
}

// simulate makes the steps and reports.
func simulate(o options, w io.Writer) error {
	plain := sim.NewSequential(o.Config)
	var parallel *sim.Parallel
	if !o.sequential {
		parallel = sim.NewParallel(o.Config, parallelfor.Workers(o.workers), parallelfor.Batch(o.batch))
	}
	for range o.steps {
		plain.Step()
		if parallel != nil {
			parallel.Step()
		}
	}
	if err := report(o, plain, parallel, w); err != nil || !o.verify {
		return err
	}
	if err := sim.Same(plain, parallel); err != nil {
		return fmt.Errorf("the parallel run differs from the sequential one: %w", err)
	}
	_, err := fmt.Fprintln(w, "\nverified: every group, every particle and every count of all steps is that of the sequential run")
	return err
}
