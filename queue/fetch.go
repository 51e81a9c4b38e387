package queue

import (
	"math"
	"unsafe"

	"example.com/custody/internal/pad"
)

// An end of an [SPSC] that uses one place after the other waits for each cache line that the other end had: an atomic
// operation, which makes an item known, begins when what came before has ended. So an end fetches the lines of the next
// places together, with plain uses of what is its own (I2), and they come in the time of one. near says how far it has
// fetched (I6).

// fetchLines is how many cache lines to fetch at a time: about as many as a processor waits for at the same time.
const fetchLines = 16

// fetchOf returns how many places of so many bytes to fetch at a time, and how many of them lie in a line. A line of 0 says
// that fetching is of no use: an item has many lines itself, which come together.
func fetchOf(size int) (n, line int) {
	if n = fetchLines * pad.Line / size; n < 2 {
		return math.MaxInt, 0
	}
	return n, max(1, pad.Line/size)
}

// see reads of every line of items.
//
//go:noinline
func see[T any](items []T, line int) (x byte) {
	for i := 0; i < len(items); i += line {
		x += *(*byte)(unsafe.Pointer(&items[i]))
	}
	return x
}

// own writes to every line of items, which mean nothing.
func own[T any](items []T, line int) {
	var none T
	for i := 0; i < len(items); i += line {
		items[i] = none
	}
}
