package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"runtime"

	"example.com/custody/examples/router/internal/grid"
)

// options are the flags.
type options struct {
	grid.Config
	workers, limit, repeat  int
	rounds, missing, verify bool
	png, timeline           string
}

func parse(args []string, stderr io.Writer) (o options, err error) {
	fs := flag.NewFlagSet("router", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.IntVar(&o.Width, "size", 40, "how many cells the grid has along each edge")
	fs.IntVar(&o.Goals, "goals", 10, "how many goals there are")
	fs.Float64Var(&o.Walls, "walls", 0.1, "how many of the cells are walls, from 0 to 1")
	fs.BoolVar(&o.Odd, "odd", true, "of three goals or more, one is the start and one has walls around it")
	fs.Uint64Var(&o.Seed, "seed", 1, "decides what the cells cost, and where the goals are")
	fs.IntVar(&o.workers, "workers", runtime.GOMAXPROCS(0), "how many workers search")
	fs.IntVar(&o.limit, "limit", 0, "at how many expanded cells a search gives up; 0 is never")
	fs.IntVar(&o.repeat, "repeat", 0, "how often each form searches; 0 is as often as fits into a second or two, and with -missing-mark 1000 times")
	fs.BoolVar(&o.rounds, "rounds", false, "search in rounds only")
	fs.BoolVar(&o.missing, "missing-mark", false, "do not search, but show jobs that lack the mark that they only read")
	fs.BoolVar(&o.verify, "verify", false, "prove that all forms find the same, and nothing is cheaper, and fail otherwise")
	fs.StringVar(&o.png, "png", "", "draw the grid and the ways into that file")
	fs.StringVar(&o.timeline, "timeline", "", "write into that file which worker searched when: a picture .svg, a trace .json, or the graph of the jobs .dot")
	if err := fs.Parse(args); err != nil {
		return o, err
	}
	o.Height = o.Width
	return o, o.check(fs.Args())
}

// check refuses what makes no sense.
func (o options) check(rest []string) error {
	switch kind := filepath.Ext(o.timeline); {
	case len(rest) > 0:
		return fmt.Errorf("unexpected argument %q", rest[0])
	case o.workers < 1:
		return fmt.Errorf("-workers %d: at least 1 is needed", o.workers)
	case o.limit < 0 || o.limit > math.MaxInt32:
		return fmt.Errorf("-limit %d: it is 0 for none, or up to %d", o.limit, math.MaxInt32)
	case o.repeat < 0:
		return fmt.Errorf("-repeat %d: it is at least 1, or 0 for automatic", o.repeat)
	case o.timeline != "" && kind != ".svg" && kind != ".json" && kind != ".dot":
		return fmt.Errorf("-timeline %s: the name ends in .svg, .json or .dot", o.timeline)
	case o.rounds && (o.timeline != "" || o.png != ""):
		return errors.New("-rounds makes no pictures: these are of the jobs and what they find")
	case o.missing && (o.rounds || o.verify || o.timeline != "" || o.png != ""):
		return errors.New("-missing-mark searches nothing, so there is nothing to prove or to draw")
	}
	return o.Check()
}
