package parallelfor

import (
	"context"
	"math/bits"
)

// Filter returns the indices of [0, n) that keep holds for, in ascending order. keep is called once
// for each index, in parallel, with the worker's copy of views; otherwise it is [For]. To have the
// indices, or what belongs to them, in a container, append them in the body of a For.
//
// It needs a bit for each index while it runs, in words of 64 for each batch. The result is nil when
// a loop that it was to run [After] failed. A nil keep is a violation.
func Filter[V any](n int, views V, keep func(v *V, i int) bool, opts ...Option) []int {
	checkBody(keep == nil)
	k := &masking[V]{mask: newMask(n, opts), keep: keep, form: "filter"}
	if build(context.Background(), n, &views, k, false, opts, called).run() != nil {
		return nil
	}
	return k.indices(opts)
}

// FilterErr is [Filter] for a keep that can fail, under a context; see [ForErr]. With an error the
// result is nil.
func FilterErr[V any](ctx context.Context, n int, views V, keep func(v *V, i int) (bool, error), opts ...Option) ([]int, error) {
	checkBody(keep == nil)
	k := &maskingErr[V]{mask: newMask(n, opts), keep: keep, form: "filter"}
	if err := build(ctx, n, &views, k, false, opts, called).run(); err != nil {
		return nil, err
	}
	return k.indices(opts), nil
}

// listing is the job of the loop that makes a list of a mask. It has no views.
type listing struct{}

// listAtLeast is how many indices are worth a batch of a loop that lists them.
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
			m.list(c, list[at[c]:at[c+1]])
		}
	}, crewOf(opts, Batch(batch))...)
	return list
}

// list lists the indices of one batch.
func (m *mask) list(batch int, list []int) {
	words, first := m.of(batch)
	k := 0
	for _, w := range words {
		for ; w != 0; w &= w - 1 {
			list[k] = first + bits.TrailingZeros64(w)
			k++
		}
		first += 64
	}
}
