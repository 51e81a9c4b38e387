package queue

import (
	"math"
	"unsafe"

	"example.com/custody/internal/pad"
)

// An end of an [SPSC] that uses one place after the other waits for each cache line that the other
// end had: the atomic operation that publishes an item begins when earlier accesses have ended. So
// an end fetches the lines of the next places together, with plain accesses to places that it owns
// (I2), in the time of one. It has fetched the places up to near (I6).

// fetchLines is the number of cache lines to fetch at a time: as many as a processor waits for.
const fetchLines = 16

// fetchOf returns the number of places to fetch at a time, for items of the given size in bytes,
// and the number of places in a line. For large items line is 0 and n has no bound: fetching does
// not help there, because the lines of one item are fetched together anyway.
func fetchOf(size int) (n, line int) {
	if n = fetchLines * pad.Line / size; n < 2 {
		return math.MaxInt, 0
	}
	return n, max(1, pad.Line/size)
}

// see reads a byte of every line of items. Inlined, it would be left out where x is not used.
//
//go:noinline
func see[T any](items []T, line int) (x byte) {
	for i := 0; i < len(items); i += line {
		x += *(*byte)(unsafe.Pointer(&items[i]))
	}
	return x
}

// own writes to every line of items, which are free places.
func own[T any](items []T, line int) {
	var none T
	for i := 0; i < len(items); i += line {
		items[i] = none
	}
}
