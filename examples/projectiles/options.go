package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"

	"example.com/custody/examples/projectiles/internal/sim"
)

// options are the flags.
type options struct {
	sim.Config
	frames, rounds, repeat int
	workers                []int
	missing                bool
	png                    string
}

func parse(args []string, stderr io.Writer) (o options, err error) {
	workers := ""
	fs := flag.NewFlagSet("projectiles", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.IntVar(&o.Guns, "n", 10_000, "how many projectiles there are at most: so many guns have one each in the air")
	fs.IntVar(&o.Targets, "targets", 200, "how many targets there are")
	fs.Uint64Var(&o.Seed, "seed", 1, "decides where all are, and who fires at whom")
	fs.IntVar(&o.Chunk, "chunk", 512, "how many rows a chunk has, which a worker takes as a whole")
	fs.StringVar(&workers, "workers", "1,2,8", "how many workers run the jobs: one simulation for each number")
	fs.IntVar(&o.frames, "frames", 100, "how many frames a simulation makes at a time")
	fs.IntVar(&o.rounds, "rounds", 15, "how often each simulation does")
	fs.IntVar(&o.repeat, "repeat", 1000, "with -missing-after, how often that is shown")
	fs.BoolVar(&o.missing, "missing-after", false, "make no frames, but show a job that does not wait for the one that it needs")
	fs.StringVar(&o.png, "png", "", "measure nothing, but draw the arcs of some frames into that file")
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
	return o, o.check(fs.Args())
}

// check refuses what makes no sense.
func (o options) check(rest []string) error {
	switch {
	case len(rest) > 0:
		return fmt.Errorf("unexpected argument %q", rest[0])
	case o.frames < 1:
		return fmt.Errorf("-frames %d: at least 1 is needed", o.frames)
	case o.rounds < 1:
		return fmt.Errorf("-rounds %d: at least 1 is needed", o.rounds)
	case o.repeat < 1:
		return fmt.Errorf("-repeat %d: at least 1 is needed", o.repeat)
	case o.missing && o.png != "":
		return errors.New("-missing-after makes no frames, so there is nothing to draw")
	}
	return o.Check()
}
