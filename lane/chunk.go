package lane

import (
	"example.com/custody/internal/amount"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/elem"
)

const (
	firstBytes = 1 << 10   // least size of a lane's first chunk; a multiple of any cache line (I5)
	mostBytes  = 256 << 10 // largest size of a chunk of several items
	partBytes  = 256 << 10 // what one worker copies or clears at a time
)

// chunkLen returns the length of the chunk that follows one of the given length, or of the first
// chunk for 0. Lengths double: a short lane is small, and a long one has few chunks. At mostBytes
// the cost of another chunk is negligible.
func (ls *lanes) chunkLen(before int) int {
	if before == 0 {
		return ls.count(firstBytes)
	}
	return max(before, min(2*before, ls.count(mostBytes)))
}

// chunkFor returns the length of the first chunk of a lane that will have n items: the shortest of
// the lengths of chunkLen that has room for all, or the longest of them.
func (ls *lanes) chunkFor(n int) int {
	c := ls.chunkLen(0)
	for c < n && c < ls.chunkLen(c) {
		c = ls.chunkLen(c)
	}
	return c
}

// count returns the number of items that take the given number of bytes, rounded up. 1024 items
// without a size count as one byte, so that few chunks have as many of them as there can be.
func (ls *lanes) count(bytes int) int { return count(bytes, ls.elem.Size) }

func count(bytes int, size uintptr) int {
	if size == 0 {
		return bytes << 10
	}
	return (bytes-1)/int(size) + 1
}

// Reuse gives the lanes a slice from [Items.Take] for the chunks of later phases. No goroutine may
// use the slice or a part of it any more, and its items must not keep memory alive. Any goroutine
// may call Reuse at any time. The garbage collector takes slices that are not a whole chunk of
// 256 KiB, and those that no phase needs.
func (ls *Lanes[T]) Reuse(piece []T) {
	ls.of.reuse(chunk{elem.Data(piece), len(piece)}, uintptr(amount.Size[T]()))
}

// reuse implements Reuse. It reports whether the memory is a whole chunk of the largest size.
func (ls *lanes) reuse(piece chunk, size uintptr) bool {
	if piece.n != count(mostBytes, size) {
		return false
	}
	kept := piece // allocated for the chunks that are kept only
	ls.spares().Give(&kept)
	return true
}

// Share makes the lanes use the spare chunks of from: they take large chunks there, and give them
// back when a phase ends. So containers of one type that large loops fill one after the other use
// the same memory, which the garbage collector may take between phases. Seal allocates once for
// each large chunk. A container calls Share before its first phase.
func (ls *Lanes[T]) Share(from *Lanes[T]) { ls.of.shared = (*lanes)(elem.Pointer(from)) }

// spares returns the spare chunks.
func (ls *lanes) spares() *atom.Spares[chunk] {
	if ls.shared != nil {
		return &ls.shared.own
	}
	return &ls.own
}

// chunk returns memory for n items: a spare chunk if n is the largest length and there is one.
//
//go:norace
func (ls *lanes) chunk(n int) chunk {
	if n == ls.count(mostBytes) {
		if s := ls.spares().Take(); s != nil {
			return *s
		}
	}
	return chunk{ls.elem.Make(n), n}
}

// give moves the chunks of the largest size, which are the last ones, to the spare chunks.
//
//go:norace
func (l *lane) give() {
	k := len(l.chunks)
	for ; k > 0 && l.of.reuse(l.chunks[k-1], l.of.elem.Size); k-- {
		l.chunks[k-1] = chunk{}
	}
	l.chunks = l.chunks[:k]
}
