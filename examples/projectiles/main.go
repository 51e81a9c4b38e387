package main

import (
	"io"
	"os"

	"example.com/custody/examples/internal/program"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program: it returns the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	return program.Run("projectiles", args, stdout, stderr, parse, work)
}

func work(o options, w io.Writer) error {
	switch {
	case o.missing:
		return missing(o, w)
	case o.png != "":
		return draw(o, w)
	}
	return simulate(o, w)
}
