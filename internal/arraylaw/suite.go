package arraylaw

import (
	"iter"

	"github.com/stretchr/testify/suite"

	"example.com/custody/safety"
)

// Container is what array-shaped containers of int have in common. R and W are its views.
type Container[R, W any] interface {
	Len() int
	At(i int) int
	Set(i, v int)
	Slice() []int
	All() iter.Seq2[int, int]
	CopyFrom(src []int)
	CopyTo(dst []int)
	Clear()
	Reader() R
	Writer() W
	Dispose()
	Disposed() bool
}

// ReadView is the pointer to a view that reads everything.
type ReadView[R any] interface {
	*R
	safety.View
	At(i int) int
	Len() int
	Slice() []int
	All() iter.Seq2[int, int]
}

// WriteView is the pointer to a view that reads and writes what the batch's indices own.
type WriteView[W any] interface {
	*W
	safety.View
	At(i int) int
	Set(i, v int)
	Ptr(i int) *int
	Slice() []int
	Begin() int
	All() iter.Seq2[int, int]
}

// Handle is a scheduled job.
type Handle interface {
	Complete()
	Finished() bool
}

// Driver runs jobs over one view of type V.
type Driver[V any] struct {
	// Each calls body for every index of [0, n), in batches of batch indices, or of the driver's choice
	// for 0.
	Each func(n, batch, workers int, view V, body func(v *V, i int))
	// Batch calls body for every batch.
	Batch func(n, batch, workers int, view V, body func(v *V, begin, end int))
	// Once calls body once.
	Once func(view V, body func(v *V))
	// Hold schedules a single job of the name "holder" that holds the view in its field View and does
	// nothing.
	Hold func(view V) Handle
}

// Suite is the contract.
type Suite[R, W any, PR ReadView[R], PW WriteView[W]] struct {
	suite.Suite
	// New makes a container of n elements.
	New func(n int, opts ...safety.Option) Container[R, W]
	// Unmade returns a container that was never made.
	Unmade func() Container[R, W]
	// Type is how violations name the container's type.
	Type string
	// Empties says that Clear leaves no elements, and not as many zeros.
	Empties bool
	// Grows says that jobs may change the length, so that to ask for it is to read.
	Grows bool

	Readers Driver[R]
	Writers Driver[W]
}

// use is one of the owner's operations.
type use[R, W any] struct {
	name   string
	reads  bool
	writes bool
	do     func(c Container[R, W])
}

// uses lists the owner's operations on a container of one element or more.
func uses[R, W any]() []use[R, W] {
	type C = Container[R, W]
	return []use[R, W]{
		{"Len", false, false, func(c C) { c.Len() }},
		{"At", true, false, func(c C) { c.At(0) }},
		{"All", true, false, func(c C) {
			for range c.All() {
			}
		}},
		{"CopyTo", true, false, func(c C) { c.CopyTo(make([]int, c.Len())) }},
		{"Set", false, true, func(c C) { c.Set(0, 1) }},
		{"Slice", false, true, func(c C) { c.Slice() }},
		{"CopyFrom", false, true, func(c C) { c.CopyFrom(make([]int, c.Len())) }},
		{"Clear", false, true, func(c C) { c.Clear() }},
		{"Dispose", false, true, func(c C) { c.Dispose() }},
	}
}

// filled makes a container of the elements 100, 101, ...
func (s *Suite[R, W, PR, PW]) filled(n int, opts ...safety.Option) Container[R, W] {
	c := s.New(n, opts...)
	for i := range n {
		c.Set(i, 100+i)
	}
	return c
}
