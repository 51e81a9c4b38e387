package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"example.com/custody/examples/codeindex/internal/grep"
	"example.com/custody/examples/codeindex/internal/index"
	"example.com/custody/examples/codeindex/internal/words"
)

// query prints the lines that have the identifiers, and returns the exit status for when it came to its end.
func query(ctx context.Context, o options, stdout, stderr io.Writer) (code int, err error) {
	tree, err := list(ctx, o)
	if err != nil {
		return 0, err
	}
	made := map[bool]*words.Index{} // whether it was the sequential loop
	code, err = verified(o, tree.prefix, stdout, stderr, func(sequential bool, out *grep.Printer) error {
		plan := o.plan()
		plan.SequentialOnly = sequential
		x, err := words.Make(ctx, tree.Tree, plan, startProgress("", 0, false, stderr).done)
		if err != nil {
			return err
		}
		made[sequential] = x
		if err = x.PrintUnread(out); err == nil {
			err = x.Print(ctx, x.Find(o.query), out)
		}
		return out.End(err)
	})
	if err != nil || !o.verify {
		return code, err
	}
	return code, sameIndex(made[true], made[false])
}

// sameIndex is an error unless two indexes are the same.
func sameIndex(sequential, parallel *words.Index) error {
	if err := words.Same(sequential, parallel); err != nil {
		return fmt.Errorf("the parallel loop's index differs from the sequential one's: %w", err)
	}
	return nil
}

// mostFrequent indexes the identifiers with both loops, in turns, and reports.
func mostFrequent(ctx context.Context, o options, stdout, stderr io.Writer) error {
	tree, err := list(ctx, o)
	if err != nil {
		return err
	}
	p := startProgress("indexing", len(tree.Files)*o.passes(), o.progress, stderr)
	m, err := words.Measure(ctx, tree.Tree, o.plan(), p.done)
	p.stop()
	if err != nil {
		return err
	}
	x := m.Index()
	out := grep.NewPrinter(stdout, stderr, tree.prefix)
	if err := out.End(x.PrintUnread(out)); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s: %d files, listed in %v\n", tree.Name, len(tree.Files), tree.took.Round(time.Millisecond))
	fmt.Fprintf(stdout, "%s\n\n", x.Summary())
	if err := words.WriteFrequent(stdout, x.Frequent(o.top)); err != nil {
		return err
	}
	fmt.Fprintln(stdout)
	if err := index.WriteTimes(stdout, m.SequentialTimes, m.ParallelTimes, x.Bytes, o.workers); err != nil || !o.verify {
		return err
	}
	if err := sameIndex(m.Sequential, m.Parallel); err != nil {
		return err
	}
	_, err = fmt.Fprintln(stdout, "verified: all identifiers, their order and all lines of each are those of the sequential loop")
	return err
}
