// Codeindex counts lines, words, bytes and zero bytes of a source tree, by extension, in a parallel
// loop, and says how much faster that is than the sequential loop.
//
//	go -C examples run ./codeindex                    the Go source tree
//	go -C examples run ./codeindex -dir ~/src -verify that tree, and prove both loops equal
//
// It exits with 1 when the tree cannot be walked, or with -verify when the loops differ; with 2 when
// its arguments make no sense; with 130 when interrupted.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"example.com/custody/examples/codeindex/internal/index"
)

const (
	exitFailed      = 1
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
	err = count(ctx, o, stdout, stderr)
	switch {
	case err == nil:
		return 0
	case ctx.Err() != nil:
		fmt.Fprintln(stderr, "codeindex: interrupted")
		return exitInterrupted
	}
	fmt.Fprintln(stderr, "codeindex:", err)
	return exitFailed
}

// count walks, counts and reports.
func count(ctx context.Context, o options, stdout, stderr io.Writer) error {
	fsys, name, err := index.Source(ctx, o.dir)
	if err != nil {
		return err
	}
	began := time.Now()
	tree, err := index.Walk(ctx, fsys, name, o.exts)
	if err != nil {
		return err
	}
	walked := time.Since(began)

	p := startProgress(len(tree.Files)*o.passes(), o.progress, stderr)
	passes, err := index.Measure(ctx, tree, o.plan(), p.done)
	p.stop()
	if err != nil {
		return err
	}
	return report(o, tree, passes, walked, stdout, stderr)
}

// report writes what was counted, and fails when it was to be verified and is not right.
func report(o options, tree *index.Tree, m *index.Measured, walked time.Duration, stdout, stderr io.Writer) error {
	r := m.Result()
	fmt.Fprintf(stdout, "%s: %d files, listed in %v\n\n", tree.Name, len(tree.Files), walked.Round(time.Millisecond))
	if err := errors.Join(
		index.WriteTable(stdout, tree, r, o.top),
		writeLine(stdout),
		index.WriteChars(stdout, r, 8),
		writeLine(stdout),
		index.WriteProblems(stderr, tree, r, o.top),
		index.WriteSpeed(stdout, m, o.workers),
	); err != nil {
		return err
	}
	if !o.verify {
		return nil
	}
	if err := m.Verify(tree); err != nil {
		return fmt.Errorf("the parallel loop differs from the sequential one:\n%w", err)
	}
	_, err := fmt.Fprintln(stdout, "verified: every count of every file, extension and byte is that of the sequential loop")
	return err
}

func writeLine(w io.Writer) error {
	_, err := fmt.Fprintln(w)
	return err
}
