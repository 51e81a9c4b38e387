package queue

import (
	"example.com/custody/internal/atom"
	"example.com/custody/internal/pad"
)

// segment is a piece of the memory of a [Queue]: places for items, each used once.
type segment[T any] struct {
	items  []T
	stamps []atom.Uint32 // how many places from here on are filled, at the first of a run; nil: all were from the start
	base   uint64        // how many places the segments before it have
	next   atom.Pointer[segment[T]]

	_    pad.Bytes
	tail atom.HiddenUint64 // how many places enqueues were handed, or wanted to be; or what it was ended with
	_    pad.Bytes
	head atom.HiddenUint64 // how many places dequeues were handed, and shut
	_    pad.Bytes
}

// The tail of a segment that hands out no more places. Those who want one count up in its low half and see it; how many
// places were handed out stands in the high half.
const (
	final  uint64 = 1 << 63 // no segment follows: the queue is closed
	ended  uint64 = 1 << 62 // another one follows, soon: what a job has added
	halted uint64 = 1 << 61 // a job has the queue by position; then the tail becomes again what it was
	marks         = final | ended | halted
	placed        = 32 // how far up the number of places stands
)

// newSegment returns an empty segment with n places, which come after those of s.
func newSegment[T any](n int, base uint64) *segment[T] {
	return &segment[T]{items: make([]T, n), stamps: make([]atom.Uint32, n), base: base}
}

// adopt returns a segment that has these items.
func adopt[T any](items []T) *segment[T] {
	s := &segment[T]{items: items}
	s.tail.Store(uint64(len(items)))
	return s
}

// none says whether a segment without marks has no place left.
func (s *segment[T]) none(tail uint64) bool { return tail >= uint64(len(s.items)) }

// mark is what a tail becomes that is ended in some way.
func mark(tail, how uint64) uint64 { return how | tail<<placed }

// handed returns how many places a tail says were handed out.
func (s *segment[T]) handed(tail uint64) int {
	if tail&marks != 0 {
		return int(tail &^ marks >> placed)
	}
	return int(min(tail, uint64(len(s.items))))
}

// ready returns how many places from k on are filled, at most most, and how many more there are in the last one's run.
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

// leave stores that so many places from k on are filled, when somebody was handed the front of a run.
func (s *segment[T]) leave(k, n int) {
	if n > 0 && s.stamps != nil {
		s.stamps[k].Store(uint32(n))
	}
}
