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
// loop are the chunks of the table, so parallelfor.Batch has no meaning here. parallelfor.LengthOf
// is a violation, because the rows determine the length. So is a nil body.
func For[J any](rows Rows, job J, body func(j *J, i int), opts ...parallelfor.Option) {
	checkBody(body == nil)
	var all [most]parallelfor.Option
	_ = parallelfor.RunKind(context.Background(), rows.len(), looping[J]{rows.view(), job}, perRow[J]{body}, rows.options(&all, nameOf[J](), opts)...)
}

// ForChunks is [For] for bodies that take a chunk at a time: the rows begin <= i < end.
func ForChunks[J any](rows Rows, job J, body func(j *J, begin, end int), opts ...parallelfor.Option) {
	checkBody(body == nil)
	var all [most]parallelfor.Option
	_ = parallelfor.RunKind(context.Background(), rows.len(), looping[J]{rows.view(), job}, perChunk[J]{body}, rows.options(&all, nameOf[J](), opts)...)
}

// ForErr is [For] for bodies that can fail, under a context: as parallelfor.ForErr does, it returns
// the error of the lowest row and does not begin chunks behind it, and if ctx ends it returns the
// cause. Elements of columns that the bodies have written stay so, and a Changes counts the loop as
// if it had not been. A nil ctx is a violation.
func ForErr[J any](ctx context.Context, rows Rows, job J, body func(j *J, i int) error, opts ...parallelfor.Option) error {
	checkBody(body == nil)
	var all [most]parallelfor.Option
	return parallelfor.RunKind(ctx, rows.len(), looping[J]{rows.view(), job}, perRowErr[J]{body}, rows.options(&all, nameOf[J](), opts)...)
}

// ForChunksErr is [ForErr] for bodies that take a chunk at a time.
func ForChunksErr[J any](ctx context.Context, rows Rows, job J, body func(j *J, begin, end int) error, opts ...parallelfor.Option) error {
	checkBody(body == nil)
	var all [most]parallelfor.Option
	return parallelfor.RunKind(ctx, rows.len(), looping[J]{rows.view(), job}, perChunkErr[J]{body}, rows.options(&all, nameOf[J](), opts)...)
}

// Schedule starts what [For] does and returns at once.
func Schedule[J any](rows Rows, job J, body func(j *J, i int), opts ...parallelfor.Option) parallelfor.Handle {
	checkBody(body == nil)
	var all [most]parallelfor.Option
	return parallelfor.ScheduleKind(context.Background(), rows.len(), looping[J]{rows.view(), job}, perRow[J]{body}, rows.scheduled(&all, nameOf[J](), opts)...)
}

// ScheduleChunks starts what [ForChunks] does and returns at once.
func ScheduleChunks[J any](rows Rows, job J, body func(j *J, begin, end int), opts ...parallelfor.Option) parallelfor.Handle {
	checkBody(body == nil)
	var all [most]parallelfor.Option
	return parallelfor.ScheduleKind(context.Background(), rows.len(), looping[J]{rows.view(), job}, perChunk[J]{body}, rows.scheduled(&all, nameOf[J](), opts)...)
}

// ScheduleErr starts what [ForErr] does and returns at once; Err of the handle returns the error.
func ScheduleErr[J any](ctx context.Context, rows Rows, job J, body func(j *J, i int) error, opts ...parallelfor.Option) parallelfor.Handle {
	checkBody(body == nil)
	var all [most]parallelfor.Option
	return parallelfor.ScheduleKind(ctx, rows.len(), looping[J]{rows.view(), job}, perRowErr[J]{body}, rows.scheduled(&all, nameOf[J](), opts)...)
}

// ScheduleChunksErr starts what [ForChunksErr] does and returns at once; Err of the handle returns
// the error.
func ScheduleChunksErr[J any](ctx context.Context, rows Rows, job J, body func(j *J, begin, end int) error, opts ...parallelfor.Option) parallelfor.Handle {
	checkBody(body == nil)
	var all [most]parallelfor.Option
	return parallelfor.ScheduleKind(ctx, rows.len(), looping[J]{rows.view(), job}, perChunkErr[J]{body}, rows.scheduled(&all, nameOf[J](), opts)...)
}

func checkBody(missing bool) {
	if missing {
		panic(safety.NewViolation(safety.ErrArgument, "a loop was scheduled with a nil body", "Pass a function."))
	}
}

type perRow[J any] struct{ body func(j *J, i int) }

// Code implements origin.Coded.
func (k perRow[J]) Code() uintptr { return origin.Code(k.body) }

// Form implements origin.Coded.
func (perRow[J]) Form() string { return "for" }

// PerIndex implements parallelfor.Kind.
func (perRow[J]) PerIndex() bool { return true }

// Loop implements parallelfor.Kind.
func (k perRow[J]) Loop(w *looping[J], r *parallelfor.Batches) error {
	for w.Rows.next(r) {
		flags := w.Rows.run.flags
		for i, end := r.Begin(), r.End(); i < end; i++ {
			if flags != nil && !flags[i] {
				continue
			}
			k.body(&w.Job, i)
		}
	}
	return nil
}

type perChunk[J any] struct{ body func(j *J, begin, end int) }

// Code implements origin.Coded.
func (k perChunk[J]) Code() uintptr { return origin.Code(k.body) }

// Form implements origin.Coded.
func (perChunk[J]) Form() string { return "for" }

// PerIndex implements parallelfor.Kind.
func (perChunk[J]) PerIndex() bool { return false }

// Loop implements parallelfor.Kind.
func (k perChunk[J]) Loop(w *looping[J], r *parallelfor.Batches) error {
	for w.Rows.next(r) {
		k.body(&w.Job, r.Begin(), r.End())
	}
	return nil
}

type perRowErr[J any] struct{ body func(j *J, i int) error }

// Code implements origin.Coded.
func (k perRowErr[J]) Code() uintptr { return origin.Code(k.body) }

// Form implements origin.Coded.
func (perRowErr[J]) Form() string { return "for" }

// PerIndex implements parallelfor.Kind.
func (perRowErr[J]) PerIndex() bool { return true }

// Loop implements parallelfor.Kind.
func (k perRowErr[J]) Loop(w *looping[J], r *parallelfor.Batches) error {
	for w.Rows.next(r) {
		flags := w.Rows.run.flags
		for i, end := r.Begin(), r.End(); i < end; i++ {
			if flags != nil && !flags[i] {
				continue
			}
			if err := k.body(&w.Job, i); err != nil {
				return err
			}
		}
	}
	return nil
}

type perChunkErr[J any] struct {
	body func(j *J, begin, end int) error
}

// Code implements origin.Coded.
func (k perChunkErr[J]) Code() uintptr { return origin.Code(k.body) }

// Form implements origin.Coded.
func (perChunkErr[J]) Form() string { return "for" }

// PerIndex implements parallelfor.Kind.
func (perChunkErr[J]) PerIndex() bool { return false }

// Loop implements parallelfor.Kind.
func (k perChunkErr[J]) Loop(w *looping[J], r *parallelfor.Batches) error {
	for w.Rows.next(r) {
		if err := k.body(&w.Job, r.Begin(), r.End()); err != nil {
			return err
		}
	}
	return nil
}
