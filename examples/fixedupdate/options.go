package main

import (
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"

	"example.com/custody/examples/fixedupdate/internal/fall"
)

// options are the flags.
type options struct {
	fall.Config
	n, churn, steps int
	workers         []int
	seed            uint64
	trace           string
}

const (
	mostObjects = 10_000_000
	mostWorkers = 10_000
	mostChurn   = 1_000_000
)

func parse(args []string, stderr io.Writer) (o options, err error) {
	workers := ""
	fs := flag.NewFlagSet("fixedupdate", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.IntVar(&o.n, "n", 10_000, "how many objects there are at first")
	fs.IntVar(&o.churn, "churn", 40, "how many objects are registered during each step; a quarter as many are removed, and a quarter die")
	fs.IntVar(&o.steps, "steps", 200, "how many steps are made")
	fs.IntVar(&o.Parts, "parts", 8, "in how many parts a step is computed: the work that each object is")
	fs.IntVar(&o.Chunk, "chunk", 256, "how many objects are a batch of the loops")
	fs.StringVar(&workers, "workers", "1,2,8", "how many workers run the loops: one world for each number and form")
	fs.Uint64Var(&o.seed, "seed", 1, "decides where objects are at first, and what happens to them")
	fs.StringVar(&o.trace, "trace", "", "write an execution trace of some more steps into that file: each stage is a region of it")
	if err := fs.Parse(args); err != nil {
		return o, err
	}
	for number := range strings.SplitSeq(workers, ",") {
		n, err := strconv.Atoi(number)
		if err != nil || n < 1 || n > mostWorkers {
			return o, fmt.Errorf("-workers %s: numbers from 1 to %d, with commas between them, are needed", workers, mostWorkers)
		}
		o.workers = append(o.workers, n)
	}
	switch {
	case fs.NArg() > 0:
		return o, fmt.Errorf("unexpected argument %q", fs.Arg(0))
	case o.n < 0 || o.n > mostObjects:
		return o, fmt.Errorf("-n %d: it is from 0 to %d", o.n, mostObjects)
	case o.churn < 0 || o.churn > mostChurn:
		return o, fmt.Errorf("-churn %d: it is from 0 to %d", o.churn, mostChurn)
	case o.steps < 1:
		return o, fmt.Errorf("-steps %d: at least 1 is needed", o.steps)
	case o.Parts < 1:
		return o, fmt.Errorf("-parts %d: at least 1 is needed", o.Parts)
	case o.Chunk < 1 || o.Chunk > mostObjects:
		return o, fmt.Errorf("-chunk %d: it is from 1 to %d", o.Chunk, mostObjects)
	}
	return o, nil
}
