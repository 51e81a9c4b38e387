package lane

import (
	"reflect"

	"example.com/custody/internal/atom"
)

const (
	firstBytes = 1 << 10   // of a lane's first chunk, at least; a multiple of every cache line (I5)
	mostBytes  = 256 << 10 // of a chunk of many items, at most
	partBytes  = 256 << 10 // what one worker copies or clears at a time
)

// chunkLen returns how many items the chunk has that follows one of so many items; 0 says that it is the first. Chunks
// double in length, so that short lanes are small and long ones have few chunks, up to a size at which
// a chunk more costs nothing that could be noticed.
func chunkLen[T any](before int) int {
	if before == 0 {
		return count[T](firstBytes)
	}
	return max(before, min(2*before, count[T](mostBytes)))
}

// chunkFor returns how many items the chunk has with which to begin when there will be n: the shortest that has room for all,
// or the longest there is.
func chunkFor[T any](n int) int {
	c := chunkLen[T](0)
	for c < n && c < chunkLen[T](c) {
		c = chunkLen[T](c)
	}
	return c
}

// count returns how many items have so many bytes, or a few more. Of items without a size 1024 count
// as a byte, so that chunks of as many as there can be are few.
func count[T any](bytes int) int {
	size := int(reflect.TypeFor[T]().Size())
	if size == 0 {
		return bytes << 10
	}
	return (bytes-1)/size + 1
}

// Chunks are memory of lanes that nobody uses at the moment, for all [Lanes] that were told to [Lanes.Share] it. The garbage collector may have it.
// The zero value is empty; it must not be copied.
type Chunks[T any] struct{ spares atom.Spares[[]T] }

// give takes a chunk, if it is of the largest size and so worth it; nothing in it keeps anything alive.
func (c *Chunks[T]) give(chunk []T) bool {
	n := count[T](mostBytes)
	if len(chunk) != n {
		return false
	}
	kept := chunk[:n:n] // allocated for those that are kept alone
	c.spares.Give(&kept)
	return true
}
