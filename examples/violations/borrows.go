package main

import (
	"example.com/custody/examples/stack"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// These use an iterator of a growable container after the container has changed. The container is
// that of examples/stack.

var staleLoans = []misuse{
	{"a container is changed while its owner ranges over it", pushInRange, safety.Violation{Kind: safety.ErrBorrowed, Container: `stack.Stack[int] "undo"`, Made: somewhere}, checked},
	{"a job changes a container while its owner ranges over it", jobInRange, safety.Violation{Kind: safety.ErrBorrowed,
		Container: `stack.Stack[int] "undo"`, OtherJob: "find more", Made: somewhere, Scheduled: somewhere}, checked},
}

// Which items the range would yield after the Push is undefined.
func pushInRange() {
	s := stack.New[int](10, safety.Named("undo"))
	s.Push(1)
	for v := range s.All() {
		s.Push(v + 1)
	}
}

// The owner ranges over a stack, and schedules a job in the middle that pushes. That the job was
// completed before the next item makes no difference.
func jobInRange() {
	s := stack.New[int](10, safety.Named("undo"))
	s.Push(1)
	for range s.All() {
		h := parallelfor.Go(s.ParallelWriter(), func(w *stack.ParallelWriter[int]) { w.Push(2) }, parallelfor.Name("find more"))
		h.Complete()
	}
}
