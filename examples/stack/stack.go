package stack

import (
	"iter"
	"slices"
	"strconv"

	"example.com/custody/lane"
	"example.com/custody/safety"
)

// Stack is a stack of at most a given number of items.
//
// Use it for what a loop finds and a later one works off, such as jobs to undo or places to look at
// next, when more than so many are of no use. Where nothing may be turned away, use a slice or a
// list.
//
// Outside jobs it is like a slice: not safe for concurrent use that changes it. While a job that
// was not completed pushes or writes, every use is a violation; while one reads, every change is.
// Make a Stack with [New]; it must not be copied.
//
// Memory: that of the items, and while jobs push and afterwards that of their lanes (see package
// lane).
type Stack[T any] struct {
	guard    safety.Guard
	items    []T // the bottom first; what lies behind the length is zero
	bound    int // never changes
	rejected int
	lanes    lane.Lanes[T]
}

// New returns an empty stack for at most bound items. A negative bound is a violation.
func New[T any](bound int, opts ...safety.Option) *Stack[T] {
	if bound < 0 {
		v := safety.NewViolation(safety.ErrLength, "a stack of at most "+strconv.Itoa(bound)+" items was asked for", "A bound is 0 or more.")
		v.N, v.At = bound, safety.Caller(1).String()
		panic(v)
	}
	s := &Stack[T]{bound: bound}
	s.guard.Init(s, 0, opts...)
	s.guard.Growable()
	return s
}

// Push puts v on top. False says that the stack is full.
func (s *Stack[T]) Push(v T) bool {
	s.guard.CheckWrite()
	if len(s.items) >= s.bound {
		return false
	}
	s.guard.Bump("was changed by Push")
	s.items = append(s.items, v)
	return true
}

// TryPop takes the item on top. False says that the stack is empty.
func (s *Stack[T]) TryPop() (v T, ok bool) {
	s.guard.CheckWrite()
	top := len(s.items) - 1
	if top < 0 {
		return v, false
	}
	s.guard.Bump("was changed by TryPop")
	v = s.items[top]
	clear(s.items[top:]) // the stack keeps nothing alive that was taken out
	s.items = s.items[:top]
	return v, true
}

// At returns the item at a depth: 0 is the one on top. A depth outside [0, Len) is a violation.
func (s *Stack[T]) At(depth int) T {
	s.guard.CheckRead()
	if uint(depth) >= uint(len(s.items)) {
		v := s.guard.Violation(safety.ErrIndex, "depth "+strconv.Itoa(depth)+" of "+s.guard.Container()+" was used, which has "+strconv.Itoa(len(s.items))+" items",
			"The item on top is at depth 0.")
		v.Index, v.Max, v.Length = depth, len(s.items), len(s.items)
		panic(v)
	}
	return s.items[len(s.items)-1-depth]
}

// Len returns the number of items.
func (s *Stack[T]) Len() int {
	s.guard.CheckRead()
	return len(s.items)
}

// Bound returns how many items there may be. It is allowed while jobs hold the stack.
func (s *Stack[T]) Bound() int {
	s.guard.CheckExists()
	return s.bound
}

// Rejected returns how many items that jobs pushed found no room, since the stack was made or
// cleared. When a loop pushes too many, those that the sequential loop pushes last are rejected,
// whichever workers ran the batches.
func (s *Stack[T]) Rejected() int {
	s.guard.CheckRead()
	return s.rejected
}

// All ranges over the items from the top down. A change of the stack ends the range, and so does
// scheduling a job that may change it: the next step is a violation.
func (s *Stack[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		borrow := s.guard.Borrow("an iterator", 0)
		for depth := 0; depth < len(s.items) && yield(s.At(depth)); depth++ {
			borrow.Check()
		}
	}
}

// Clear takes all items out, and forgets how many were rejected.
func (s *Stack[T]) Clear() {
	s.guard.CheckWrite()
	s.guard.Bump("was changed by Clear")
	clear(s.items)
	s.items, s.rejected = s.items[:0], 0
}

// Dispose ends the stack: every later use is a violation. It is one itself while an uncompleted job
// holds the stack, and the second time. The memory is the garbage collector's.
func (s *Stack[T]) Dispose() {
	s.guard.Dispose()
	s.items = nil
	s.lanes.Trim()
}

// Disposed reports whether the stack was disposed.
func (s *Stack[T]) Disposed() bool { return s.guard.Disposed() }

// OpenPhase implements safety.Phased.
func (s *Stack[T]) OpenPhase(p *safety.Phase) { s.lanes.Open(p) }

// SealPhase implements safety.Phased.
func (s *Stack[T]) SealPhase(p *safety.Phase) { s.lanes.Seal(p, s.add) }

// add puts what a job pushed on top, as much as there is room for.
func (s *Stack[T]) add(pushed lane.Items[T]) {
	s.guard.Bump("was changed by what a job pushed")
	n := len(s.items)
	fit := min(pushed.Len(), s.bound-n)
	s.items = slices.Grow(s.items, fit)[:n+fit]
	pushed.CopyTo(s.items[n:])
	s.rejected += pushed.Len() - fit
}
