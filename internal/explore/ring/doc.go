// Package ring has a bounded queue on which the explorer is tried, and which tells how fast it is. The queue can be
// given one of many faults, each of which somebody has made in earnest. It is for tests: nothing that is
// shipped imports it.
//
//	Ring      the queue
//	Fault     what can be wrong with it
//	Scenario  a few tasks that use it, judged by what a queue is
//
// The queue is Vyukov's (Bounded MPMC queue, 2010) with the stamps of crossbeam's ArrayQueue.
//
// Terms: a position is a lap and an index of a slot. The tail is the position that the next item gets, the
// head that of the next item to go. A slot's stamp says whose turn it is there:
//
//	stamp            the slot is
//	p                free for the enqueue of position p
//	p + 1            filled, for the dequeue of position p
//
// and a dequeue of position p leaves the stamp of the next lap. Laps are a power of two apart that is greater than
// the capacity, so the two kinds of stamps differ also where there is one slot.
//
// Invariants:
//
//	(I1) head <= tail <= head + one lap, counted modulo 2^64. Both only grow.
//	(I2) Whoever moves the tail from p fills slot p, alone, and whoever moves the head from p empties it, alone.
//	     A slot's value is touched only between that and the store of the stamp.
//	(I3) All slots of items that are not there are 0.
//
// An enqueue takes effect when it moves the tail and a dequeue when it moves the head. While somebody who has done
// so has not stored the stamp, others who need the slot yield: a false of them would not be true.
package ring
