package main

import (
	"context"
	"fmt"
	"io"

	"example.com/custody/examples/codeindex/internal/files"
	"example.com/custody/examples/codeindex/internal/grep"
	"example.com/custody/parallelfor"
)

// search prints the lines that match, and returns the exit status for when the search came to its end.
func search(ctx context.Context, o options, stdout, stderr io.Writer) (code int, err error) {
	source, err := files.Open(ctx, o.dir)
	if err != nil {
		return 0, err
	}
	q := grep.Query{Source: source, Exts: o.exts, Pattern: o.pattern}
	return verified(o, source.Prefix, stdout, stderr, func(sequential bool, out *grep.Printer) error {
		if sequential {
			return grep.Sequential(ctx, q, out)
		}
		return grep.Parallel(ctx, q, out, parallelfor.Workers(o.workers), parallelfor.Batch(o.batch))
	})
}

// verified has what was found printed, and returns the exit status. When the search is to be verified it is made again, sequentially, and it is an
// error when that prints another line, or the same ones in another order. What is said of it goes to standard error, so that standard output
// has the lines alone.
func verified(o options, prefix string, stdout, stderr io.Writer, print func(sequential bool, out *grep.Printer) error) (code int, err error) {
	if !o.verify {
		out := grep.NewPrinter(stdout, stderr, prefix)
		if err := print(o.sequential, out); err != nil {
			return 0, err
		}
		return status(out, stderr)
	}
	var got, want transcript
	teed, errs := got.teed(stdout, stderr)
	out := grep.NewPrinter(teed, errs, prefix)
	if err := print(false, out); err != nil {
		return 0, err
	}
	if err := print(true, grep.NewPrinter(&want, &want, prefix)); err != nil {
		return 0, err
	}
	if err := got.same(&want); err != nil {
		return 0, fmt.Errorf("the parallel run differs from the sequential one: %w", err)
	}
	if _, err := fmt.Fprintf(stderr, "verified: the sequential run prints the same; matches: %d\n", out.Matches()); err != nil {
		return 0, err
	}
	return status(out, stderr)
}

// status returns the exit status of a search that came to its end, as grep's. What could not be read is told once more.
func status(out *grep.Printer, stderr io.Writer) (code int, err error) {
	switch {
	case out.Unread() > 0:
		_, err = fmt.Fprintf(stderr, "codeindex: %d could not be read\n", out.Unread())
		return exitTrouble, err
	case out.Matches() == 0:
		return exitNoMatch, nil
	}
	return 0, nil
}
