package lanes

import (
	"example.com/custody/internal/amount"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/elem"
	"example.com/custody/safety"
)

const (
	firstBytes = 1 << 10   // least size of a lane's first chunk; a multiple of any cache line (I5)
	mostBytes  = 256 << 10 // largest size of a chunk of several items
	partBytes  = 256 << 10 // what one worker copies or clears at a time
)

// chunkLen returns the length of the chunk that follows one of the given length, or of the first
// chunk for 0. Lengths double: a short lane is small, and a long one has few chunks. At mostBytes
// the cost of another chunk is negligible.
func (ls *Lanes) chunkLen(before int) int {
	if before == 0 {
		return ls.count(firstBytes)
	}
	return max(before, min(2*before, ls.count(mostBytes)))
}

// chunkFor returns the length of the first chunk of a lane that will have n items: the shortest of
// the lengths of chunkLen that has room for all, or the longest of them.
func (ls *Lanes) chunkFor(n int) int {
	c := ls.chunkLen(0)
	for c < n && c < ls.chunkLen(c) {
		c = ls.chunkLen(c)
	}
	return c
}

// count returns the number of items that take the given number of bytes, rounded up. 1024 items
// without a size count as one byte, so that few chunks have as many of them as there can be.
func (ls *Lanes) count(bytes int) int { return count(bytes, ls.Elem.Size) }

func count(bytes int, size uintptr) int {
	if size == 0 {
		return bytes << 10
	}
	return (bytes-1)/int(size) + 1
}

// reuse implements Reuse for n items at p. It reports whether they are a whole chunk of the
// largest size.
func (ls *Lanes) reuse(p elem.Pointer, n int, size uintptr) bool {
	if n != count(mostBytes, size) {
		return false
	}
	ls.spares().Keep(&chunk{p, n}) // allocated for the chunks that are kept only
	return true
}

// Share is Share of a lane.Lanes.
func (ls *Lanes) Share(from *Lanes) { ls.shared = from }

// spares returns the spare chunks.
func (ls *Lanes) spares() *atom.Pool {
	if ls.shared != nil {
		return &ls.shared.own
	}
	return &ls.own
}

// chunk returns memory for n items: a spare chunk if n is the largest length and there is one.
//
//go:norace
func (ls *Lanes) chunk(n int) chunk {
	if n == ls.count(mostBytes) {
		if s, ok := ls.spares().Take().(*chunk); ok {
			return *s
		}
	}
	return chunk{ls.Elem.Make(n), n}
}

// give moves the chunks of the largest size, which are the last ones, to the spare chunks.
//
//go:norace
func (l *Lane) give() {
	k := len(l.chunks)
	for ; k > 0 && l.of.reuse(l.chunks[k-1].p, l.chunks[k-1].n, l.of.Elem.Size); k-- {
		l.chunks[k-1] = chunk{}
	}
	l.chunks = l.chunks[:k]
}

// mustBeNew panics if items at src lie in the last chunks of what the lane has: the program has
// kept a slice of AvailableBuffer, and may have written over these items.
//
//go:norace
func (l *Lane) mustBeNew(by *safety.Hold, src elem.Pointer) {
	stale := src == l.lent && l.of.Elem.Size > 0 && l.Len() != l.lentAt
	least := l.at - 1 // older ones in strict builds only, because there may be many
	if safety.Strict {
		least = 0
	}
	for i := l.at; l.borrowed && !stale && i >= max(least, 0); i-- {
		c := l.chunks[i]
		if i == l.at {
			c.n = l.n
		}
		stale = uintptr(src)-uintptr(c.p) < uintptr(c.n)*l.of.Elem.Size
	}
	if !stale {
		return
	}
	const what, do = "items lie where others lie that were appended before", "A slice of AvailableBuffer is valid until the view appends: ask for one after each AppendAll."
	if by == nil {
		panic(safety.NewViolation(safety.ErrArgument, what, do))
	}
	g := amount.GuardOf(by)
	panic(by.Blame(g.Violation(safety.ErrArgument, "to "+g.Container()+" were to be appended "+what, do)))
}
