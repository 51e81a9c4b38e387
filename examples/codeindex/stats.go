package main

import (
	"context"
	"fmt"
	"io"

	"example.com/custody/examples/codeindex/internal/grep"
	"example.com/custody/examples/codeindex/internal/stats"
	"example.com/custody/parallelfor"
)

// statistics says what is in the tree. With -verify both loops look at it.
func statistics(ctx context.Context, o options, stdout, stderr io.Writer) error {
	tree, err := list(ctx, o)
	if err != nil {
		return err
	}
	p := startProgress("looking", len(tree.Files)*o.passes(), o.progress, stderr)
	var sequential, parallel *stats.Result
	if !o.sequential {
		parallel, err = stats.Parallel(ctx, tree.Tree, o.top, p.done, parallelfor.Workers(o.workers), parallelfor.Batch(o.batch))
	}
	if err == nil && (o.sequential || o.verify) {
		sequential, err = stats.Sequential(ctx, tree.Tree, o.top, p.done)
	}
	p.stop()
	if err != nil {
		return err
	}
	r := parallel
	if r == nil {
		r = sequential
	}
	out := grep.NewPrinter(stdout, stderr, tree.prefix)
	if err := out.End(r.PrintUnread(out)); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s\n\n", tree.Name)
	if err := r.Write(stdout); err != nil || !o.verify {
		return err
	}
	if err := stats.Same(sequential, parallel); err != nil {
		return fmt.Errorf("the parallel loop differs from the sequential one: %w", err)
	}
	_, err = fmt.Fprintln(stdout, "\nverified: what is said of every file, and every identifier, is what the sequential loop says")
	return err
}
