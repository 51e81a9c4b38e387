package parallelfor

import (
	"context"
	"math/bits"
)

// Compact moves the elements whose indices of [0, n) keep holds for to the front, in their order, zeroes
// the rest of the n, and returns how many it kept. keep is called once for each index, in parallel, with
// the worker's copy of views; elements move only when all calls are done, so keep may look at any, and when
// it fails none has moved.
//
// slice returns the elements from the worker's copy of views: the Slice of a Writer. The moving is a job of
// its own, which is given all of them, with the same views: first each batch by itself in parallel, then the
// batches one after the other. It needs a bit for each index, in words of 64 for each batch.
//
// The result is 0, and nothing has moved, when a loop that it was to run [After] failed. Fewer elements
// than n are a violation, and so are nil funcs.
func Compact[V, T any](n int, views V, slice func(v *V) []T, keep func(v *V, i int) bool, opts ...Option) int {
	checkBody(slice == nil || keep == nil)
	k := &masking[V]{mask: newMask(n, opts), keep: keep, form: "compact"}
	if build(context.Background(), n, &views, k, false, opts, called).run() != nil {
		return 0
	}
	kept, _ := compact(context.Background(), &k.mask, k.Code(), &views, slice, opts)
	return kept
}

// CompactErr is [Compact] for a keep that can fail, under a context; see [ForErr]. With an error
// nothing has moved, and the result is 0.
func CompactErr[V, T any](ctx context.Context, n int, views V, slice func(v *V) []T, keep func(v *V, i int) (bool, error), opts ...Option) (int, error) {
	checkBody(slice == nil || keep == nil)
	k := &maskingErr[V]{mask: newMask(n, opts), keep: keep, form: "compact"}
	if err := build(ctx, n, &views, k, false, opts, called).run(); err != nil {
		return 0, err
	}
	return compact(ctx, &k.mask, k.Code(), &views, slice, opts)
}

// moving is the job of the loop that moves elements within batches. It has no views: the job around
// it holds what it moves.
type moving struct{}

// compact moves the elements whose bits are set.
func compact[V, T any](ctx context.Context, m *mask, code uintptr, views *V, slice func(v *V) []T, opts []Option) (int, error) {
	at := m.starts()
	move := func(v *V) {
		s := batchOf(slice, v, 0, m.n)
		For(m.batches, moving{}, func(_ *moving, c int) { gather(m, c, s) }, crewOf(opts)...)
		for c := range m.batches {
			_, first := m.of(c)
			copy(s[at[c]:at[c+1]], s[first:])
		}
		clear(s[at[m.batches]:])
	}
	err := build(ctx, 1, views, compacting[V]{once[V]{move}, code}, true, opts, called).run()
	if err != nil {
		return 0, err
	}
	return at[m.batches], nil
}

// compacting is the kind of the job that moves elements. It has the code and the form of the loop
// that has marked them, so both jobs have the same name.
type compacting[V any] struct {
	once[V]
	keep uintptr // the code of that loop's predicate
}

// Code implements origin.Coded.
func (k compacting[V]) Code() uintptr { return k.keep }

// Form implements origin.Coded.
func (compacting[V]) Form() string { return "compact" }

// gather moves the elements of one batch whose bits are set to its front.
func gather[T any](m *mask, batch int, s []T) {
	words, first := m.of(batch)
	to := first
	for _, w := range words {
		for ; w != 0; w &= w - 1 {
			s[to] = s[first+bits.TrailingZeros64(w)]
			to++
		}
		first += 64
	}
}
