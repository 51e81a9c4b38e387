package parallelfor

import (
	"context"

	"example.com/custody/internal/origin"
	"example.com/custody/safety"
)

// For calls body(v, i) for every i of [0, n), in parallel, where v points to the worker's copy of views:
// a struct of views, or one view. Otherwise it is [Run]. The body must touch containers through v only.
// A nil body is a violation.
//
// So is an n below 0 ([safety.ErrLength]; -1 goes with [LengthOf]), and one above what a range-guarded view in views
// serves; less is fine. A loop that is to run [After] one that failed with an error, or was cancelled, returns
// without having run: use [ForErr] to be told.
func For[V any](n int, views V, body func(v *V, i int), opts ...Option) {
	checkBody(body == nil)
	_ = build(context.Background(), n, &views, indexFunc[V]{body}, false, opts, inCall).run()
}

// ForBatch is [For] for bodies that take a cell at a time: the indices begin <= i < end.
func ForBatch[V any](n int, views V, body func(v *V, begin, end int), opts ...Option) {
	checkBody(body == nil)
	_ = build(context.Background(), n, &views, batchFunc[V]{body}, false, opts, inCall).run()
}

// Do calls body(v) once, with v as in [For]. It has no length, so [LengthOf] is a violation. A body that is to run
// [After] a job that failed with an error, or was cancelled, is not called, and Do returns: use [DoErr] to be told.
func Do[V any](views V, body func(v *V), opts ...Option) {
	checkBody(body == nil)
	_ = build(context.Background(), 1, &views, singleFunc[V]{body}, true, opts, inCall).run()
}

// ForErr is [For] for bodies that can fail, under a context; see [RunErr].
func ForErr[V any](ctx context.Context, n int, views V, body func(v *V, i int) error, opts ...Option) error {
	checkBody(body == nil)
	return build(ctx, n, &views, indexErrFunc[V]{body}, false, opts, inCall).run()
}

// ForBatchErr is [ForErr] for bodies that take a cell at a time.
func ForBatchErr[V any](ctx context.Context, n int, views V, body func(v *V, begin, end int) error, opts ...Option) error {
	checkBody(body == nil)
	return build(ctx, n, &views, batchErrFunc[V]{body}, false, opts, inCall).run()
}

// DoErr is [Do] for bodies that can fail, under a context.
func DoErr[V any](ctx context.Context, views V, body func(v *V) error, opts ...Option) error {
	checkBody(body == nil)
	return build(ctx, 1, &views, singleErrFunc[V]{body}, true, opts, inCall).run()
}

func checkBody(missing bool) {
	if missing {
		panic(safety.NewViolation(safety.ErrArgument, "a loop was scheduled with a nil body", "Pass a function."))
	}
}

type indexFunc[V any] struct{ body func(v *V, i int) }

// Code implements origin.Coded.
func (k indexFunc[V]) Code() uintptr { return origin.Code(k.body) }

// Form implements origin.Coded.
func (indexFunc[V]) Form() string { return "for" }

// PerIndex implements Kind.
func (indexFunc[V]) PerIndex() bool { return true }

// Loop implements Kind.
func (k indexFunc[V]) Loop(v *V, r *Cells) error {
	for r.Next() {
		for i, end := r.begin, r.end; i < end; i++ {
			k.body(v, i)
		}
	}
	return nil
}

type batchFunc[V any] struct{ body func(v *V, begin, end int) }

// Code implements origin.Coded.
func (k batchFunc[V]) Code() uintptr { return origin.Code(k.body) }

// Form implements origin.Coded.
func (batchFunc[V]) Form() string { return "for" }

// PerIndex implements Kind.
func (batchFunc[V]) PerIndex() bool { return false }

// Loop implements Kind.
func (k batchFunc[V]) Loop(v *V, r *Cells) error {
	for r.Next() {
		k.body(v, r.begin, r.end)
	}
	return nil
}

type singleFunc[V any] struct{ body func(v *V) }

// Code implements origin.Coded.
func (k singleFunc[V]) Code() uintptr { return origin.Code(k.body) }

// Form implements origin.Coded.
func (singleFunc[V]) Form() string { return "do" }

// PerIndex implements Kind.
func (singleFunc[V]) PerIndex() bool { return false }

// Loop implements Kind.
func (k singleFunc[V]) Loop(v *V, r *Cells) error {
	for r.Next() {
		k.body(v)
	}
	return nil
}

type indexErrFunc[V any] struct{ body func(v *V, i int) error }

// Code implements origin.Coded.
func (k indexErrFunc[V]) Code() uintptr { return origin.Code(k.body) }

// Form implements origin.Coded.
func (indexErrFunc[V]) Form() string { return "for" }

// PerIndex implements Kind.
func (indexErrFunc[V]) PerIndex() bool { return true }

// Loop implements Kind.
func (k indexErrFunc[V]) Loop(v *V, r *Cells) error {
	for r.Next() {
		for i, end := r.begin, r.end; i < end; i++ {
			if err := k.body(v, i); err != nil {
				return err
			}
		}
	}
	return nil
}

type batchErrFunc[V any] struct {
	body func(v *V, begin, end int) error
}

// Code implements origin.Coded.
func (k batchErrFunc[V]) Code() uintptr { return origin.Code(k.body) }

// Form implements origin.Coded.
func (batchErrFunc[V]) Form() string { return "for" }

// PerIndex implements Kind.
func (batchErrFunc[V]) PerIndex() bool { return false }

// Loop implements Kind.
func (k batchErrFunc[V]) Loop(v *V, r *Cells) error {
	for r.Next() {
		if err := k.body(v, r.begin, r.end); err != nil {
			return err
		}
	}
	return nil
}

type singleErrFunc[V any] struct{ body func(v *V) error }

// Code implements origin.Coded.
func (k singleErrFunc[V]) Code() uintptr { return origin.Code(k.body) }

// Form implements origin.Coded.
func (singleErrFunc[V]) Form() string { return "do" }

// PerIndex implements Kind.
func (singleErrFunc[V]) PerIndex() bool { return false }

// Loop implements Kind.
func (k singleErrFunc[V]) Loop(v *V, r *Cells) error {
	for r.Next() {
		if err := k.body(v); err != nil {
			return err
		}
	}
	return nil
}
