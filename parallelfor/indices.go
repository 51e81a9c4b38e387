package parallelfor

import (
	"context"

	"example.com/custody/internal/origin"
)

// This file has the loops over plain slices and variables, for which there are no containers.

// Indices calls body(i) for every i of [0, n), in parallel, and returns when all calls have
// returned. The body is a closure over the program's own slices and variables: it may read what no
// batch writes, and write what belongs to index i alone. That is the program's promise. Builds with
// -race report two batches that touch the same memory, one of them to write, on every run and at
// any number of workers, unless locks or atomics of the bodies order them. See docs/escapes.md for
// what the race detector cannot see. No other build looks. To have accesses checked in every build,
// adopt the slices (array.Of) and pass views of them to [For].
//
// The body must not use containers, be it a Counter or a Map: batches that append to a List by its
// own methods lose elements. A body uses containers by the views of a job, in [For]. Strict builds
// and builds with -race report a container that is used without a view.
//
// A body that panics, violates a rule or ends its goroutine ends the loop as in For. An n below 0
// and a nil body are violations. A loop that is to run [After] one that failed returns without
// having run: use [IndicesErr] to be told.
func Indices(n int, body func(i int), opts ...Option) {
	_ = build(context.Background(), n, &struct{}{}, indices(body), about{origin.Code(body), "loop", indexUnit}, opts, called, 0).run()
}

// Ranges is [Indices] for bodies that take a batch at a time: the indices begin <= i < end. A plain
// loop over them costs what it costs anywhere.
func Ranges(n int, body func(begin, end int), opts ...Option) {
	_ = build(context.Background(), n, &struct{}{}, ranges(body), about{origin.Code(body), "loop", batchUnit}, opts, called, 0).run()
}

// IndicesErr is [Indices] for bodies that can fail, under a context: it returns the error of the
// lowest index that fails, which is the error of the sequential loop; see [ForErr]. The error is
// the one that the body returned, which has to name the index if the caller is to know it.
func IndicesErr(ctx context.Context, n int, body func(i int) error, opts ...Option) error {
	return build(ctx, n, &struct{}{}, indicesErr(body), about{origin.Code(body), "loop", indexUnit}, opts, called, 0).run()
}

// RangesErr is [IndicesErr] for bodies that take a batch at a time.
func RangesErr(ctx context.Context, n int, body func(begin, end int) error, opts ...Option) error {
	return build(ctx, n, &struct{}{}, rangesErr(body), about{origin.Code(body), "loop", batchUnit}, opts, called, 0).run()
}
