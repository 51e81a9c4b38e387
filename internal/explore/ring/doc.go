// Package ring has a bounded queue for testing and measuring the explorer. The queue can be given
// one of many faults, each of which has occurred in a real program. The package is for tests: no
// package of the library imports it.
//
//	Ring      the queue
//	Fault     what is wrong with the queue
//	Scenario  a few tasks that use the queue, judged by its specification
//
// The queue is Vyukov's (Bounded MPMC queue, 2010) with the stamps of crossbeam's ArrayQueue.
//
// # Terms
//
// A position is a lap and the index of a slot. The tail is the position of the next item to
// enqueue, the head that of the next item to dequeue. The stamp of a slot tells which operation may
// use it next:
//
//	stamp   the slot is
//	p       free for the enqueue of position p
//	p + 1   filled, for the dequeue of position p
//
// A dequeue of position p leaves the stamp of that slot's position in the next lap. The distance
// between laps is a power of two greater than the capacity, so the two kinds of stamps differ even
// if there is only one slot.
//
// # Invariants
//
//	(I1) head <= tail <= head + one lap, counted modulo 2^64. Both only grow.
//	(I2) Only the goroutine that moves the tail from p fills slot p, and only the goroutine that
//	     moves the head from p empties it. Each accesses the value only before it stores the stamp.
//	(I3) Slots without an item hold 0.
//
// An enqueue takes effect when it moves the tail, and a dequeue when it moves the head. Until such
// an operation has stored the stamp, other operations that need the slot yield, because an answer
// of false would be wrong.
package ring
