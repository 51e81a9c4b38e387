package safety

import "unsafe"

// This file is how the checks that load the custody word also find that a guard is a copy.
//
//	(C1) The lowest byte of the word has the word's bits (see live). The rest is the address of
//	     the guard that Init made. Init lets that guard escape, so it lies on the heap and keeps
//	     its address. A copy of the guard has the same word at another address.

// addressShift is the number of bits below the address.
const addressShift = 8

// foreign are the bits of [Guard.state] that are not all zero if Init did not make the guard: in a
// copy, and in a zero Guard.
const foreign = ^(uint64(1)<<addressShift - 1)

// address returns the address of the guard, shifted to its bits in the custody word.
func (g *Guard) address() uint64 { return uint64(uintptr(unsafe.Pointer(g))) << addressShift }

// state returns the lowest byte of the custody word, and some bits of foreign unless the word has
// this guard's address (C1). A check tests both with one branch and one mask, whose constant fits
// the instruction.
func (g *Guard) state() uint64 {
	return g.word.Load() ^ uint64(uintptr(unsafe.Pointer(g)))<<addressShift
}

// copied reports whether the guard is a copy of one that Init made.
func (g *Guard) copied() bool {
	w := g.word.Load()
	return (w^g.address())&foreign != 0 && w&live != 0
}

// checkCopy panics if the guard is a copy. op names the use that is refused. An operation that
// takes the lock calls it first: the lock of a copy may have been held when the copy was made, and
// then no goroutine releases it.
func (g *Guard) checkCopy(op string) {
	if Enabled && g.copied() {
		panic(g.missing(op))
	}
}
