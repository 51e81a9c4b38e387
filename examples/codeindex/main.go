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
	r := record(o.timeline)
	code, failed, err := perform(ctx, o, stdout, stderr)
	if e := r.written(stderr); err == nil {
		err = e
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

// perform does what was asked for, and returns the exit status, and what that is should there be an error.
func perform(ctx context.Context, o options, stdout, stderr io.Writer) (code, failed int, err error) {
	failed = exitTrouble
	switch o.mode {
	case "grep":
		code, err = search(ctx, o, stdout, stderr)
	case "query":
		code, err = query(ctx, o, stdout, stderr)
	case "stats":
		failed = exitFailed
		err = statistics(ctx, o, stdout, stderr)
	case "words":
		failed = exitFailed
		err = mostFrequent(ctx, o, stdout, stderr)
	default:
		failed = exitFailed
		err = count(ctx, o, stdout, stderr)
	}
	return code, failed, err
}
