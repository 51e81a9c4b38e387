// Package stripe tells goroutines apart, so that those that update one thing at the same time can
// update different cells of it.
//
// Go gives no number to a goroutine or to the processor it runs on. But every goroutine has a stack
// of its own, at least 2 KiB apart from all others, so the address of a local variable is a hint that
// costs one instruction. It is a hint only: it changes when the stack moves or grows, and two
// goroutines may get the same cell. Whoever uses it must be correct for any choice.
package stripe

import (
	"math/bits"
	"unsafe"
)

// page is the logarithm of the size of the smallest stack: addresses of one stack that differ by less
// most likely give the same hint.
const page = 11

// Hint returns a number whose upper bits are likely to differ between goroutines and to stay the same
// from call to call of one. Stacks lie one behind the other, and multiples of the golden ratio spread
// such numbers evenly over the upper bits (Knuth, The Art of Computer Programming 3, 6.4, 1973).
func Hint() uint64 {
	var here byte
	return uint64(uintptr(unsafe.Pointer(&here))>>page) * 0x9e3779b97f4a7c15
}

// Count returns how many cells suit procs processors: the power of two at or above four for each, so
// that two goroutines that run at the same time seldom get the same one, at most 128.
func Count(procs int) int {
	n := 4 * min(max(procs, 1), 32)
	return 1 << bits.Len(uint(n-1))
}
