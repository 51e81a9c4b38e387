package safety

import "unsafe"

// This file is how every check of a custody word finds out, too, that the guard is a copy.
//
//	(C1) The lowest byte of the word has its bits (see live), the rest the address of the guard that Init made. Such a guard
//	     lies on the heap, because Init lets it escape, so its address stays what it is. A copy has another.

// addressShift is the number of bits below the address.
const addressShift = 8

// foreign are the bits of [Guard.state] that only a guard has that Init did not make: a copy, or a zero one.
const foreign = ^(uint64(1)<<addressShift - 1)

// address returns the address of the guard, as the word has it.
func (g *Guard) address() uint64 { return uint64(uintptr(unsafe.Pointer(g))) << addressShift }

// state returns the bits of the custody word, and besides some of foreign if the word is not this guard's (C1). To test both at once
// takes one branch, and a mask whose constant fits the instruction.
func (g *Guard) state() uint64 {
	return g.word.Load() ^ uint64(uintptr(unsafe.Pointer(g)))<<addressShift
}

// copied reports whether the guard is a copy of one that Init made.
func (g *Guard) copied() bool {
	w := g.word.Load()
	return (w^g.address())&foreign != 0 && w&live != 0
}

// checkCopy panics when the guard is a copy, before op takes its lock, which may be one that was held when the copy was made.
func (g *Guard) checkCopy(op string) {
	if Enabled && g.copied() {
		panic(g.missing(op))
	}
}
