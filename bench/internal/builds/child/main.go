// Command child does a work of package builds for another process.
package main

import (
	"fmt"
	"os"

	"example.com/custody/bench/internal/builds"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "child: which work?")
		os.Exit(2)
	}
	if err := builds.Serve(os.Args[1], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "child:", err)
		os.Exit(2)
	}
}
