package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"example.com/custody/examples/codeindex/internal/index"
)

// count walks, counts and reports.
func count(ctx context.Context, o options, stdout, stderr io.Writer) error {
	tree, err := list(ctx, o)
	if err != nil {
		return err
	}
	p := startProgress("counting", len(tree.Files)*o.passes(), o.progress, stderr)
	passes, err := index.Measure(ctx, tree.Tree, o.plan(), p.done)
	p.stop()
	if err != nil {
		return err
	}
	return report(o, tree, passes, stdout, stderr)
}

// report writes what was counted, and fails when it was to be verified and is not right.
func report(o options, tree listing, m *index.Measured, stdout, stderr io.Writer) error {
	r := m.Result()
	fmt.Fprintf(stdout, "%s: %d files, listed in %v\n\n", tree.Name, len(tree.Files), tree.took.Round(time.Millisecond))
	if err := errors.Join(
		index.WriteTable(stdout, tree.Tree, r, o.top),
		writeLine(stdout),
		index.WriteChars(stdout, r, 8),
		writeLine(stdout),
		index.WriteProblems(stderr, tree.Tree, r, o.top),
		index.WriteSpeed(stdout, m, o.workers),
	); err != nil {
		return err
	}
	if !o.verify {
		return nil
	}
	if err := m.Verify(tree.Tree); err != nil {
		return fmt.Errorf("the parallel loop differs from the sequential one:\n%w", err)
	}
	_, err := fmt.Fprintln(stdout, "verified: every count of every file, extension and byte is that of the sequential loop")
	return err
}

func writeLine(w io.Writer) error {
	_, err := fmt.Fprintln(w)
	return err
}
