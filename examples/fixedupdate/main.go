package main

import (
	"io"
	"os"

	"example.com/custody/examples/internal/program"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program: it returns the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	return program.Run("fixedupdate", args, stdout, stderr, parse, simulate)
}
