// Router searches the cheapest ways over a grid, from one start to several goals, in parallel: by a job for each goal, by one loop
// over the goals, and by rounds in which many owners work on one search. It does the same one after the other and says how many times
// as fast the parallel searches were.
//
//	go -C examples run ./router
//	go -C examples run ./router -size 1000 -verify -workers 7   prove all searches right, and equal to the sequential ones
//	go -C examples run ./router -png ways.png -timeline jobs.svg
//	go -C examples run ./router -missing-mark                   what the library says when jobs do not say that they only read
//
// It exits with 1 when with -verify something is wrong or a file cannot be written, and with 2 when its arguments make no sense.
// Compare the ratios of one run, not the times of two.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"example.com/custody/examples/router/internal/grid"
)

const (
	exitFailed = 1
	exitUsage  = 2
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program: it returns the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	o, err := parse(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		fmt.Fprintln(stderr, "router:", err)
		return exitUsage
	}
	task := grid.New(o.Config)
	if o.missing {
		err = missing(o, task, stdout)
	} else {
		err = search(o, task, stdout)
	}
	if err != nil {
		fmt.Fprintln(stderr, "router:", err)
		return exitFailed
	}
	return 0
}
