package arraylaw

import (
	"iter"

	"github.com/stretchr/testify/suite"

	"example.com/custody/safety"
)

// Container has the methods that array-shaped containers of int share. R and W are its views.
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

// ReadView is the pointer to a view that reads all elements.
type ReadView[R any] interface {
	*R
	safety.View
	At(i int) int
	Len() int
	Slice() []int
	All() iter.Seq2[int, int]
}

// WriteView is the pointer to a view that reads and writes the elements of the batch's indices.
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
	// Each calls body for every index of [0, n), in batches of batch indices, or of a size that the
	// driver chooses if batch is 0.
	Each func(n, batch, workers int, view V, body func(v *V, i int))
	// Batch calls body for every batch.
	Batch func(n, batch, workers int, view V, body func(v *V, begin, end int))
	// Once calls body once.
	Once func(view V, body func(v *V))
	// Hold schedules a single job named "holder" that holds the view in its field View and does
	// nothing.
	Hold func(view V) Handle
}

// Suite is the contract of array-shaped containers.
type Suite[R, W any, PR ReadView[R], PW WriteView[W]] struct {
	suite.Suite
	// New returns a container of n elements.
	New func(n int, opts ...safety.Option) Container[R, W]
	// Unmade returns the zero value of the container.
	Unmade func() Container[R, W]
	// Type is the container's type in the text of violations.
	Type string
	// Empties reports whether Clear removes the elements instead of zeroing them.
	Empties bool
	// Grows reports whether jobs may change the length, so that Len is a read.
	Grows bool

	Readers Driver[R]
	Writers Driver[W]
}

// use is an operation of the owner.
type use[R, W any] struct {
	name   string
	reads  bool
	writes bool
	do     func(c Container[R, W])
}

// uses returns the owner's operations. They need a container of at least one element.
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

// filled returns a container of the elements 100, 101, ...
func (s *Suite[R, W, PR, PW]) filled(n int, opts ...safety.Option) Container[R, W] {
	c := s.New(n, opts...)
	for i := range n {
		c.Set(i, 100+i)
	}
	return c
}
