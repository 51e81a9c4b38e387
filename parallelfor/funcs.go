package parallelfor

import (
	"context"

	"example.com/custody/safety"
)

// For calls body(v, i) for every i of [0, n), in parallel, where v points to the worker's copy of views:
// a struct of views, or one view. Otherwise it is [Run]. The body must touch containers through v only.
// A nil body is a violation.
func For[V any](n int, views V, body func(v *V, i int), opts ...Option) {
	checkBody(body == nil)
	_ = runJob(context.Background(), n, &views, body, kind[V](indexFunc[V]{}), false, opts)
}

// ForBatch is [For] for bodies that take a cell at a time: the indices begin <= i < end.
func ForBatch[V any](n int, views V, body func(v *V, begin, end int), opts ...Option) {
	checkBody(body == nil)
	_ = runJob(context.Background(), n, &views, body, kind[V](batchFunc[V]{}), false, opts)
}

// Do calls body(v) once.
func Do[V any](views V, body func(v *V), opts ...Option) {
	checkBody(body == nil)
	_ = runJob(context.Background(), 1, &views, body, kind[V](singleFunc[V]{}), true, opts)
}

// ForErr is [For] for bodies that can fail, under a context; see [RunErr].
func ForErr[V any](ctx context.Context, n int, views V, body func(v *V, i int) error, opts ...Option) error {
	checkBody(body == nil)
	return runJob(ctx, n, &views, body, kind[V](indexErrFunc[V]{}), false, opts)
}

// ForBatchErr is [ForErr] for bodies that take a cell at a time.
func ForBatchErr[V any](ctx context.Context, n int, views V, body func(v *V, begin, end int) error, opts ...Option) error {
	checkBody(body == nil)
	return runJob(ctx, n, &views, body, kind[V](batchErrFunc[V]{}), false, opts)
}

// DoErr is [Do] for bodies that can fail, under a context.
func DoErr[V any](ctx context.Context, views V, body func(v *V) error, opts ...Option) error {
	checkBody(body == nil)
	return runJob(ctx, 1, &views, body, kind[V](singleErrFunc[V]{}), true, opts)
}

func checkBody(missing bool) {
	if missing {
		panic(safety.NewViolation(safety.ErrArgument, "a loop was scheduled with a nil body", "Pass a function."))
	}
}

type indexFunc[V any] struct{}

func (indexFunc[V]) perIndex() bool { return true }

func (indexFunc[V]) run(v *V, body any, begin, end int) error {
	f := body.(func(*V, int))
	for i := begin; i < end; i++ {
		f(v, i)
	}
	return nil
}

type batchFunc[V any] struct{}

func (batchFunc[V]) perIndex() bool { return false }

func (batchFunc[V]) run(v *V, body any, begin, end int) error {
	body.(func(*V, int, int))(v, begin, end)
	return nil
}

type singleFunc[V any] struct{}

func (singleFunc[V]) perIndex() bool { return false }

func (singleFunc[V]) run(v *V, body any, _, _ int) error {
	body.(func(*V))(v)
	return nil
}

type indexErrFunc[V any] struct{}

func (indexErrFunc[V]) perIndex() bool { return true }

func (indexErrFunc[V]) run(v *V, body any, begin, end int) error {
	f := body.(func(*V, int) error)
	for i := begin; i < end; i++ {
		if err := f(v, i); err != nil {
			return err
		}
	}
	return nil
}

type batchErrFunc[V any] struct{}

func (batchErrFunc[V]) perIndex() bool { return false }

func (batchErrFunc[V]) run(v *V, body any, begin, end int) error {
	return body.(func(*V, int, int) error)(v, begin, end)
}

type singleErrFunc[V any] struct{}

func (singleErrFunc[V]) perIndex() bool { return false }

func (singleErrFunc[V]) run(v *V, body any, _, _ int) error { return body.(func(*V) error)(v) }
