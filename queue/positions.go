package queue

import (
	"iter"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// hold is what views embed. The unexported alias keeps its methods off the pages of the views.
type hold = safety.Hold

// Reader is a view that reads all items of a queue by position: 0 is the next to leave. Any number
// of jobs may hold Readers of one queue together. It works only inside the job that carries it.
//
// At: job reads; wait-free; O(1), O(log pieces) in another piece; allocates never.
// All, Slices, Len: job reads; wait-free; O(1); allocates never.
type Reader[T any] struct {
	positions[T] `custody:"part"`
}

// Writer is a view that reads and writes the items of a queue at the positions that the current
// batch owns. Index i owns the item at position i, and position 0 is the next to leave. A single
// job owns all items. It works only inside the job that carries it.
//
// Guarantees (consistency, progress, cost, allocations; docs/consistency.md):
//
//	At, Set, Ptr  own batch  wait-free  O(1), O(log pieces) in another piece  never
//	All, Slices   own batch  wait-free  O(1)                                  never
//	Len           job reads  wait-free  O(1)                                  never
type Writer[T any] struct {
	positions[T] `custody:"part"`
}

// positions is the common part of views by position.
type positions[T any] struct {
	hold
	of         positional[T]
	all        stretches[T] // the items of the job; none while the view is not bound
	begin, end int          // the positions that the view may use
	s          stretch[T]   // of these, the stretch that was used last
}

// positional is a queue as its views by position see it.
type positional[T any] interface {
	// stretches returns as many items as there are. Their values are undefined: bind calls it
	// before the phase is open, when only their number counts.
	stretches() stretches[T]
	// extent returns the largest number of items.
	extent() int
}

// At returns the item at position i. A position that the batch does not own, or for a Reader one
// outside [0, Len), is a violation.
//
// Cost: that of a slice, and a binary search when i is in another piece of memory than before.
func (p *positions[T]) At(i int) T { return *p.item(i) }

// item returns a pointer to the item at position i. At, Set and Ptr are inlined where they are
// called, so each costs a call of item.
func (p *positions[T]) item(i int) *T {
	if safety.Strict {
		p.hold.Check()
	}
	if s, k := p.s.items, uint(i-p.s.at); k < uint(len(s)) {
		return &s[k]
	}
	return p.elsewhere(i)
}

// elsewhere implements item for a position outside the stretch that was used last.
func (p *positions[T]) elsewhere(i int) *T {
	if i < p.begin || i >= p.end {
		panic(p.hold.Out(i))
	}
	p.seek(i)
	return &p.s.items[i-p.s.at]
}

// seek sets s to the stretch that has position i, as far as the view may use it.
func (p *positions[T]) seek(i int) {
	s := p.all.find(i)
	lo, hi := max(p.begin, s.at), min(p.end, s.end())
	p.s = stretch[T]{lo, s.items[lo-s.at : hi-s.at : hi-s.at]}
}

// Len returns the number of items that the job has.
func (p *positions[T]) Len() int {
	if safety.Strict {
		p.hold.Check()
	}
	if !p.hold.Bound() {
		panic(p.hold.Stale())
	}
	return p.all.len()
}

// Slices ranges over the items in order, as slices with the position of the first item of each. A
// Writer has the items that the batch owns, in slices that are valid until the batch ends. A Reader
// has all items, in slices that are valid until the job ends and must not be written. In strict
// builds a per-index loop owns one item at a time.
func (p *positions[T]) Slices() iter.Seq2[int, []T] {
	return func(yield func(int, []T) bool) {
		p.hold.Check()
		p.all.each(p.begin, p.end, yield)
	}
}

// All ranges over the items of Slices, with their positions.
func (p *positions[T]) All() iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		for at, s := range p.Slices() {
			for k, v := range s {
				if !yield(at+k, v) {
					return
				}
			}
		}
	}
}

// Set makes v the item at position i. A position that the batch does not own is a violation.
func (w *Writer[T]) Set(i int, v T) { *w.item(i) = v }

// Ptr returns a pointer to the item at position i, valid until the batch ends. A position that the
// batch does not own is a violation.
func (w *Writer[T]) Ptr(i int) *T { return w.item(i) }

// bind sets all to the items that the queue stored in the phase's State. Before the phase is open
// it sets all to as many items as the queue has now, for Len.
func (p *positions[T]) bind(b safety.Binding) {
	if all, ok := b.State().(stretches[T]); ok {
		p.all = all
	} else {
		p.all = p.of.stretches()
	}
}

// window implements the Window of both kinds.
func (p *positions[T]) window() (begin, end, length int) { return p.begin, p.end, p.all.len() }

// readerKind is the kind of Readers.
type readerKind[T any] Reader[T]

// Of implements safety.ViewKind.
func (*readerKind[T]) Of(view any, _ *safety.Hold) safety.Binder {
	return (*readerKind[T])(view.(*Reader[T]))
}

// Bind implements safety.Binder. A view that is bound is passed on by a body, with its items.
func (r *readerKind[T]) Bind(b safety.Binding) {
	if !r.hold.Bound() {
		r.bind(b)
	}
	r.hold.Bind(b)
	r.begin, r.end = 0, r.all.len()
	if b.First() {
		r.all.declare(0, r.end, atom.ReadRange)
	}
}

// Window returns the positions that the view may use, for texts.
func (r *readerKind[T]) Window() (begin, end, length int) { return r.window() }

// writerKind is the kind of Writers.
type writerKind[T any] Writer[T]

// Of implements safety.ViewKind.
func (*writerKind[T]) Of(view any, _ *safety.Hold) safety.Binder {
	return (*writerKind[T])(view.(*Writer[T]))
}

// Claim completes the claim.
func (w *writerKind[T]) Claim(c *safety.Claim) {
	c.Ranged = true
	switch {
	case w.hold.Bound():
		c.Extent = w.end - w.begin
	case w.of != nil:
		c.Extent = w.of.extent()
	}
}

// Bind implements safety.Binder. A view that is bound is passed on by a body, with its window.
func (w *writerKind[T]) Bind(b safety.Binding) {
	if w.hold.Bound() {
		w.all = w.all.cut(w.begin, w.end)
	} else {
		w.bind(b)
	}
	w.hold.Bind(b)
	w.s, w.begin, w.end = stretch[T]{}, 0, 0
}

// SetRange implements safety.RangeView.
func (w *writerKind[T]) SetRange(begin, end int) {
	n := w.all.len()
	w.begin, w.end, w.s = min(begin, n), min(end, n), stretch[T]{}
	if w.begin < w.end {
		w.seek(w.begin)
		w.all.declare(w.begin, w.end, atom.WriteRange)
	}
}

// Window implements safety.RangeView.
func (w *writerKind[T]) Window() (begin, end, length int) { return w.window() }

// Elsewhere returns the advice for items that the batch does not own, for texts.
func (w *writerKind[T]) Elsewhere() string {
	return "A parallel loop may touch only the items at its own indices through a Writer. " +
		"To have one body see all of them run a single job. " +
		"To take items out from any body take Shared()."
}
