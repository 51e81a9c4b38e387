package parallelfor

import "context"

// PerIndex is a job whose Execute is called once for each index.
type PerIndex[J any] interface {
	*J
	Execute(i int)
}

// PerBatch is a job whose ExecuteBatch is called once for each cell, with its indices begin <= i < end.
type PerBatch[J any] interface {
	*J
	ExecuteBatch(begin, end int)
}

// Single is a job that is executed once.
type Single[J any] interface {
	*J
	Execute()
}

// PerIndexErr is a [PerIndex] that can fail.
type PerIndexErr[J any] interface {
	*J
	Execute(i int) error
}

// PerBatchErr is a [PerBatch] that can fail.
type PerBatchErr[J any] interface {
	*J
	ExecuteBatch(begin, end int) error
}

// SingleErr is a [Single] that can fail.
type SingleErr[J any] interface {
	*J
	Execute() error
}

// Run calls job.Execute(i) for every i of [0, n), in parallel, and returns when all calls have
// returned and the containers are the caller's again. Each worker has a copy of job. The plain
// fields of job are parameters: what Execute writes into them is lost, and is a violation where it
// is seen (safety.ErrPlainField; see the package comment). If the body fails by a violation, a
// panic or a Goexit, so does Run; see [Handle.Complete].
//
// An n below 0 is a violation (safety.ErrLength; -1 goes with [LengthOf]), and so is an n above
// what a range-guarded view of the job serves; an n below is allowed. If the loop is to run [After]
// one that failed with an error or was cancelled, Run returns without having run it: use [RunErr]
// to be told.
func Run[J any, P PerIndex[J]](n int, job J, opts ...Option) {
	_ = build(context.Background(), n, &job, indexKind[J, P]{}, false, opts, inCall).run()
}

// RunBatch is [Run] for jobs that take a cell at a time.
func RunBatch[J any, P PerBatch[J]](n int, job J, opts ...Option) {
	_ = build(context.Background(), n, &job, batchKind[J, P]{}, false, opts, inCall).run()
}

// RunSingle calls job.Execute() once, on a copy of job. A job that is to run [After] one that failed with an error,
// or was cancelled, does not run, as in [Run]: use [RunSingleErr] to be told.
func RunSingle[J any, P Single[J]](job J, opts ...Option) {
	_ = build(context.Background(), 1, &job, singleKind[J, P]{}, true, opts, inCall).run()
}

// RunErr is [Run] for bodies that can fail, under a context. The first error of the sequential
// loop, which is that of the lowest index, cancels the batches above it and is returned; appended
// data is that of the sequential loop up to there. When ctx ends, no further batch is started,
// nothing appended is kept, and the cause is returned. A nil ctx is a violation.
//
// A body that waits takes the context of its batch from [Worker.Context], which also ends when a
// lower batch has failed.
func RunErr[J any, P PerIndexErr[J]](ctx context.Context, n int, job J, opts ...Option) error {
	return build(ctx, n, &job, indexErrKind[J, P]{}, false, opts, inCall).run()
}

// RunBatchErr is [RunErr] for jobs that take a cell at a time.
func RunBatchErr[J any, P PerBatchErr[J]](ctx context.Context, n int, job J, opts ...Option) error {
	return build(ctx, n, &job, batchErrKind[J, P]{}, false, opts, inCall).run()
}

// RunSingleErr is [RunErr] for jobs that are executed once.
func RunSingleErr[J any, P SingleErr[J]](ctx context.Context, job J, opts ...Option) error {
	return build(ctx, 1, &job, singleErrKind[J, P]{}, true, opts, inCall).run()
}

// Schedule starts what [Run] does and returns at once. The containers that the job claims are the job's
// until its handle is completed.
//
// An n that is a violation in Run is one here, at once, and nothing is scheduled; how long [LengthOf] makes the loop
// is known when it starts, and a violation then is Complete's. A job that is to run [After] one that failed, or was
// cancelled, does not run: it has failed as that one did, and [Handle.Err] has the error.
func Schedule[J any, P PerIndex[J]](n int, job J, opts ...Option) Handle {
	return build(context.Background(), n, &job, indexKind[J, P]{}, false, opts, handedOut).job.handOut()
}

// ScheduleBatch starts what [RunBatch] does.
func ScheduleBatch[J any, P PerBatch[J]](n int, job J, opts ...Option) Handle {
	return build(context.Background(), n, &job, batchKind[J, P]{}, false, opts, handedOut).job.handOut()
}

// ScheduleSingle starts what [RunSingle] does.
func ScheduleSingle[J any, P Single[J]](job J, opts ...Option) Handle {
	return build(context.Background(), 1, &job, singleKind[J, P]{}, true, opts, handedOut).job.handOut()
}

// ScheduleErr starts what [RunErr] does; [Handle.Err] has the error.
func ScheduleErr[J any, P PerIndexErr[J]](ctx context.Context, n int, job J, opts ...Option) Handle {
	return build(ctx, n, &job, indexErrKind[J, P]{}, false, opts, handedOut).job.handOut()
}

// ScheduleBatchErr starts what [RunBatchErr] does.
func ScheduleBatchErr[J any, P PerBatchErr[J]](ctx context.Context, n int, job J, opts ...Option) Handle {
	return build(ctx, n, &job, batchErrKind[J, P]{}, false, opts, handedOut).job.handOut()
}

// ScheduleSingleErr starts what [RunSingleErr] does.
func ScheduleSingleErr[J any, P SingleErr[J]](ctx context.Context, job J, opts ...Option) Handle {
	return build(ctx, 1, &job, singleErrKind[J, P]{}, true, opts, handedOut).job.handOut()
}
