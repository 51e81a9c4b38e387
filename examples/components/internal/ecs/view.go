package ecs

import (
	"errors"
	"strconv"
	"sync/atomic"

	"example.com/custody/safety"
)

// ErrReadOnly is the kind of violation that a component was written which the job only reads. Strict builds only: in others the write
// reaches the column.
var ErrReadOnly = errors.New("read-only component written")

// View says what a system does with a column: one parameter of its Execute. Its methods are the system's: bodies get pointers.
type View[T comparable] struct {
	safety.Hold
	of       *Column[T]
	writes   bool
	filtered bool
	query    *query // the system's; nil elsewhere
	turn     turn   // the run's

	// None while the view is not bound:

	chunks     [][]T
	changed    []uint32
	begin, end int // the loop's indices that the batch owns
	copied     []T // what bodies got of the current piece, in strict builds, instead of what they only read
}

// turn is one run of a system.
type turn struct {
	since   uint32 // the version of the run before, or never
	version uint32
}

// Changed returns a view that makes the system skip chunks: those in which none of its columns that are said to be Changed was handed
// out to be written, by another job or by the owner, since the system's last run. The first run sees all chunks.
func (v View[T]) Changed() View[T] {
	v.filtered = true
	return v
}

// in returns the view for a system's query, which gets what the view needs.
func (v View[T]) in(q *query) View[T] {
	v.query = q
	if v.of != nil { // otherwise the job is refused, when it is scheduled
		q.all |= v.of.part(q.world)
		q.filtered = q.filtered || v.filtered
	}
	return v
}

// on returns the view for a run.
func (v View[T]) on(t turn) View[T] {
	v.turn = t
	return v
}

// Claim completes the claim.
func (v *View[T]) Claim(c *safety.Claim) {
	if c.Ranged = v.writes; v.query != nil {
		c.Extent = v.query.len()
	}
}

// Bind implements safety.Binder.
func (v *View[T]) Bind(b safety.Binding) {
	v.Hold.Bind(b)
	v.chunks, v.changed = v.of.chunks, v.of.changed
	v.begin, v.end = 0, 0
}

// SetRange implements safety.RangeView.
func (v *View[T]) SetRange(begin, end int) { v.begin, v.end = begin, end }

// Window implements safety.RangeView.
func (v *View[T]) Window() (begin, end, length int) {
	if v.query != nil {
		length = v.query.len()
	}
	return v.begin, v.end, length
}

// news says whether the view is Changed and the chunk has changed. A chunk is one batch's where this is asked, and what earlier jobs
// did with it is in the past: nobody writes the version meanwhile.
func (v *View[T]) news(p *pieces) bool {
	return v.filtered && newer(v.changed[p.chunk], v.turn.since)
}

// span returns the components of a piece, for bodies. If these may write them, the piece must be the batch's.
//
// Several batches may have parts of one chunk, and all note the same version (I4): by an atomic store, which orders nothing between them, so
// that the race detector sees every overlap of two bodies.
func (v *View[T]) span(p *pieces) []T {
	v.Hold.Check()
	s := v.chunks[p.chunk][p.from:p.to:p.to]
	if !v.writes {
		if !safety.Strict {
			return s
		}
		v.copied = append(v.copied[:0], s...)
		return v.copied
	}
	if p.begin < v.begin || p.begin >= v.end {
		panic(v.Hold.Out(p.begin))
	}
	if p.end > v.end {
		panic(v.Hold.Out(p.end - 1))
	}
	atomic.StoreUint32(&v.changed[p.chunk], v.turn.version)
	return s
}

// settle looks whether bodies have written what they only read.
func (v *View[T]) settle(p *pieces) {
	if !safety.Strict || v.writes {
		return
	}
	for k, was := range v.chunks[p.chunk][p.from:p.to] {
		if v.copied[k] != was && was == was { // a component that has a NaN equals nothing, itself included
			g := &v.of.guard
			row := p.from + k
			bad := g.Violation(ErrReadOnly, "a component of "+g.Container()+", in row "+strconv.Itoa(row)+" of chunk "+strconv.Itoa(p.chunk)+", was written, and the job only reads it",
				"Give the system the column's ReadWrite().")
			bad.Index = row
			panic(v.Hold.Blame(bad))
		}
	}
}
