//go:build !custody_explore

package stripe

import "unsafe"

// page is the logarithm of the size of the smallest stack. Two addresses that lie closer together
// than that most likely belong to one stack and give the same hint.
const page = 11

// Hint returns a number whose upper bits probably differ between goroutines and stay the same from
// call to call within a goroutine. Stacks lie one behind the other, and multiples of the golden
// ratio spread such numbers evenly over the upper bits (Knuth, The Art of Computer Programming 3,
// 6.4, 1973).
func Hint() uint64 {
	var here byte
	return uint64(uintptr(unsafe.Pointer(&here))>>page) * 0x9e3779b97f4a7c15
}
