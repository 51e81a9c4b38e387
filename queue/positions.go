package queue

import (
	"iter"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/quiet"
	"example.com/custody/safety"
)

// hold is what views embed. The unexported alias keeps its methods off the pages of the views.
type hold = quiet.Hold

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
	_            [0]byte // a Reader does not convert to a Writer
	positions[T] `custody:"part"`
}

// positions is the common part of views by position.
type positions[T any] struct {
	hold `custody:"part"`
	_    [0]*T // views of different items are not converted to each other
	positionsState
}

// positionsState is what a view by position knows, whatever the type of the items is.
type positionsState struct {
	of         positional
	all        *stretches // the items of the job; nil while the view is not bound
	begin, end int        // the positions that the view may use
	s          stretch    // of these, the stretch that was used last
}

// byPosition returns the common part of a view.
func byPosition[T any](g *safety.Guard, m safety.Mode, k safety.ViewKind, of positional) positions[T] {
	return positions[T]{hold: quiet.New(g.Hold(m, k)), positionsState: positionsState{of: of}}
}

// positional is a queue as its views by position see it.
type positional interface {
	// stretches returns as many items as there are. Their values are undefined: bind calls it
	// before the phase is open, when only their number counts.
	stretches() *stretches
	// extent returns the largest number of items.
	extent() int
}

// At returns the item at position i. A position that the batch does not own, or for a Reader one
// outside [0, Len), is a violation.
//
// Cost: that of a slice, and a binary search when i is in another piece of memory than before.
func (p *positions[T]) At(i int) T { return *(*T)((*positionsKind)(ref(p)).item(i)) }

// Len returns the number of items that the job has.
func (p *positions[T]) Len() int { return (*positionsKind)(ref(p)).len() }

// Slices ranges over the items in order, as slices with the position of the first item of each. A
// Writer has the items that the batch owns, in slices that are valid until the batch ends. A Reader
// has all items, in slices that are valid until the job ends and must not be written. In strict
// builds a per-index loop owns one item at a time.
func (p *positions[T]) Slices() iter.Seq2[int, []T] {
	return func(yield func(int, []T) bool) {
		(*positionsKind)(ref(p)).each(func(s stretch) bool { return yield(s.at, itemsOf[T](s)) })
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
func (w *Writer[T]) Set(i int, v T) { *w.Ptr(i) = v }

// Ptr returns a pointer to the item at position i, valid until the batch ends. A position that the
// batch does not own is a violation.
func (w *Writer[T]) Ptr(i int) *T { return (*T)((*positionsKind)(ref(w)).item(i)) }

// The kinds of views, which generic code does not compile.
var readers, writers safety.ViewKind = quiet.Kind[*readerKind]{}, quiet.Kind[*writerKind]{}

// positionsKind has the fields of views by position without types: it is compiled once.
type positionsKind struct {
	kept safety.Hold
	positionsState
}

// item returns a pointer to the item at position i. At, Set and Ptr are inlined where they are
// called, so each costs a call of item.
func (p *positionsKind) item(i int) ref {
	if safety.Strict {
		p.kept.Check()
	}
	if k := uint(i - p.s.at); k < uint(p.s.n) {
		return p.all.item(&p.s, int(k))
	}
	return p.elsewhere(i)
}

// elsewhere implements item for a position outside the stretch that was used last.
func (p *positionsKind) elsewhere(i int) ref {
	if i < p.begin || i >= p.end {
		panic(p.kept.Out(i))
	}
	p.seek(i)
	return p.all.item(&p.s, i-p.s.at)
}

// seek sets s to the stretch that has position i, as far as the view may use it.
func (p *positionsKind) seek(i int) { p.s = p.all.within(p.all.find(i), p.begin, p.end) }

func (p *positionsKind) len() int {
	quiet.MustBeBound(&p.kept)
	return p.all.len()
}

// each calls f with the items that the view may use, until f returns false.
func (p *positionsKind) each(f func(s stretch) bool) {
	p.kept.Check()
	p.all.each(p.begin, p.end, f)
}

// bind sets all to the items that the queue stored in the phase's State. Before the phase is open
// it sets all to as many items as the queue has now, for Len.
func (p *positionsKind) bind(b safety.Binding) {
	if all, ok := b.State().(*stretches); ok {
		p.all = all
	} else {
		p.all = p.of.stretches()
	}
}

// Window returns the positions that the view may use. It implements safety.RangeView for Writers.
func (p *positionsKind) Window() (begin, end, length int) { return p.begin, p.end, p.all.len() }

// readerKind is the kind of Readers.
type readerKind struct{ positionsKind }

// Bind implements safety.Binder. A view that is bound is passed on by a body, with its items.
func (r *readerKind) Bind(b safety.Binding) {
	if !r.kept.Bound() {
		r.bind(b)
	}
	r.kept.Bind(b)
	r.begin, r.end = 0, r.all.len()
	if b.First() {
		r.all.declare(0, r.end, atom.ReadRange)
	}
}

// writerKind is the kind of Writers.
type writerKind struct{ positionsKind }

// Claim completes the claim.
func (w *writerKind) Claim(c *safety.Claim) {
	c.Ranged = true
	switch {
	case w.kept.Bound():
		c.Extent = w.end - w.begin
	case w.of != nil:
		c.Extent = w.of.extent()
	}
}

// Bind implements safety.Binder. A view that is bound is passed on by a body, with its window.
func (w *writerKind) Bind(b safety.Binding) {
	if w.kept.Bound() {
		w.all = w.all.cut(w.begin, w.end)
	} else {
		w.bind(b)
	}
	w.kept.Bind(b)
	w.s, w.begin, w.end = stretch{}, 0, 0
}

// SetRange implements safety.RangeView.
func (w *writerKind) SetRange(begin, end int) {
	n := w.all.len()
	w.begin, w.end, w.s = min(begin, n), min(end, n), stretch{}
	if w.begin < w.end {
		w.seek(w.begin)
		w.all.declare(w.begin, w.end, atom.WriteRange)
	}
}

// Elsewhere returns the advice for items that the batch does not own, for texts.
func (w *writerKind) Elsewhere() string {
	return "A parallel loop may touch only the items at its own indices through a Writer. " +
		"To have one body see all of them run a single job. " +
		"To take items out from any body take Shared()."
}
