package main

import (
	"io"
	"os"

	"example.com/custody/examples/internal/program"
	"example.com/custody/examples/router/internal/grid"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program: it returns the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	return program.Run("router", args, stdout, stderr, parse, work)
}

func work(o options, w io.Writer) error {
	task := grid.New(o.Config)
	if o.missing {
		return missing(o, task, w)
	}
	return search(o, task, w)
}
