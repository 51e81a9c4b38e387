package parallelfor

import (
	"context"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/origin"
)

// Find returns the lowest index of [0, n) that pred holds for, or -1. pred is called in parallel with the
// worker's copy of views; otherwise it is [For]. Once an index was found, batches above it are not begun any
// more, those below are: so the index is that of the sequential loop, and so is what pred has appended, or
// a failure of it. pred may be called for indices above the result, and must not care; when it ends the
// goroutine of the caller there, the caller ends.
//
// The result is -1 also when a loop that it was to run [After] failed. A nil pred is a violation. When pred
// holds nowhere, or only near the end, it costs what For costs; when it holds early, about that share of it.
func Find[V any](n int, views V, pred func(v *V, i int) bool, opts ...Option) int {
	checkBody(pred == nil)
	k := &finding[V]{pred: pred}
	if build(context.Background(), n, &views, k, false, opts, called).run() != nil {
		return -1
	}
	return k.found.index()
}

// FindErr is [Find] for a pred that can fail, under a context; see [ForErr]. An error above the
// index found does not count; with one below it, the result is -1.
func FindErr[V any](ctx context.Context, n int, views V, pred func(v *V, i int) (bool, error), opts ...Option) (int, error) {
	checkBody(pred == nil)
	k := &findingErr[V]{pred: pred}
	if err := build(ctx, n, &views, k, false, opts, called).run(); err != nil {
		return -1, err
	}
	return k.found.index(), nil
}

// lowest is the lowest index that was found. Several workers may find one each.
type lowest struct {
	after atom.HiddenUint64 // the index, counted down from the top: 0 stands for none
}

// note takes an index in, and stops the loop after the batch.
func (l *lowest) note(i int, r *Batches) {
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
func (k *finding[J]) Loop(job *J, r *Batches) error {
	through := -1 // the batch in which an index was found: strict builds come back for its other indices
	for r.Next() {
		batch := r.Batch()
		for i, end := r.Begin(), r.End(); i < end && batch != through; i++ {
			if k.pred(job, i) {
				k.found.note(i, r)
				through = batch
			}
		}
	}
	return nil
}

// findingErr is finding by a predicate that can fail.
type findingErr[J any] struct {
	found lowest
	pred  func(job *J, i int) (bool, error)
}

// Code implements origin.Coded.
func (k *findingErr[J]) Code() uintptr { return origin.Code(k.pred) }

// Form implements origin.Coded.
func (*findingErr[J]) Form() string { return "find" }

// PerIndex implements Kind.
func (*findingErr[J]) PerIndex() bool { return true }

// Loop implements Kind.
func (k *findingErr[J]) Loop(job *J, r *Batches) error {
	through := -1
	for r.Next() {
		batch := r.Batch()
		for i, end := r.Begin(), r.End(); i < end && batch != through; i++ {
			yes, err := k.pred(job, i)
			if err != nil {
				return err
			}
			if yes {
				k.found.note(i, r)
				through = batch
			}
		}
	}
	return nil
}
