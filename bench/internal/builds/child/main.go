// Command child does a side's work of package builds for another process.
package main

import (
	"fmt"
	"os"

	"example.com/custody/bench/internal/builds"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "child: which work, and which side's?")
		os.Exit(2)
	}
	if err := builds.Serve(os.Args[1], os.Args[2], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "child:", err)
		os.Exit(2)
	}
}
