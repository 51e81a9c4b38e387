package parallelfor

import "context"

// Filter returns the indices of [0, n) for which keep holds, in ascending order. keep is called
// once for each index, in parallel, with the worker's copy of views, as in [For]. To have the
// indices, or what belongs to them, in a container, append them in the body of a For.
//
// While it runs, it needs a bit for each index, in words of 64 for each batch. The result is nil if
// a loop that it was to run [After] failed. A nil keep is a violation.
func Filter[V any](n int, views V, keep func(v *V, i int) bool, opts ...Option) []int {
	list, _ := filter(context.Background(), n, &views, predicate[V]{holds: keep}, opts)
	return list
}

// FilterErr is [Filter] for a keep that can fail, under a context; see [ForErr]. With an error the
// result is nil.
func FilterErr[V any](ctx context.Context, n int, views V, keep func(v *V, i int) (bool, error), opts ...Option) ([]int, error) {
	return filter(ctx, n, &views, predicate[V]{holdsErr: keep}, opts)
}

func filter[V any](ctx context.Context, n int, views *V, keep predicate[V], opts []Option) ([]int, error) {
	k := newMasking(n, keep, "filter", opts)
	if err := build(ctx, n, views, k, k.about, opts, called, 0).run(); err != nil {
		return nil, err
	}
	return k.indices(opts), nil
}

// listing is the job of the loop that makes a list of a mask. It has no views.
type listing struct{}

// listAtLeast is the number of listed indices that is worth a batch.
const listAtLeast = 1 << 14

// indices lists the indices whose bits are set.
func (m *mask) indices(opts []Option) []int {
	at := m.starts()
	total := at[m.batches]
	list := make([]int, total)
	batch := m.batches
	if total > listAtLeast {
		batch = divUp(m.batches, divUp(total, listAtLeast))
	}
	ForBatch(m.batches, listing{}, func(_ *listing, begin, end int) {
		for c := begin; c < end; c++ {
			to := at[c]
			for i := range m.kept(c) {
				list[to] = i
				to++
			}
		}
	}, crewOf(opts, Batch(batch))...)
	return list
}
