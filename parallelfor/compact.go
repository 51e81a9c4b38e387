package parallelfor

import "context"

// Compact moves the elements for whose indices of [0, n) keep holds to the front, in their order,
// zeroes the rest of the n, and returns how many it kept. keep is called once for each index, in
// parallel, with the worker's copy of views. Elements move only when all calls are done: keep may
// look at any element, and if it fails, none has moved.
//
// slice returns the elements from the worker's copy of views, as the Slice of a Writer does. A job
// of its own, with the same views, moves the elements and is given all of them: first each batch by
// itself in parallel, then one batch after the other. Compact needs a bit for each index, in words
// of 64 for each batch.
//
// If a loop that it was to run [After] failed, the result is 0 and nothing has moved. Fewer
// elements than n are a violation, and so are views that only read, and nil functions.
func Compact[V, T any](n int, views V, slice func(v *V) []T, keep func(v *V, i int) bool, opts ...Option) int {
	kept, _ := compact(context.Background(), n, &views, slice, predicate[V]{holds: keep}, opts)
	return kept
}

// CompactErr is [Compact] for a keep that can fail, under a context; see [ForErr]. With an error
// nothing has moved, and the result is 0.
func CompactErr[V, T any](ctx context.Context, n int, views V, slice func(v *V) []T, keep func(v *V, i int) (bool, error), opts ...Option) (int, error) {
	return compact(ctx, n, &views, slice, predicate[V]{holdsErr: keep}, opts)
}

// moving is the job of the loop that moves elements within batches. It has no views: the job around
// it holds what it moves.
type moving struct{}

func compact[V, T any](ctx context.Context, n int, views *V, slice func(v *V) []T, keep predicate[V], opts []Option) (int, error) {
	checkFunction("Compact", "slice", slice == nil)
	m := newMasking(n, keep, "compact", opts)
	if err := build(ctx, n, views, m, m.about, opts, called, 0).run(); err != nil {
		return 0, err
	}
	at := m.starts()
	move := func(v *V) {
		s := batchOf(slice, v, 0, m.n)
		For(m.batches, moving{}, func(_ *moving, c int) { gather(&m.mask, c, s) }, crewOf(opts)...)
		for c := range m.batches {
			_, first := m.of(c)
			copy(s[at[c]:at[c+1]], s[first:])
		}
		clear(s[at[m.batches]:])
	}
	if err := build(ctx, 1, views, compacting[V](move), about{m.about.code, m.about.form, jobUnit}, opts, called, 0).run(); err != nil {
		return 0, err
	}
	return at[m.batches], nil
}

// compacting is the kind of the job that moves elements. The job has the code and form of the loop
// that marks them, so both have the same name.
type compacting[V any] func(v *V)

// Loop implements [kind].
func (k compacting[V]) Loop(v *V, r *Batches) error {
	r.mayMove()
	return once[V](k).Loop(v, r)
}

// gather moves the elements of one batch whose bits are set to its front.
func gather[T any](m *mask, batch int, s []T) {
	_, to := m.of(batch)
	for i := range m.kept(batch) {
		s[to] = s[i]
		to++
	}
}
