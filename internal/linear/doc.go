// Package linear judges histories of concurrent operations against a sequential specification.
//
//	h := []linear.Op[spec.QueueIn, spec.QueueOut]{…}
//	c := linear.NewChecker(spec.ShortQueue(spec.Capacity(2)))
//	err := c.Check(h) // nil, or what does not fit and a drawing of the history
//
// Terms: an operation has an interval, from its call to its return. One operation precedes another when
// it returned before the other was called; otherwise they are concurrent, also when one's return has the
// same time as the other's call. A history is linearizable when each operation can be given one moment of
// its interval such that the operations, done one after the other in the order of their moments, answer as
// the specification says. An operation without a return is pending: it is done at some moment after its
// call, with any answer, or not at all.
//
// A configuration is a set of operations that were put in order, and the state that they left. An operation
// may be next in a configuration when everything that precedes it is in the set.
//
// # Invariants
//
//	(I1) Operations are numbered in the order of their returns, pending ones last. So what precedes an
//	     operation is a prefix of the numbers, and one may be next exactly when the lowest number that is
//	     not in the set is at least the length of its prefix.
//	(I2) A history fits as soon as every operation with a return is in the set.
//	(I3) An operation that may be next, fits, and leaves every state as it is can be next without loss: taking
//	     it from where it stands in an order that fits, and putting it first, changes no other answer.
//	(I4) What is remembered are configurations that cannot be completed, and only those.
//
// Map: linear.go operations and specifications; checker.go the search; memory.go what it remembers;
// strong.go weak operations and operations of several pieces; failure.go the errors; draw.go the drawing.
package linear
