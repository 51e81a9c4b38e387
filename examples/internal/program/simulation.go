package program

import (
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"runtime"
	"slices"
	"text/tabwriter"
	"time"
)

// Options are the flags of a simulation.
type Options struct {
	N, Steps, Workers, Chunk int
	Seed                     uint64
}

// Simulate runs a simulation, as [Run] does, with these flags. o has the defaults; what names the n
// things.
func Simulate(name, what string, o Options, args []string, stdout, stderr io.Writer, work func(o Options, w io.Writer) error) int {
	return Run(name, args, stdout, stderr, func(args []string, stderr io.Writer) (Options, error) {
		fs := flag.NewFlagSet(name, flag.ContinueOnError)
		fs.SetOutput(stderr)
		fs.IntVar(&o.N, "n", o.N, "how many "+what+" there are")
		fs.IntVar(&o.Steps, "steps", o.Steps, "how many steps are made")
		fs.IntVar(&o.Chunk, "chunk", o.Chunk, "how many of them a worker takes at a time")
		fs.IntVar(&o.Workers, "workers", runtime.GOMAXPROCS(0), "how many workers run the loops")
		fs.Uint64Var(&o.Seed, "seed", 1, "decides how all begins")
		if err := fs.Parse(args); err != nil {
			return o, err
		}
		switch {
		case fs.NArg() > 0:
			return o, fmt.Errorf("unexpected argument %q", fs.Arg(0))
		case o.N < 1 || o.N > 10_000_000 || o.Steps < 1 || o.Workers < 1 || o.Chunk < 1:
			return o, errors.New("-n is from 1 to 10,000,000; -steps, -workers and -chunk are at least 1")
		}
		return o, nil
	}, work)
}

// Way is one of several ways to make a step.
type Way struct {
	Name string
	Step func()
}

// Race makes steps in all ways, in turns, so that a slow spell of the machine slows all. It writes
// the median time of each, and how many times as fast as the first it is.
func Race(w io.Writer, steps int, ways ...Way) error {
	times := make([][]time.Duration, len(ways))
	for range steps {
		for k, way := range ways {
			began := time.Now()
			way.Step()
			times[k] = append(times[k], time.Since(began))
		}
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	var base time.Duration
	for k, way := range ways {
		slices.Sort(times[k])
		took := max(times[k][steps/2], 1)
		fmt.Fprintf(tw, "%s\t%v a step", way.Name, took.Round(took/1000+1))
		if k == 0 {
			base = took
			fmt.Fprintln(tw)
			continue
		}
		fmt.Fprintf(tw, "\t%.2f times as fast\n", float64(base)/float64(took))
	}
	return tw.Flush()
}

// Verified writes that all states are equal, with a checksum of them, or returns an error. A state
// is what fmt prints of it.
func Verified(w io.Writer, states ...any) error {
	sums := make([]uint64, len(states))
	for k, state := range states {
		h := fnv.New64a()
		fmt.Fprint(h, state)
		if sums[k] = h.Sum64(); sums[k] != sums[0] {
			return fmt.Errorf("way %d leaves another state than the first", k+1)
		}
	}
	_, err := fmt.Fprintf(w, "verified: all ways leave the same, checksum %016x\n", sums[0])
	return err
}
