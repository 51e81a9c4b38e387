package counter

import (
	"example.com/custody/internal/atom"
	"example.com/custody/internal/pad"
	"example.com/custody/safety"
)

// Sum is a sum of numbers of any type that many goroutines add to. A Sum must not be copied.
//
// Use it for what a parallel loop adds up, above all for floats: a [SumParallelWriter] gives the
// same sum, bit for bit, at any number of workers. For integers that many goroutines add to outside
// jobs [Counter] is faster, because a Sum is one word that they contend for.
//
// All methods may be called by any goroutine at any time, except while a job holds the sum in a way
// that excludes them. They are linearizable; what happens before an Add happens before a Value that
// sees it. Integers wrap around as their type does. Floats that several goroutines add are added in
// the order in which they arrive, so the last bits of the sum may differ from run to run.
//
// Cost: a compare-and-swap for each Add.
//
// Add: linearizable; lock-free; O(1); allocates never.
// Value, Set, Swap: linearizable; wait-free; O(1); allocates never.
type Sum[T Number] struct {
	guard safety.Guard
	_     pad.Bytes
	word  atom.Uint64 // the sum, encoded
	_     pad.Bytes
	parts partials[T] // of the job that holds the sum in mode Append
}

// NewSum returns a sum that is 0.
func NewSum[T Number](opts ...safety.Option) *Sum[T] {
	s := new(Sum[T])
	s.guard.Init(s, 0, opts...)
	s.guard.Phases((*sumPhases[T])(s))
	return s
}

// Add adds v. It is lock-free, and legal beside a [SumParallelWriter]. It panics with a violation
// while any other job holds s.
func (s *Sum[T]) Add(v T) {
	s.guard.CheckAppend()
	s.add(v)
}

func (s *Sum[T]) add(v T) {
	for {
		old := s.word.Load()
		if s.word.CompareAndSwap(old, encode(decode[T](old)+v)) {
			return
		}
	}
}

// Value returns the sum. It is wait-free. It panics with a violation while a job that changes s
// holds it.
func (s *Sum[T]) Value() T {
	s.guard.CheckRead()
	return decode[T](s.word.Load())
}

// Set makes the sum v. It is wait-free. It panics with a violation while any job holds s.
func (s *Sum[T]) Set(v T) { s.Swap(v) }

// Swap is Set that returns the sum before. Each Add is in exactly one result.
func (s *Sum[T]) Swap(v T) T {
	s.guard.CheckWrite()
	return decode[T](s.word.Swap(encode(v)))
}

// Dispose ends the sum, as [Counter.Dispose] does.
func (s *Sum[T]) Dispose() { s.guard.Dispose() }

// DisposeAfter is Dispose for a sum that jobs hold, as [Counter.DisposeAfter].
func (s *Sum[T]) DisposeAfter(h safety.Handle) { s.guard.DisposeAfter(h, func() {}) }

// Disposed reports whether the sum was disposed.
func (s *Sum[T]) Disposed() bool { return s.guard.Disposed() }

// sumPhases has the methods of a Sum that the ledger calls when a phase opens and when it ends.
type sumPhases[T Number] Sum[T]

// OpenPhase implements safety.Phased.
func (x *sumPhases[T]) OpenPhase(p *safety.Phase) {
	if p.Mode != safety.Append {
		return
	}
	parts := &x.parts
	if into, _ := p.Into.(*T); into != nil {
		parts = new(partials[T]) // those of the Sum belong to the job around
	}
	parts.open(p.Batches)
	p.State = parts
}

// SealPhase adds the partial sums of the kept batches one by one, in the order of the batches, so
// the sum does not depend on the workers that computed them (counter.I6).
func (x *sumPhases[T]) SealPhase(p *safety.Phase) {
	if p.Mode != safety.Append {
		return
	}
	parts := p.State.(*partials[T])
	if into, _ := p.Into.(*T); into != nil {
		parts.foldInto(into, p.Kept)
		return
	}
	atom.Hide() // batches are ordered before what follows Complete, not before every user of the word
	(*Sum[T])(x).addFold(x.word.Load(), parts, p.Kept)
	atom.Show()
}

// addFold folds the kept partial sums onto old, the last value of the word. If an Add comes in
// between, there is no order to keep, so addFold adds their sum as one more number. Folding again
// could go on forever.
func (s *Sum[T]) addFold(old uint64, parts *partials[T], kept int) {
	if !s.word.CompareAndSwap(old, encode(parts.fold(decode[T](old), kept))) {
		s.add(parts.fold(0, kept))
	}
}

// partials is the sums of the single batches of a job. Only a batch touches its sum (counter.I4),
// so the race detector may see these additions, and finds two goroutines of one batch that add. The
// opening and the sealing are hidden from it, as those of lanes are.
type partials[T Number] struct{ list []T }

// open makes n sums of 0.
//
//go:norace
func (ps *partials[T]) open(n int) {
	if n > cap(ps.list) {
		ps.list = make([]T, n)
	}
	ps.list = ps.list[:n]
	clear(ps.list)
}

// of returns the sum of a batch.
//
//go:norace
func (ps *partials[T]) of(batch int) *T { return &ps.list[batch] }

// fold returns ((v + p0) + p1) + ... for the batches below kept.
//
//go:norace
func (ps *partials[T]) fold(v T, kept int) T {
	for _, p := range ps.list[:kept] {
		v += p
	}
	return v
}

// foldInto folds onto the sum of the batch that passed the view on.
//
//go:norace
func (ps *partials[T]) foldInto(v *T, kept int) { *v = ps.fold(*v, kept) }
