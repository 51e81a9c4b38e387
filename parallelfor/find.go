package parallelfor

import (
	"context"

	"example.com/custody/internal/atom"
)

// Find returns the lowest index of [0, n) for which pred holds, or -1. pred is called in parallel
// with the worker's copy of views, as in [For]. Once an index has been found, no batch above it
// begins, and those below run. So the index is that of the sequential loop, and so is what pred has
// appended, or its failure. pred may be called for indices above the result, which must not matter
// to it. If it ends the goroutine of the caller there, the caller ends.
//
// The result is -1 also if a loop that it was to run [After] failed. A nil pred is a violation. If
// pred holds nowhere, or only near the end, Find costs what For costs; if it holds early, about
// that share of it.
func Find[V any](n int, views V, pred func(v *V, i int) bool, opts ...Option) int {
	i, _ := find(context.Background(), n, &views, predicate[V]{holds: pred}, opts)
	return i
}

// FindErr is [Find] for a pred that can fail, under a context; see [ForErr]. An error above the
// index found does not count; with one below it, the result is -1.
func FindErr[V any](ctx context.Context, n int, views V, pred func(v *V, i int) (bool, error), opts ...Option) (int, error) {
	return find(ctx, n, &views, predicate[V]{holdsErr: pred}, opts)
}

func find[V any](ctx context.Context, n int, views *V, pred predicate[V], opts []Option) (int, error) {
	k := &finding[V]{about: pred.about("find"), predicate: pred}
	if err := build(ctx, n, views, k, k.about, opts, called, 0).run(); err != nil {
		return -1, err
	}
	return int(^k.found.Load()), nil
}

// finding is the kind of a search. found is the complement of the lowest index that was found, and
// at first 0, the complement of -1.
type finding[J any] struct {
	about about
	predicate[J]
	found atom.HiddenUint64
}

// note notes that index i was found, and stops the loop after the batch.
func (k *finding[J]) note(i int, r *Batches) {
	v := ^uint64(i)
	for {
		old := k.found.Load()
		if old >= v || k.found.CompareAndSwap(old, v) {
			break
		}
	}
	r.Stop()
}

// Loop implements [Kind].
func (k *finding[J]) Loop(job *J, r *Batches) error {
	through := -1 // the batch in which an index was found; strict builds return to its other indices
	for r.Next() {
		batch := r.batch
		for i, end := r.begin, r.end; i < end && batch != through; i++ {
			var yes bool
			if k.holds != nil {
				yes = k.holds(job, i)
			} else if held, err := k.holdsErr(job, i); err != nil {
				return err
			} else {
				yes = held
			}
			if yes {
				k.note(i, r)
				through = batch
			}
		}
	}
	return nil
}
