package table

import (
	"context"

	"example.com/custody/internal/origin"
	"example.com/custody/parallelfor"
)

// This file is the loops whose bodies may fail.

// RunErr is [Run] for bodies that can fail, and can be cancelled: as of parallelfor.RunErr, the error of the lowest row is returned, chunks
// behind it that have not begun are not executed, and a loop that ctx ends returns its cause. What the bodies have written in columns
// stays, and a Changes counts the loop as if it had not been. A nil ctx is a violation.
func RunErr[J any, P parallelfor.PerIndexErr[J]](ctx context.Context, rows Rows, job J, opts ...parallelfor.Option) error {
	var all [most]parallelfor.Option
	return parallelfor.RunKind(ctx, rows.len(), looping[J]{rows.view(), job}, rowErrKind[J, P]{}, rows.options(&all, nameOf[J](), opts)...)
}

// RunChunksErr is [RunErr] for jobs that take a chunk at a time.
func RunChunksErr[J any, P parallelfor.PerBatchErr[J]](ctx context.Context, rows Rows, job J, opts ...parallelfor.Option) error {
	var all [most]parallelfor.Option
	return parallelfor.RunKind(ctx, rows.len(), looping[J]{rows.view(), job}, chunkErrKind[J, P]{}, rows.options(&all, nameOf[J](), opts)...)
}

// ScheduleErr starts what [RunErr] does and returns at once; the error is that of the handle.
func ScheduleErr[J any, P parallelfor.PerIndexErr[J]](ctx context.Context, rows Rows, job J, opts ...parallelfor.Option) parallelfor.Handle {
	var all [most]parallelfor.Option
	return parallelfor.ScheduleKind(ctx, rows.len(), looping[J]{rows.view(), job}, rowErrKind[J, P]{}, rows.scheduled(&all, nameOf[J](), opts)...)
}

// ScheduleChunksErr starts what [RunChunksErr] does and returns at once; the error is that of the handle.
func ScheduleChunksErr[J any, P parallelfor.PerBatchErr[J]](ctx context.Context, rows Rows, job J, opts ...parallelfor.Option) parallelfor.Handle {
	var all [most]parallelfor.Option
	return parallelfor.ScheduleKind(ctx, rows.len(), looping[J]{rows.view(), job}, chunkErrKind[J, P]{}, rows.scheduled(&all, nameOf[J](), opts)...)
}

// ForErr is [For] for bodies that can fail; see [RunErr].
func ForErr[V any](ctx context.Context, rows Rows, views V, body func(v *V, i int) error, opts ...parallelfor.Option) error {
	checkBody(body == nil)
	var all [most]parallelfor.Option
	return parallelfor.RunKind(ctx, rows.len(), looping[V]{rows.view(), views}, rowErrFunc[V]{body}, rows.options(&all, "", opts)...)
}

// ForChunksErr is [ForChunks] for bodies that can fail; see [RunErr].
func ForChunksErr[V any](ctx context.Context, rows Rows, views V, body func(v *V, begin, end int) error, opts ...parallelfor.Option) error {
	checkBody(body == nil)
	var all [most]parallelfor.Option
	return parallelfor.RunKind(ctx, rows.len(), looping[V]{rows.view(), views}, chunkErrFunc[V]{body}, rows.options(&all, "", opts)...)
}

// eachRow calls a body for the rows of each chunk, until one fails.
func (v *rowsView) eachRow(r *parallelfor.Cells, body func(i int) error) error {
	for v.next(r) {
		flags := v.run.flags
		for i, end := r.Begin(), r.End(); i < end; i++ {
			if flags != nil && !flags[i] {
				continue
			}
			if err := body(i); err != nil {
				return err
			}
		}
	}
	return nil
}

// eachChunk calls a body for each chunk, until one fails.
func (v *rowsView) eachChunk(r *parallelfor.Cells, body func(begin, end int) error) error {
	for v.next(r) {
		if err := body(r.Begin(), r.End()); err != nil {
			return err
		}
	}
	return nil
}

type rowErrKind[J any, P parallelfor.PerIndexErr[J]] struct{}

// PerIndex implements parallelfor.Kind.
func (rowErrKind[J, P]) PerIndex() bool { return true }

// Loop implements parallelfor.Kind.
func (rowErrKind[J, P]) Loop(w *looping[J], r *parallelfor.Cells) error {
	return w.Rows.eachRow(r, func(i int) error { return P(&w.Job).Execute(i) })
}

type chunkErrKind[J any, P parallelfor.PerBatchErr[J]] struct{}

// PerIndex implements parallelfor.Kind.
func (chunkErrKind[J, P]) PerIndex() bool { return false }

// Loop implements parallelfor.Kind.
func (chunkErrKind[J, P]) Loop(w *looping[J], r *parallelfor.Cells) error {
	return w.Rows.eachChunk(r, func(begin, end int) error { return P(&w.Job).ExecuteBatch(begin, end) })
}

type rowErrFunc[V any] struct{ body func(v *V, i int) error }

// Code implements origin.Coded.
func (k rowErrFunc[V]) Code() uintptr { return origin.Code(k.body) }

// Form implements origin.Coded.
func (rowErrFunc[V]) Form() string { return "for" }

// PerIndex implements parallelfor.Kind.
func (rowErrFunc[V]) PerIndex() bool { return true }

// Loop implements parallelfor.Kind.
func (k rowErrFunc[V]) Loop(w *looping[V], r *parallelfor.Cells) error {
	return w.Rows.eachRow(r, func(i int) error { return k.body(&w.Job, i) })
}

type chunkErrFunc[V any] struct {
	body func(v *V, begin, end int) error
}

// Code implements origin.Coded.
func (k chunkErrFunc[V]) Code() uintptr { return origin.Code(k.body) }

// Form implements origin.Coded.
func (chunkErrFunc[V]) Form() string { return "for" }

// PerIndex implements parallelfor.Kind.
func (chunkErrFunc[V]) PerIndex() bool { return false }

// Loop implements parallelfor.Kind.
func (k chunkErrFunc[V]) Loop(w *looping[V], r *parallelfor.Cells) error {
	return w.Rows.eachChunk(r, func(begin, end int) error { return k.body(&w.Job, begin, end) })
}
