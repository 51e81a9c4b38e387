//go:build !custody_explore

package stripe

import "unsafe"

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
