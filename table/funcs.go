package table

import (
	"context"

	"example.com/custody/internal/origin"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// rowFunc calls a function for each row.
type rowFunc[V any] struct{ body func(v *V, i int) }

// Code implements origin.Coded.
func (k rowFunc[V]) Code() uintptr { return origin.Code(k.body) }

// Form implements origin.Coded.
func (rowFunc[V]) Form() string { return "for" }

// PerIndex implements parallelfor.Kind.
func (rowFunc[V]) PerIndex() bool { return true }

// Loop implements parallelfor.Kind.
func (k rowFunc[V]) Loop(w *looping[V], r *parallelfor.Cells) error {
	for w.Rows.next(r) {
		flags := w.Rows.run.flags
		for i, end := r.Begin(), r.End(); i < end; i++ {
			if flags == nil || flags[i] {
				k.body(&w.Job, i)
			}
		}
	}
	return nil
}

// chunkFunc calls a function for each chunk.
type chunkFunc[V any] struct{ body func(v *V, begin, end int) }

// Code implements origin.Coded.
func (k chunkFunc[V]) Code() uintptr { return origin.Code(k.body) }

// Form implements origin.Coded.
func (chunkFunc[V]) Form() string { return "for" }

// PerIndex implements parallelfor.Kind.
func (chunkFunc[V]) PerIndex() bool { return false }

// Loop implements parallelfor.Kind.
func (k chunkFunc[V]) Loop(w *looping[V], r *parallelfor.Cells) error {
	for w.Rows.next(r) {
		k.body(&w.Job, r.Begin(), r.End())
	}
	return nil
}

// For calls body(v, i) for every row i, in parallel, where v points to the worker's copy of views: it is parallelfor.For over the rows of a table,
// as [Run] is parallelfor.Run. A nil body is a violation.
func For[V any](rows Rows, views V, body func(v *V, i int), opts ...parallelfor.Option) {
	checkBody(body == nil)
	var all [most]parallelfor.Option
	_ = parallelfor.RunKind(context.Background(), rows.len(), looping[V]{rows.view(), views}, rowFunc[V]{body}, rows.options(&all, "", opts)...)
}

// ForChunks is [For] for bodies that take a chunk at a time: the rows begin <= i < end.
func ForChunks[V any](rows Rows, views V, body func(v *V, begin, end int), opts ...parallelfor.Option) {
	checkBody(body == nil)
	var all [most]parallelfor.Option
	_ = parallelfor.RunKind(context.Background(), rows.len(), looping[V]{rows.view(), views}, chunkFunc[V]{body}, rows.options(&all, "", opts)...)
}

func checkBody(missing bool) {
	if missing {
		panic(safety.NewViolation(safety.ErrArgument, "a loop was scheduled with a nil body", "Pass a function."))
	}
}
