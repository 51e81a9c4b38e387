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

// Run calls job.Execute(i) for every i of [0, n), in parallel, and returns when all is done and the
// containers are the caller's again. Each worker has a copy of job; its plain fields are parameters,
// what Execute writes into them is lost. A violation, panic or Goexit of the body is Run's; see
// [Handle.Complete].
func Run[J any, P PerIndex[J]](n int, job J, opts ...Option) {
	_ = runJob(context.Background(), n, &job, nil, kind[J](indexKind[J, P]{}), false, opts)
}

// RunBatch is [Run] for jobs that take a cell at a time.
func RunBatch[J any, P PerBatch[J]](n int, job J, opts ...Option) {
	_ = runJob(context.Background(), n, &job, nil, kind[J](batchKind[J, P]{}), false, opts)
}

// RunSingle calls job.Execute() once, on a copy of job.
func RunSingle[J any, P Single[J]](job J, opts ...Option) {
	_ = runJob(context.Background(), 1, &job, nil, kind[J](singleKind[J, P]{}), true, opts)
}

// RunErr is [Run] for bodies that can fail, under a context. The first error of the sequential loop, that
// of the lowest index, cancels what comes after it and is returned; appended data is that of the
// sequential loop up to there. When ctx ends, no further cell is started, nothing appended is kept, and
// the cause is returned. A nil ctx is a violation.
func RunErr[J any, P PerIndexErr[J]](ctx context.Context, n int, job J, opts ...Option) error {
	return runJob(ctx, n, &job, nil, kind[J](indexErrKind[J, P]{}), false, opts)
}

// RunBatchErr is [RunErr] for jobs that take a cell at a time.
func RunBatchErr[J any, P PerBatchErr[J]](ctx context.Context, n int, job J, opts ...Option) error {
	return runJob(ctx, n, &job, nil, kind[J](batchErrKind[J, P]{}), false, opts)
}

// RunSingleErr is [RunErr] for jobs that are executed once.
func RunSingleErr[J any, P SingleErr[J]](ctx context.Context, job J, opts ...Option) error {
	return runJob(ctx, 1, &job, nil, kind[J](singleErrKind[J, P]{}), true, opts)
}

// Schedule starts what [Run] does and returns at once. The containers that the job claims are the job's
// until its handle is completed.
func Schedule[J any, P PerIndex[J]](n int, job J, opts ...Option) Handle {
	return scheduleJob(context.Background(), n, &job, nil, kind[J](indexKind[J, P]{}), false, opts)
}

// ScheduleBatch starts what [RunBatch] does.
func ScheduleBatch[J any, P PerBatch[J]](n int, job J, opts ...Option) Handle {
	return scheduleJob(context.Background(), n, &job, nil, kind[J](batchKind[J, P]{}), false, opts)
}

// ScheduleSingle starts what [RunSingle] does.
func ScheduleSingle[J any, P Single[J]](job J, opts ...Option) Handle {
	return scheduleJob(context.Background(), 1, &job, nil, kind[J](singleKind[J, P]{}), true, opts)
}

// ScheduleErr starts what [RunErr] does; [Handle.Err] has the error.
func ScheduleErr[J any, P PerIndexErr[J]](ctx context.Context, n int, job J, opts ...Option) Handle {
	return scheduleJob(ctx, n, &job, nil, kind[J](indexErrKind[J, P]{}), false, opts)
}

// ScheduleBatchErr starts what [RunBatchErr] does.
func ScheduleBatchErr[J any, P PerBatchErr[J]](ctx context.Context, n int, job J, opts ...Option) Handle {
	return scheduleJob(ctx, n, &job, nil, kind[J](batchErrKind[J, P]{}), false, opts)
}

// ScheduleSingleErr starts what [RunSingleErr] does.
func ScheduleSingleErr[J any, P SingleErr[J]](ctx context.Context, job J, opts ...Option) Handle {
	return scheduleJob(ctx, 1, &job, nil, kind[J](singleErrKind[J, P]{}), true, opts)
}

// The kinds. The loops over indices live here, in one generic function each.

type indexKind[J any, P PerIndex[J]] struct{}

func (indexKind[J, P]) perIndex() bool { return true }

func (indexKind[J, P]) run(job *J, _ any, begin, end int) error {
	for i := begin; i < end; i++ {
		P(job).Execute(i)
	}
	return nil
}

type batchKind[J any, P PerBatch[J]] struct{}

func (batchKind[J, P]) perIndex() bool { return false }

func (batchKind[J, P]) run(job *J, _ any, begin, end int) error {
	P(job).ExecuteBatch(begin, end)
	return nil
}

type singleKind[J any, P Single[J]] struct{}

func (singleKind[J, P]) perIndex() bool { return false }

func (singleKind[J, P]) run(job *J, _ any, _, _ int) error {
	P(job).Execute()
	return nil
}

type indexErrKind[J any, P PerIndexErr[J]] struct{}

func (indexErrKind[J, P]) perIndex() bool { return true }

func (indexErrKind[J, P]) run(job *J, _ any, begin, end int) error {
	for i := begin; i < end; i++ {
		if err := P(job).Execute(i); err != nil {
			return err
		}
	}
	return nil
}

type batchErrKind[J any, P PerBatchErr[J]] struct{}

func (batchErrKind[J, P]) perIndex() bool { return false }

func (batchErrKind[J, P]) run(job *J, _ any, begin, end int) error {
	return P(job).ExecuteBatch(begin, end)
}

type singleErrKind[J any, P SingleErr[J]] struct{}

func (singleErrKind[J, P]) perIndex() bool { return false }

func (singleErrKind[J, P]) run(job *J, _ any, _, _ int) error { return P(job).Execute() }
