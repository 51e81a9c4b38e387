package lane

import (
	"reflect"
	"slices"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// This file is how the first items of a loop come to lie where they belong, before anybody knows what follows them. A container lends the memory
// to which the items will be copied; the run that begins with batch 0 is appended there, and no other (I7). So one worker who has all batches copies
// nothing, and two who have half of them each copy half.

// Lend lends the memory behind the last item of room to the phase that is opened next, unless that is nested: [Items.CopyTo] does not copy what lies where it is to
// be. Whoever lends it leaves it alone until the seal, which leaves nothing in it that keeps anything alive, but for what CopyTo was called
// for. It does nothing in builds with the race detector, to which the memory would seem to have been written by nobody.
func (ls *Lanes[T]) Lend(room []T) {
	if ls.open || atom.Race || reflect.TypeFor[T]().Size() == 0 {
		return
	}
	if ls.lent = nil; cap(room) > len(room) {
		ls.lent = room[len(room):cap(room)]
	}
}

// goAhead begins the lane in what was lent.
func (l *Lane[T]) goAhead() {
	l.chunks = slices.Insert(l.chunks, 0, l.of.lent)
	l.buf = l.of.lent[:0]
	l.ahead, l.window = true, count[T](mostBytes)
}

// fallBack goes on to memory of the lane's own. It keeps (I2).
func (l *Lane[T]) fallBack() {
	n := len(l.buf)
	l.chunks[0] = l.chunks[0][:n]
	l.before, l.at = n, 1
	l.buf = nil
}

// giveBack gives back what was lent, with nothing in it but what was copied there, or lies there instead.
func (l *Lane[T]) giveBack(holds bool) {
	room := l.of.lent
	used := len(l.chunks[0])
	if l.at == 0 {
		used = len(l.buf)
	}
	if l.loaned {
		used += l.window
	}
	if used = min(used, len(room)); holds && used > l.of.placed {
		clear(room[l.of.placed:used])
	}
	l.chunks = slices.Delete(l.chunks, 0, 1)
	l.ahead = false
	if l.at--; l.at < 0 {
		l.buf, l.at = nil, 0
	}
}

// inPlace says how many of the first items lie in dst already, where they are to be copied.
func (ls *Lanes[T]) inPlace(dst []T) int {
	if len(ls.order) == 0 || len(dst) == 0 {
		return 0
	}
	l := ls.list[ls.order[0].lane]
	if !l.ahead || &ls.lent[0] != &dst[0] || ls.order[0].first != 0 {
		return 0
	}
	ls.placed = len(dst)
	if l.at == 0 {
		return min(len(l.buf), len(dst))
	}
	return min(len(l.chunks[0]), len(dst))
}

// keepsLent refuses to give chunks away of which one is the container's.
func (ls *Lanes[T]) keepsLent() {
	if ls.lent != nil {
		panic(safety.NewViolation(safety.ErrArgument, "the memory of a lane was taken that its container had lent it", "A container that calls Lend copies its items, with CopyTo."))
	}
}
