package queue

import (
	"example.com/custody/internal/atom"
	"example.com/custody/internal/pad"
)

// segment is a piece of the memory of a [Queue]: places for items, each used once.
type segment[T any] struct {
	items  []T
	stamps []atom.Uint32 // at the first place of a stamp run, its length; nil if all are filled
	base   uint64        // number of places of the segments before it
	next   atom.Pointer[segment[T]]

	_    pad.Bytes
	tail atom.HiddenUint64 // number of places that enqueues asked for, or a mark
	_    pad.Bytes
	head atom.HiddenUint64 // number of places that dequeues claimed, and the flag halted
	_    pad.Bytes
}

// Marks of the tail of a segment that hands out no more places. Bits 32 to 60 then have the number
// of places that were handed out. Enqueues count up the low half and see the mark.
const (
	final  uint64 = 1 << 63 // the queue is closed: no segment follows
	ended  uint64 = 1 << 62 // the segments of a job are about to follow
	halted uint64 = 1 << 61 // a job has the queue by position; afterwards the tail is restored
	marks         = final | ended | halted
	placed        = 32 // shift of the number of places
)

// newSegment returns an empty segment of n places. base is the number of places before it.
func newSegment[T any](n int, base uint64) *segment[T] {
	return &segment[T]{items: make([]T, n), stamps: make([]atom.Uint32, n), base: base}
}

// adopt returns a segment that has the given items, and hands out no places.
func adopt[T any](items []T) *segment[T] {
	s := &segment[T]{items: items}
	s.tail.Store(uint64(len(items)))
	return s
}

// none reports whether a segment has no place left, or has a mark.
func (s *segment[T]) none(tail uint64) bool { return tail >= uint64(len(s.items)) }

// mark adds the mark how to a tail without one, which is the number of places handed out so far.
func mark(tail, how uint64) uint64 { return how | tail<<placed }

// handed returns the number of places that were handed out, by the tail.
func (s *segment[T]) handed(tail uint64) int {
	if tail&marks != 0 {
		return int(tail &^ marks >> placed)
	}
	return int(min(tail, uint64(len(s.items))))
}

// ready returns the number n of filled places from k on, at most most, and the number of further
// places in the stamp run of the last one.
func (s *segment[T]) ready(k, most int) (n, rest int) {
	if s.stamps == nil {
		return min(most, len(s.items)-k), 0
	}
	for n < most && k+n < len(s.items) {
		r := int(s.stamps[k+n].Load())
		if r == 0 {
			return n, 0
		}
		n += r
	}
	return min(n, most), max(n-most, 0)
}

// leave stamps that n places from k on are filled, after the front of their run was claimed (I3).
func (s *segment[T]) leave(k, n int) {
	if n > 0 && s.stamps != nil {
		s.stamps[k].Store(uint32(n))
	}
}
