package lane

import "example.com/custody/safety"

// Partial returns a pointer to the partial result of the current run: an item that the first call in
// the run appends, and that is the zero value then. A container whose batches add up instead of
// appending, such as a counter or a histogram, keeps what they add there, with plain reads and
// writes, and folds the items when the job is sealed: they come in the order of the sequential loop,
// and when a batch fails the last of them holds what that batch did until then.
//
//	func (w *Writer) Add(d int64) { *w.lane.Partial(&w.access) += d }
//
// The item is the current run's own. In builds with the race detector each batch is a run, so what
// a view does through the pointer needs no go:norace directive, unlike memory that is kept for each
// worker; and two goroutines that use it in one batch are reported. The pointer is good until the
// view's next method, as after a nested job the partial result is another item: what comes before
// the nested job and what comes after it are folded on either side of it.
//
// Which batches make a run depends on who was free, so the fold must be one that gives the same however
// the batches are grouped: sums of integers, minima, concatenation. Sums of floats do not; for these a
// [safety.CellView] appends one item for each batch.
//
// A lane is either appended to, or asked for Partial. by is what it is in [Lane.Append], with the same
// violations. T is small, or holds a slice that the first use makes: each run has one.
//
// Cost: two comparisons, and a call where the view's method is too long to be inlined. A run is many
// batches of one worker, except in strict builds, where it is one.
//
//go:norace
func (l *Lane[T]) Partial(by *safety.Access) *T {
	if safety.Strict || l == nil || l.partial == nil {
		return l.newPartial(by)
	}
	return l.partial
}

// newPartial is Partial for the first call in a run, and for strict builds.
//
//go:norace
func (l *Lane[T]) newPartial(by *safety.Access) *T {
	if safety.Strict && by != nil {
		by.CheckLane()
	}
	if l == nil || !l.open {
		panic(stale(by))
	}
	if l.partial == nil {
		var zero T
		l.Append(nil, zero)
		l.partial = &l.buf[len(l.buf)-1]
	}
	return l.partial
}

// split ends the partial result of the current run, because a nested job's items follow it.
//
//go:norace
func (l *Lane[T]) split() { l.partial = nil }
