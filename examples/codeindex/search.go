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
	out := grep.NewPrinter(stdout, stderr, source.Prefix)
	if o.sequential {
		err = grep.Sequential(ctx, q, out)
	} else {
		err = grep.Parallel(ctx, q, out, parallelfor.Workers(o.workers), parallelfor.Batch(o.batch))
	}
	if err != nil {
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
