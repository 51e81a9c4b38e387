package table

import (
	"reflect"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/elem"
	"example.com/custody/internal/quiet"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// Rows is what a loop of this package runs over: the rows of a table, or those of the chunks that
// have changed. It is a small value.
// Each method: constant; wait-free; O(1); allocates never.
type Rows struct {
	of      *core
	changes *Changes
}

// Rows returns all rows. A loop refuses the rows of a nil table.
func (t *Table[R]) Rows() Rows { return Rows{of: (*core)(elem.Pointer(t))} }

// Changed returns the rows of the chunks that have changed in a column of c since the last loop
// over c. A Changes that was not made, or was made of columns of another table, is a violation.
func (r Rows) Changed(c *Changes) Rows {
	if r.of != nil {
		c.suits(r.of)
	}
	r.changes = c
	return r
}

// len returns the number of rows.
func (r Rows) len() int {
	if r.of == nil || r.of.ids == nil {
		panic(safety.NewViolation(safety.ErrUnassigned, "a loop was to run over the rows of no table", "Take the Rows of a table."))
	}
	return r.of.ids.Len()
}

// view returns the view with which a loop holds the rows.
func (r Rows) view() rowsView {
	return rowsView{Hold: r.of.guard.Hold(safety.Read, nil), rows: r}
}

// hold is what views embed. The unexported alias keeps its methods off the pages of the views.
type hold = quiet.Hold

// rowsView is the view with which a loop holds the rows, so that none are added or removed.
type rowsView struct {
	safety.Hold
	rows Rows
	loop *loop // nil while the view is not bound
}

// Claim completes the claim.
func (v *rowsView) Claim(c *safety.Claim) {
	if v.rows.changes != nil {
		c.Into = v.rows.changes
	}
}

// Bind implements safety.Binder.
func (v *rowsView) Bind(b safety.Binding) {
	v.Hold.Bind(b)
	v.loop = b.State().(*loop)
	v.loop.begin(b)
}

// next goes on to the next chunk of the loop that is not idle, and stamps it (T4). It returns false
// if there is none.
func (v *rowsView) next(r *parallelfor.Batches) bool {
	for {
		if v.loop != nil && v.loop.changes != nil {
			r.SkipWhile(v.loop.idle)
		}
		if !r.Next() {
			return false
		}
		chunk := r.Batch()
		if v.loop.changes != nil && v.loop.idle(chunk) {
			continue
		}
		for _, w := range v.loop.written {
			w.versions[chunk] = v.loop.version
		}
		return true
	}
}

// loop is a loop over the rows of a table.
type loop struct {
	of      *core
	version uint64
	changes *Changes
	once    atom.Mutex // for begin, which each worker calls
	begun   bool
	flags   []bool  // of a table with a fixed number of places: which have rows
	written []*base // the columns that the job writes
}

// idle reports whether a loop over changes has nothing to do in the chunk.
func (r *loop) idle(chunk int) bool { return !r.changes.sees(chunk) }

// loops is the part of a table that loops hold, with a loop for each.
type loops core

var spareLoops atom.Spares[loop]

// OpenPhase implements safety.Phased.
func (l *loops) OpenPhase(p *safety.Phase) {
	(*core)(l).checkCalls()
	r := spareLoops.Take()
	if r == nil {
		r = new(loop)
	}
	r.of, r.flags = (*core)(l), l.flags
	r.version, r.begun, r.written = l.clock.Add(1), false, r.written[:0]
	if r.changes, _ = p.Into.(*Changes); r.changes != nil {
		r.changes.begin()
	}
	p.State = r
}

// SealPhase implements safety.Phased.
func (l *loops) SealPhase(p *safety.Phase) {
	r := p.State.(*loop)
	if r.changes != nil {
		r.changes.end(r.version, p.Kept == p.Batches)
	}
	r.of, r.flags, r.changes = nil, nil, nil
	clear(r.written)
	spareLoops.Give(r)
}

// begin finds the columns that the job writes, when the first worker calls it (T4). It panics, for
// each worker, if the job does not hold the columns of the Changes.
func (r *loop) begin(b safety.Binding) {
	r.once.Lock()
	defer r.once.Unlock()
	if r.begun {
		return
	}
	if r.changes != nil {
		r.changes.check(b)
	}
	r.begun = true
	for _, c := range r.of.columns {
		switch claim, ok := b.Claims(c.guard); {
		case !ok || claim.Mode != safety.Write:
		case claim.Own:
			c.entered = true
			r.written = append(r.written, c)
		default: // SealPhase of the column stamps all chunks
			c.stamp = r.version // a loop's own writes are no change for it
		}
	}
}

// most is the number of options that a loop can have without an allocation.
const most = 8

// options returns the options of a loop: its name, unless that is empty, then opts, and batches of
// one chunk each.
func (r Rows) options(buf *[most]parallelfor.Option, name string, opts []parallelfor.Option) []parallelfor.Option {
	all := buf[:0]
	if name != "" {
		all = append(all, parallelfor.Name(name))
	}
	return append(append(all, opts...), parallelfor.Batch(r.of.chunk))
}

// nameOf returns the name of the type that job, a nil pointer, points to. It returns "" if the type
// has no name or is that of a view: then the loop gets the name of its body.
func nameOf(job any) string {
	if _, is := job.(safety.View); is {
		return ""
	}
	return reflect.TypeOf(job).Elem().Name()
}
