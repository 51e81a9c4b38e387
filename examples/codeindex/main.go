// Codeindex counts lines, words, bytes and zero bytes of a source tree, by extension, in a parallel
// loop, and says how much faster that is than the sequential loop. Or it finds the lines that match a
// pattern, and prints them as grep -rn does, in the order of the files and lines.
//
//	go -C examples run ./codeindex                    the Go source tree
//	go -C examples run ./codeindex -dir ~/src -verify that tree, and prove both loops equal
//	go -C examples run ./codeindex -grep 'func Sort'  what is called so in the Go source tree
//
// It exits with 1 when the tree cannot be walked, or with -verify when the loops differ; with 2 when
// its arguments make no sense; with 130 when interrupted. A search exits as grep does: with 0 when
// something matched, with 1 when nothing did, and with 2 when something could not be read.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
)

const (
	exitFailed      = 1
	exitNoMatch     = 1 // of a search, as grep's
	exitTrouble     = 2 // of a search, as grep's
	exitUsage       = 2
	exitInterrupted = 130
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is the program: it returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := parse(args, stderr)
	switch {
	case errors.Is(err, errHelp):
		return 0
	case err != nil:
		fmt.Fprintln(stderr, "codeindex:", err)
		return exitUsage
	}
	code, failed := 0, exitFailed
	if o.grep != nil {
		code, err = search(ctx, o, stdout, stderr)
		failed = exitTrouble
	} else {
		err = count(ctx, o, stdout, stderr)
	}
	switch {
	case err == nil:
		return code
	case ctx.Err() != nil:
		fmt.Fprintln(stderr, "codeindex: interrupted")
		return exitInterrupted
	}
	fmt.Fprintln(stderr, "codeindex:", err)
	return failed
}
