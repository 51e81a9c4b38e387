package table

import (
	"context"

	"example.com/custody/internal/origin"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// For calls body(j, i) for every row i, in parallel, and returns when all calls have returned: it
// is parallelfor.For over the rows of a table. j points to the worker's copy of job. The views of
// columns that job carries own the row, or only read. The job may also carry columns of other
// tables, and all other containers. No rows are added or removed while For runs. The batches of the
// loop are the chunks of the table, so parallelfor.Batch has no meaning here; a table of fewer rows
// than a chunk is one batch. parallelfor.LengthOf is a violation, because the rows determine the
// length. So is a nil body.
func For[J any](rows Rows, job J, body func(j *J, i int), opts ...parallelfor.Option) {
	_ = runLoop(context.Background(), rows, job, perRow[J](body), opts)
}

// ForChunks is [For] for bodies that take a chunk at a time: the rows begin <= i < end.
func ForChunks[J any](rows Rows, job J, body func(j *J, begin, end int), opts ...parallelfor.Option) {
	_ = runLoop(context.Background(), rows, job, perChunk[J](body), opts)
}

// ForErr is [For] for bodies that can fail, under a context: as parallelfor.ForErr does, it returns
// the error of the lowest row and does not begin chunks behind it, and if ctx ends it returns the
// cause. Elements of columns that the bodies have written stay so, and a Changes counts the loop as
// if it had not been. A nil ctx is a violation.
func ForErr[J any](ctx context.Context, rows Rows, job J, body func(j *J, i int) error, opts ...parallelfor.Option) error {
	return runLoop(ctx, rows, job, perRowErr[J](body), opts)
}

// ForChunksErr is [ForErr] for bodies that take a chunk at a time.
func ForChunksErr[J any](ctx context.Context, rows Rows, job J, body func(j *J, begin, end int) error, opts ...parallelfor.Option) error {
	return runLoop(ctx, rows, job, perChunkErr[J](body), opts)
}

// Schedule starts what [For] does and returns at once.
func Schedule[J any](rows Rows, job J, body func(j *J, i int), opts ...parallelfor.Option) parallelfor.Handle {
	return scheduleLoop(context.Background(), rows, job, perRow[J](body), opts)
}

// ScheduleChunks starts what [ForChunks] does and returns at once.
func ScheduleChunks[J any](rows Rows, job J, body func(j *J, begin, end int), opts ...parallelfor.Option) parallelfor.Handle {
	return scheduleLoop(context.Background(), rows, job, perChunk[J](body), opts)
}

// ScheduleErr starts what [ForErr] does and returns at once; Err of the handle returns the error.
func ScheduleErr[J any](ctx context.Context, rows Rows, job J, body func(j *J, i int) error, opts ...parallelfor.Option) parallelfor.Handle {
	return scheduleLoop(ctx, rows, job, perRowErr[J](body), opts)
}

// ScheduleChunksErr starts what [ForChunksErr] does and returns at once; Err of the handle returns
// the error.
func ScheduleChunksErr[J any](ctx context.Context, rows Rows, job J, body func(j *J, begin, end int) error, opts ...parallelfor.Option) parallelfor.Handle {
	return scheduleLoop(ctx, rows, job, perChunkErr[J](body), opts)
}

// looping is the job that the driver sees. Rows stands before Job: if Job has claims of the table
// too, the first of all these claims determines Into.
type looping[J any] struct {
	Rows rowsView `custody:"inline"` // no field of the program's
	Job  J        `custody:"inline"`
}

// runLoop runs a loop over rows.
func runLoop[J any](ctx context.Context, rows Rows, job J, k parallelfor.Kind[looping[J]], opts []parallelfor.Option) error {
	var all [most]parallelfor.Option
	return parallelfor.RunKind(ctx, rows.len(), looping[J]{rows.view(), job}, k, rows.options(&all, nameOf((*J)(nil)), opts)...)
}

// scheduleLoop schedules a loop over rows for the caller of its caller.
func scheduleLoop[J any](ctx context.Context, rows Rows, job J, k parallelfor.Kind[looping[J]], opts []parallelfor.Option) parallelfor.Handle {
	n := rows.len()
	var all [most]parallelfor.Option
	options := append(rows.options(&all, nameOf((*J)(nil)), opts), parallelfor.ScheduledAt(safety.Caller(2)))
	return parallelfor.ScheduleKind(ctx, n, looping[J]{rows.view(), job}, k, options...)
}

// The kinds of loops are their bodies. A kind is one word, so its conversion to an interface does
// not allocate.
type (
	perRow[J any]      func(j *J, i int)
	perRowErr[J any]   func(j *J, i int) error
	perChunk[J any]    func(j *J, begin, end int)
	perChunkErr[J any] func(j *J, begin, end int) error
)

// Code implements origin.Coded.
func (k perRow[J]) Code() (uintptr, string) { return origin.Code(k), "loop" }

// PerIndex implements parallelfor.Kind.
func (perRow[J]) PerIndex() bool { return true }

// Loop implements parallelfor.Kind.
func (k perRow[J]) Loop(w *looping[J], r *parallelfor.Batches) error {
	for w.Rows.next(r) {
		flags := w.Rows.loop.flags
		for i, end := r.Begin(), r.End(); i < end; i++ {
			if flags != nil && !flags[i] {
				continue
			}
			k(&w.Job, i)
		}
	}
	return nil
}

// Code implements origin.Coded.
func (k perChunk[J]) Code() (uintptr, string) { return origin.Code(k), "loop" }

// PerIndex implements parallelfor.Kind.
func (perChunk[J]) PerIndex() bool { return false }

// Loop implements parallelfor.Kind.
func (k perChunk[J]) Loop(w *looping[J], r *parallelfor.Batches) error {
	for w.Rows.next(r) {
		k(&w.Job, r.Begin(), r.End())
	}
	return nil
}

// Code implements origin.Coded.
func (k perRowErr[J]) Code() (uintptr, string) { return origin.Code(k), "loop" }

// PerIndex implements parallelfor.Kind.
func (perRowErr[J]) PerIndex() bool { return true }

// Loop implements parallelfor.Kind.
func (k perRowErr[J]) Loop(w *looping[J], r *parallelfor.Batches) error {
	for w.Rows.next(r) {
		flags := w.Rows.loop.flags
		for i, end := r.Begin(), r.End(); i < end; i++ {
			if flags != nil && !flags[i] {
				continue
			}
			if err := k(&w.Job, i); err != nil {
				return err
			}
		}
	}
	return nil
}

// Code implements origin.Coded.
func (k perChunkErr[J]) Code() (uintptr, string) { return origin.Code(k), "loop" }

// PerIndex implements parallelfor.Kind.
func (perChunkErr[J]) PerIndex() bool { return false }

// Loop implements parallelfor.Kind.
func (k perChunkErr[J]) Loop(w *looping[J], r *parallelfor.Batches) error {
	for w.Rows.next(r) {
		if err := k(&w.Job, r.Begin(), r.End()); err != nil {
			return err
		}
	}
	return nil
}
