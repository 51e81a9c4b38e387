package lanes

import (
	"example.com/custody/internal/atom"
	"example.com/custody/internal/elem"
)

// The destination is memory of the container: the place where the first items belong. The span that
// begins with batch 0 is appended there, if it is the first in its lane, and no other span (I7). So
// Seal copies nothing if one worker ran all batches, and half if two workers ran half of them each.

// Lend is Lend of a lane.Lanes, of memory for n items of a size.
func (ls *Lanes) Lend(p elem.Pointer, n int, size uintptr) {
	if ls.open || atom.Race || size == 0 {
		return
	}
	if ls.dest = (chunk{}); n > 0 {
		ls.dest = chunk{p, n}
	}
}

// enterDest makes the destination the first chunk of the lane, which has no items yet.
func (l *Lane) enterDest() {
	l.chunks = append(l.chunks, chunk{})
	copy(l.chunks[1:], l.chunks)
	l.chunks[0] = l.of.dest
	l.enter(l.of.dest)
	l.inDest = true
}

// leaveDest ends the first chunk, the destination, behind its last item, so that it is full (I2).
// The next item goes to a chunk of the lane's own, which grow gets. BeginSpan calls leaveDest for
// the second span.
func (l *Lane) leaveDest() {
	n := l.n
	l.chunks[0].n = n
	l.before, l.at = n, 1
	l.enter(chunk{})
}

// destLen returns the number of items in the destination, which is the first chunk of the lane.
func (l *Lane) destLen() int {
	if l.at == 0 {
		return l.n
	}
	return l.chunks[0].n
}

// returnDest removes the destination from the chunks. If holds is true it clears what the lane has
// written there behind the items that CopyTo put or left there.
func (l *Lane) returnDest(holds bool) {
	dest, used := l.of.dest, l.destLen()
	if l.borrowed {
		used += l.of.most
	}
	if used = min(used, dest.n); holds && used > l.of.placed {
		l.of.Elem.Clear(l.of.Elem.At(dest.p, l.of.placed), used-l.of.placed)
	}
	last := copy(l.chunks, l.chunks[1:])
	l.chunks[last] = chunk{}
	l.chunks = l.chunks[:last]
	l.inDest = false
	if l.at--; l.at < 0 {
		l.enter(chunk{})
		l.at = 0
	}
}

// inPlace returns how many of the first items lie in dst already, because dst is
// the destination. Then it notes that CopyTo fills dst, whichever lane the items come from.
func (ls *Lanes) inPlace(dst chunk) int {
	if len(ls.order) == 0 || dst.n == 0 || ls.dest.n == 0 || ls.dest.p != dst.p {
		return 0
	}
	ls.placed = max(ls.placed, dst.n)
	l := ls.list[ls.order[0].lane]
	if !l.inDest || ls.order[0].first != 0 {
		return 0
	}
	return min(l.destLen(), dst.n)
}
