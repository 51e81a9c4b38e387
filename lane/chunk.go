package lane

import (
	"example.com/custody/internal/amount"
	"example.com/custody/internal/atom"
)

const (
	firstBytes = 1 << 10   // least size of a lane's first chunk; a multiple of any cache line (I5)
	mostBytes  = 256 << 10 // largest size of a chunk of several items
	partBytes  = 256 << 10 // what one worker copies or clears at a time
)

// chunkLen returns the length of the chunk that follows one of the given length, or of the first
// chunk for 0. Lengths double: a short lane is small, and a long one has few chunks. At mostBytes
// the cost of another chunk is negligible.
func chunkLen[T any](before int) int {
	if before == 0 {
		return count[T](firstBytes)
	}
	return max(before, min(2*before, count[T](mostBytes)))
}

// chunkFor returns the length of the first chunk of a lane that will have n items: the shortest of
// the lengths of chunkLen that has room for all, or the longest of them.
func chunkFor[T any](n int) int {
	c := chunkLen[T](0)
	for c < n && c < chunkLen[T](c) {
		c = chunkLen[T](c)
	}
	return c
}

// count returns the number of items that take the given number of bytes, rounded up. 1024 items
// without a size count as one byte, so that few chunks have as many of them as there can be.
func count[T any](bytes int) int {
	size := amount.Size[T]()
	if size == 0 {
		return bytes << 10
	}
	return (bytes-1)/size + 1
}

// Reuse gives the lanes a slice from [Items.Take] for the chunks of later phases. No goroutine may
// use the slice or a part of it any more, and its items must not keep memory alive. Any goroutine
// may call Reuse at any time. The garbage collector takes slices that are not a whole chunk of
// 256 KiB, and those that no phase needs.
func (ls *Lanes[T]) Reuse(piece []T) { ls.reuse(piece) }

// reuse implements Reuse. It reports whether the slice is a whole chunk of the largest size.
func (ls *Lanes[T]) reuse(piece []T) bool {
	n := count[T](mostBytes)
	if len(piece) != n {
		return false
	}
	kept := piece[:n:n] // allocated for the chunks that are kept only
	ls.spares().Give(&kept)
	return true
}

// Share makes the lanes use the spare chunks of from: they take large chunks there, and give them
// back when a phase ends. So containers of one type that large loops fill one after the other use
// the same memory, which the garbage collector may take between phases. Seal allocates once for
// each large chunk. A container calls Share before its first phase.
func (ls *Lanes[T]) Share(from *Lanes[T]) { ls.shared = from }

// spares returns the spare chunks.
func (ls *Lanes[T]) spares() *atom.Spares[[]T] {
	if ls.shared != nil {
		return &ls.shared.own
	}
	return &ls.own
}

// chunk returns memory for n items: a spare chunk if n is the largest length and there is one.
//
//go:norace
func (ls *Lanes[T]) chunk(n int) []T {
	if n == count[T](mostBytes) {
		if s := ls.spares().Take(); s != nil {
			return *s
		}
	}
	return make([]T, n)
}

// give moves the chunks of the largest size, which are the last ones, to the spare chunks.
//
//go:norace
func (l *Lane[T]) give() {
	k := len(l.chunks)
	for ; k > 0 && l.of.reuse(l.chunks[k-1]); k-- {
		l.chunks[k-1] = nil
	}
	l.chunks = l.chunks[:k]
}
