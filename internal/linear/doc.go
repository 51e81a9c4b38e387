// Package linear judges histories of concurrent operations against a sequential specification.
//
//	h := []linear.Op[spec.QueueIn, spec.QueueOut]{…}
//	c := linear.NewChecker(spec.ShortQueue(spec.Capacity(2)))
//	err := c.Check(h) // nil, or what does not fit and a drawing of the history
//
// # Terms
//
// The interval of an operation lasts from its call to its return. An operation precedes another if
// it returned before the other was called. Otherwise the two are concurrent, even if the return of
// one and the call of the other have the same time.
//
// A history is linearizable if each operation can be given one moment of its interval such that the
// operations, executed in the order of their moments, answer as the specification demands. An
// operation without a return is pending: it is executed at some moment after its call, with any
// answer, or not at all.
//
// A configuration is a set of operations that have been put in order, with the state that they
// left. An operation may be next in a configuration if everything that precedes it is in the set.
//
// # Invariants
//
//	(I1) Operations are numbered in the order of their returns, pending ones last. The operations
//	     that precede an operation are then a prefix of the numbers. An operation may be next exactly
//	     if the lowest number that is not in the set is at least the length of its prefix.
//	(I2) A history fits as soon as every operation with a return is in the set.
//	(I3) An operation that may be next, fits, and leaves every state as it is can be next without
//	     loss. Moving it to the front of any order that fits changes no other answer.
//	(I4) The memory holds only configurations that cannot be completed.
//
// Map: linear.go has operations and specifications; checker.go the search; memory.go the
// configurations that failed; strong.go weak operations and operations of several pieces;
// failure.go the errors; draw.go the drawing.
package linear
