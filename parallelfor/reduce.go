package parallelfor

import (
	"context"

	"example.com/custody/internal/origin"
)

// Reduce computes one value of all indices of [0, n). body returns the value of a batch, the
// indices begin <= i < end. combine joins the values of two neighbouring ranges of indices, of
// which a is the lower one. So combine must be associative, as far as the program cares, and need
// not be commutative. v points to the worker's copy of views, as in [For].
//
// The values of the batches are joined in a tree that the grid alone decides: a sum of floats has
// the same bits for any number of workers, and under [Sequential]. It is not the sum of the plain
// loop, whose tree is another one.
//
// The result for n = 0 is the zero R, and body is not called. It is also the zero R if the loop did
// not run because a loop that it was to run [After] failed. A body fails as in [For]. combine is
// called once less than there are batches, on the calling goroutine, when the containers are the
// caller's again: a panic in it is an ordinary one. With many batches and a slow combine, use a
// larger [Batch]. A nil body or combine is a violation.
func Reduce[V, R any](n int, views V, body func(v *V, begin, end int) R, combine func(a, b R) R, opts ...Option) R {
	r, _ := reduce(context.Background(), n, &views, origin.Code(body), func(v *V, begin, end int) (R, error) { return body(v, begin, end), nil }, combine, opts)
	return r
}

// ReduceErr is [Reduce] for bodies that can fail, under a context; see [ForErr]. With an error the
// value is the zero R.
func ReduceErr[V, R any](ctx context.Context, n int, views V, body func(v *V, begin, end int) (R, error), combine func(a, b R) R, opts ...Option) (R, error) {
	return reduce(ctx, n, &views, origin.Code(body), body, combine, opts)
}

func reduce[J, R any](ctx context.Context, n int, job *J, code uintptr, body func(j *J, begin, end int) (R, error), combine func(a, b R) R, opts []Option) (r R, err error) {
	checkBody(code == 0)
	checkFunction("Reduce", "combine", combine == nil)
	k := &reducing[J, R]{about: about{code, "reduce", batchUnit}, body: body, parts: placesOf[R](n, opts)}
	if err := build(ctx, n, job, k, k.about, opts, called, 0).run(); err != nil || n == 0 {
		return r, err
	}
	return fold(k.parts, combine), nil
}

// reducing is the kind of a reduction.
type reducing[J, R any] struct {
	about about
	body  func(job *J, begin, end int) (R, error)
	parts []R // the values of the batches
}

// Loop implements [Kind].
func (k *reducing[J, R]) Loop(job *J, r *Batches) error {
	for r.Next() {
		part, err := k.body(job, r.Begin(), r.End())
		if err != nil {
			return err
		}
		k.parts[r.Batch()] = part
	}
	return nil
}

// fold joins one part or more: neighbours first, then neighbouring pairs. It overwrites them.
func fold[R any](parts []R, combine func(a, b R) R) R {
	for step := 1; step < len(parts); step *= 2 {
		for i := 0; i+step < len(parts); i += 2 * step {
			parts[i] = combine(parts[i], parts[i+step])
		}
	}
	return parts[0]
}
