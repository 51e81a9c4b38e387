package lane

import (
	"reflect"

	"example.com/custody/internal/atom"
)

// The destination is memory of the container: the place where the first items belong. The span that
// begins with batch 0 is appended there, if it is the first in its lane, and no other span (I7). So
// Seal copies nothing if one worker ran all batches, and half if two workers ran half of them each.

// Lend makes the memory behind the last item of data the destination of the next phase, unless that
// phase is nested: [Items.CopyTo] does not copy items that lie in their place. The container must
// not use that memory until Seal. Seal clears what was written there, if it may keep memory alive,
// except the items of CopyTo. Lend does nothing during a phase, nor in builds with the race
// detector, which does not see the writes of a lane.
func (ls *Lanes[T]) Lend(data []T) {
	if ls.open || atom.Race || reflect.TypeFor[T]().Size() == 0 {
		return
	}
	if ls.dest = nil; cap(data) > len(data) {
		ls.dest = data[len(data):cap(data)]
	}
}

// enterDest makes the destination the first chunk of the lane, which has no items yet.
func (l *Lane[T]) enterDest() {
	l.chunks = append(l.chunks, nil)
	copy(l.chunks[1:], l.chunks)
	l.chunks[0] = l.of.dest
	l.buf = l.of.dest[:0]
	l.inDest = true
}

// leaveDest ends the first chunk, the destination, behind its last item, so that it is full (I2).
// The next item goes to a chunk of the lane's own, which grow gets. BeginSpan calls leaveDest for
// the second span.
func (l *Lane[T]) leaveDest() {
	n := len(l.buf)
	l.chunks[0] = l.chunks[0][:n]
	l.before, l.at = n, 1
	l.buf = nil
}

// destLen returns the number of items in the destination, which is the first chunk of the lane.
func (l *Lane[T]) destLen() int {
	if l.at == 0 {
		return len(l.buf)
	}
	return len(l.chunks[0])
}

// returnDest removes the destination from the chunks. If holds is true it clears what the lane has
// written there behind the items that CopyTo put or left there.
func (l *Lane[T]) returnDest(holds bool) {
	dest, used := l.of.dest, l.destLen()
	if l.borrowed {
		used += count[T](mostBytes)
	}
	if used = min(used, len(dest)); holds && used > l.of.placed {
		clear(dest[l.of.placed:used])
	}
	last := copy(l.chunks, l.chunks[1:])
	l.chunks[last] = nil
	l.chunks = l.chunks[:last]
	l.inDest = false
	if l.at--; l.at < 0 {
		l.buf, l.at = nil, 0
	}
}

// inPlace returns how many of the first items lie in dst already, because dst is the destination.
// Then it notes that CopyTo fills dst, whichever lane the items come from.
func (ls *Lanes[T]) inPlace(dst []T) int {
	if len(ls.order) == 0 || len(dst) == 0 || len(ls.dest) == 0 || &ls.dest[0] != &dst[0] {
		return 0
	}
	ls.placed = len(dst)
	l := ls.list[ls.order[0].lane]
	if !l.inDest || ls.order[0].first != 0 {
		return 0
	}
	return min(l.destLen(), len(dst))
}
