package parallelfor

import (
	"context"

	"example.com/custody/internal/callsite"
	"example.com/custody/internal/origin"
	"example.com/custody/safety"
)

// For calls body(j, i) for every i of [0, n), in parallel, and returns when all calls have returned
// and the containers are the caller's again. A job is a struct of views and parameters, or one
// view. j points to the worker's copy of job. The body must touch containers through j only; a
// plain slice that it captures may be read if nothing writes it, which builds with -race check.
// Methods of a job type serve as bodies by method expression:
//
//	parallelfor.For(n, scale{in: a.Reader(), out: b.Writer(), by: 2}, (*scale).Execute)
//
// The plain fields of job are parameters: what the body writes into them is lost, and is a
// violation where it is seen (safety.ErrPlainField; see the package comment). If the body fails by
// a violation, a panic or a Goexit, so does For; see [Handle.Complete]. A nil body is a violation.
//
// An n below 0 is a violation (safety.ErrLength; -1 goes with [LengthOf]), and so is an n above
// what a range-guarded view of the job serves; an n below is allowed. A Writer of a map serves any
// n, since the keys may come before the loop begins. If the loop is to run [After] one that failed
// with an error or was cancelled, For returns without having run it: use [ForErr] to be told.
func For[J any](n int, job J, body func(j *J, i int), opts ...Option) {
	_ = build(context.Background(), n, &job, perIndex[J](body), about{origin.Code(body), "loop", indexUnit}, opts, called, 0).run()
}

// ForBatch is [For] for bodies that take a batch at a time, with its indices begin <= i < end.
func ForBatch[J any](n int, job J, body func(j *J, begin, end int), opts ...Option) {
	_ = build(context.Background(), n, &job, perBatch[J](body), about{origin.Code(body), "loop", batchUnit}, opts, called, 0).run()
}

// Do calls body(j) once, with j as in [For]. It has no length, so [LengthOf] is a violation. A job
// that is to run [After] one that failed with an error or was cancelled does not run, and Do
// returns: use [DoErr] to be told.
func Do[J any](job J, body func(j *J), opts ...Option) {
	_ = build(context.Background(), 1, &job, once[J](body), about{origin.Code(body), "do", jobUnit}, opts, called, 0).run()
}

// ForErr is [For] for bodies that can fail, under a context. The first error of the sequential
// loop, which is that of the lowest index, cancels the batches above it and is returned; appended
// data is that of the sequential loop up to there. When ctx ends, no further batch is started,
// nothing appended, merged or counted is kept, and the cause is returned. Batches that have begun
// run to their end, so a short [Batch] stops sooner. A nil ctx is a violation.
//
// A body that waits takes the context of its batch from [Worker.Context], which also ends when a
// lower batch has failed.
func ForErr[J any](ctx context.Context, n int, job J, body func(j *J, i int) error, opts ...Option) error {
	return build(ctx, n, &job, perIndexErr[J](body), about{origin.Code(body), "loop", indexUnit}, opts, called, 0).run()
}

// ForBatchErr is [ForErr] for bodies that take a batch at a time.
func ForBatchErr[J any](ctx context.Context, n int, job J, body func(j *J, begin, end int) error, opts ...Option) error {
	return build(ctx, n, &job, perBatchErr[J](body), about{origin.Code(body), "loop", batchUnit}, opts, called, 0).run()
}

// DoErr is [Do] for bodies that can fail, under a context; see [ForErr].
func DoErr[J any](ctx context.Context, job J, body func(j *J) error, opts ...Option) error {
	return build(ctx, 1, &job, onceErr[J](body), about{origin.Code(body), "do", jobUnit}, opts, called, 0).run()
}

// Schedule starts what [For] does and returns at once. The containers that the job claims are the
// job's until its handle is completed. A job that is known to take less than 32 µs on one worker
// may begin 1 or 2 ms later, unless a goroutine completes it or a longer job runs after it.
//
// An n that is a violation in For is one here, at once, and nothing is scheduled. The length of
// [LengthOf] is known when the loop starts, so a violation then comes out of Complete. A job that
// is to run [After] one that failed or was cancelled does not run: it fails as that one did, and
// [Handle.Err] returns the error.
func Schedule[J any](n int, job J, body func(j *J, i int), opts ...Option) Handle {
	return build(context.Background(), n, &job, perIndex[J](body), about{origin.Code(body), "loop", indexUnit}, opts, scheduled, siteOf(opts, callsite.Return())).handOut()
}

// ScheduleBatch starts what [ForBatch] does.
func ScheduleBatch[J any](n int, job J, body func(j *J, begin, end int), opts ...Option) Handle {
	return build(context.Background(), n, &job, perBatch[J](body), about{origin.Code(body), "loop", batchUnit}, opts, scheduled, siteOf(opts, callsite.Return())).handOut()
}

// ScheduleDo starts what [Do] does.
func ScheduleDo[J any](job J, body func(j *J), opts ...Option) Handle {
	return build(context.Background(), 1, &job, once[J](body), about{origin.Code(body), "do", jobUnit}, opts, scheduled, siteOf(opts, callsite.Return())).handOut()
}

// ScheduleErr starts what [ForErr] does; [Handle.Err] returns the error.
func ScheduleErr[J any](ctx context.Context, n int, job J, body func(j *J, i int) error, opts ...Option) Handle {
	return build(ctx, n, &job, perIndexErr[J](body), about{origin.Code(body), "loop", indexUnit}, opts, scheduled, siteOf(opts, callsite.Return())).handOut()
}

// ScheduleBatchErr starts what [ForBatchErr] does; [Handle.Err] returns the error.
func ScheduleBatchErr[J any](ctx context.Context, n int, job J, body func(j *J, begin, end int) error, opts ...Option) Handle {
	return build(ctx, n, &job, perBatchErr[J](body), about{origin.Code(body), "loop", batchUnit}, opts, scheduled, siteOf(opts, callsite.Return())).handOut()
}

// ScheduleDoErr starts what [DoErr] does; [Handle.Err] returns the error.
func ScheduleDoErr[J any](ctx context.Context, job J, body func(j *J) error, opts ...Option) Handle {
	return build(ctx, 1, &job, onceErr[J](body), about{origin.Code(body), "do", jobUnit}, opts, scheduled, siteOf(opts, callsite.Return())).handOut()
}

func checkBody(missing bool) {
	if missing {
		panic(safety.NewViolation(safety.ErrArgument, "a loop was scheduled with a nil body", "Pass a function, or a value of a Kind."))
	}
}

// about is what a job is, beside its type.
type about struct {
	code uintptr // stands for the function that the kind calls; 0 for other kinds
	form string  // the word for a loop over that function; empty for other kinds
	unit unit
}

// Kinds that only call a function are that function. Such a kind is one word, which becomes an
// interface without an allocation.
type (
	perIndex[J any]    func(j *J, i int)
	perIndexErr[J any] func(j *J, i int) error
	perBatch[J any]    func(j *J, begin, end int)
	perBatchErr[J any] func(j *J, begin, end int) error
	once[J any]        func(j *J)
	onceErr[J any]     func(j *J) error
	indices            func(i int)
	indicesErr         func(i int) error
	ranges             func(begin, end int)
	rangesErr          func(begin, end int) error
)

// Loop implements [kind].
func (k perIndex[J]) Loop(j *J, r *Batches) error {
	for r.Next() {
		for i, end := r.begin, r.end; i < end; i++ {
			k(j, i)
		}
	}
	return nil
}

// Loop implements [kind].
func (k perIndexErr[J]) Loop(j *J, r *Batches) error {
	for r.Next() {
		for i, end := r.begin, r.end; i < end; i++ {
			if err := k(j, i); err != nil {
				return err
			}
		}
	}
	return nil
}

// Loop implements [kind].
func (k perBatch[J]) Loop(j *J, r *Batches) error {
	for r.Next() {
		k(j, r.begin, r.end)
	}
	return nil
}

// Loop implements [kind].
func (k perBatchErr[J]) Loop(j *J, r *Batches) error {
	for r.Next() {
		if err := k(j, r.begin, r.end); err != nil {
			return err
		}
	}
	return nil
}

// Loop implements [kind].
func (k once[J]) Loop(j *J, r *Batches) error {
	for r.Next() {
		k(j)
	}
	return nil
}

// Loop implements [kind].
func (k onceErr[J]) Loop(j *J, r *Batches) error {
	for r.Next() {
		if err := k(j); err != nil {
			return err
		}
	}
	return nil
}

// Loop implements [kind].
func (k indices) Loop(_ *struct{}, r *Batches) error {
	for r.Next() {
		for i, end := r.begin, r.end; i < end; i++ {
			k(i)
		}
	}
	return nil
}

// Loop implements [kind].
func (k indicesErr) Loop(_ *struct{}, r *Batches) error {
	for r.Next() {
		for i, end := r.begin, r.end; i < end; i++ {
			if err := k(i); err != nil {
				return err
			}
		}
	}
	return nil
}

// Loop implements [kind].
func (k ranges) Loop(_ *struct{}, r *Batches) error {
	for r.Next() {
		k(r.begin, r.end)
	}
	return nil
}

// Loop implements [kind].
func (k rangesErr) Loop(_ *struct{}, r *Batches) error {
	for r.Next() {
		if err := k(r.begin, r.end); err != nil {
			return err
		}
	}
	return nil
}
