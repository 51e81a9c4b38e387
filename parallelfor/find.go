package parallelfor

import (
	"context"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/origin"
)

// Find returns the lowest index of [0, n) that pred holds for, or -1. pred is called in parallel with the
// worker's copy of views; otherwise it is [For]. Once an index was found, cells above it are not begun any
// more, those below are: so the index is that of the sequential loop, and so is what pred has appended, or
// a failure of it. pred may be called for indices above the result, and must not care; when it ends the
// goroutine of the caller there, the caller ends.
//
// The result is -1 also when a loop that it was to run [After] failed. A nil pred is a violation. When pred
// holds nowhere, or only near the end, it costs what For costs; when it holds early, about that share of it.
func Find[V any](n int, views V, pred func(v *V, i int) bool, opts ...Option) int {
	checkBody(pred == nil)
	return find(n, &views, pred, opts)
}

// FindErr is [Find] for a pred that can fail, under a context; see [RunErr]. An error above the index found
// does not count; with one below it, the result is -1.
func FindErr[V any](ctx context.Context, n int, views V, pred func(v *V, i int) (bool, error), opts ...Option) (int, error) {
	checkBody(pred == nil)
	return findErr(ctx, n, &views, origin.Code(pred), pred, opts)
}

// RunFind is [Find] for a struct job, whose Execute is the predicate.
func RunFind[J any, P Predicate[J]](n int, job J, opts ...Option) int {
	return find(n, &job, predicateOf[J, P](), opts)
}

// RunFindErr is [FindErr] for a struct job.
func RunFindErr[J any, P PredicateErr[J]](ctx context.Context, n int, job J, opts ...Option) (int, error) {
	return findErr(ctx, n, &job, 0, predicateErrOf[J, P](), opts)
}

// Any says whether pred holds for some index of [0, n): whether [Find] finds one.
func Any[V any](n int, views V, pred func(v *V, i int) bool, opts ...Option) bool {
	return Find(n, views, pred, opts...) >= 0
}

// AnyErr is [Any] for a pred that can fail, under a context; see [FindErr].
func AnyErr[V any](ctx context.Context, n int, views V, pred func(v *V, i int) (bool, error), opts ...Option) (bool, error) {
	i, err := FindErr(ctx, n, views, pred, opts...)
	return i >= 0, err
}

// All says whether pred holds for every index of [0, n), as it does for n = 0. It stops as [Find] does, at
// the first for which it does not hold. The result is false when a loop that it was to run [After] failed.
func All[V any](n int, views V, pred func(v *V, i int) bool, opts ...Option) bool {
	checkBody(pred == nil)
	i, err := findErr(context.Background(), n, &views, origin.Code(pred), func(v *V, i int) (bool, error) { return !pred(v, i), nil }, opts)
	return err == nil && i < 0
}

// AllErr is [All] for a pred that can fail, under a context; see [FindErr]. With an error the result is false.
func AllErr[V any](ctx context.Context, n int, views V, pred func(v *V, i int) (bool, error), opts ...Option) (bool, error) {
	checkBody(pred == nil)
	i, err := findErr(ctx, n, &views, origin.Code(pred), func(v *V, i int) (bool, error) {
		yes, err := pred(v, i)
		return !yes, err
	}, opts)
	return err == nil && i < 0, err
}

func find[J any](n int, job *J, pred func(job *J, i int) bool, opts []Option) int {
	k := &finding[J]{pred: pred}
	if build(context.Background(), n, job, k, false, opts, inCall).run() != nil {
		return -1
	}
	return k.found.index()
}

func findErr[J any](ctx context.Context, n int, job *J, code uintptr, pred func(job *J, i int) (bool, error), opts []Option) (int, error) {
	k := &findingErr[J]{pred: pred, code: code}
	if err := build(ctx, n, job, k, false, opts, inCall).run(); err != nil {
		return -1, err
	}
	return k.found.index(), nil
}

// lowest is the lowest index that was found. Several workers may find one each.
type lowest struct {
	after atom.HiddenUint64 // the index, counted down from the top: 0 stands for none
}

// note takes an index in, and stops the loop after the cell.
func (l *lowest) note(i int, r *Cells) {
	v := ^uint64(i)
	for {
		old := l.after.Load()
		if old >= v || l.after.CompareAndSwap(old, v) {
			break
		}
	}
	r.Stop()
}

// index returns the lowest, or -1.
func (l *lowest) index() int {
	if v := l.after.Load(); v != 0 {
		return int(^v)
	}
	return -1
}

// finding is the kind of a search.
type finding[J any] struct {
	found lowest
	pred  func(job *J, i int) bool
}

// Code implements origin.Coded.
func (k *finding[J]) Code() uintptr { return origin.Code(k.pred) }

// Form implements origin.Coded.
func (*finding[J]) Form() string { return "find" }

// PerIndex implements Kind.
func (*finding[J]) PerIndex() bool { return true }

// Loop implements Kind.
func (k *finding[J]) Loop(job *J, r *Cells) error {
	through := -1 // the cell in which an index was found: strict builds come back for its other indices
	for r.Next() {
		cell := r.Cell()
		for i, end := r.Begin(), r.End(); i < end && cell != through; i++ {
			if k.pred(job, i) {
				k.found.note(i, r)
				through = cell
			}
		}
	}
	return nil
}

// findingErr is finding by a predicate that can fail.
type findingErr[J any] struct {
	found lowest
	code  uintptr // of the program's function, which pred may wrap
	pred  func(job *J, i int) (bool, error)
}

// Code implements origin.Coded.
func (k *findingErr[J]) Code() uintptr { return k.code }

// Form implements origin.Coded.
func (*findingErr[J]) Form() string { return "find" }

// PerIndex implements Kind.
func (*findingErr[J]) PerIndex() bool { return true }

// Loop implements Kind.
func (k *findingErr[J]) Loop(job *J, r *Cells) error {
	through := -1
	for r.Next() {
		cell := r.Cell()
		for i, end := r.Begin(), r.End(); i < end && cell != through; i++ {
			yes, err := k.pred(job, i)
			if err != nil {
				return err
			}
			if yes {
				k.found.note(i, r)
				through = cell
			}
		}
	}
	return nil
}
