package queue

import (
	"sort"
	"unsafe"

	"example.com/custody/internal/atom"
)

// stretch is a slice of items in the queue's memory, the first of which has position at.
type stretch[T any] struct {
	at    int
	items []T
}

func (s *stretch[T]) end() int { return s.at + len(s.items) }

// stretches are all items of a queue by position, in order. No stretch is empty.
type stretches[T any] []stretch[T]

// add appends a stretch of the given items, if there are any.
func (all stretches[T]) add(items []T) stretches[T] {
	if len(items) == 0 {
		return all
	}
	return append(all, stretch[T]{all.len(), items})
}

// len returns the number of items.
func (all stretches[T]) len() int {
	if len(all) == 0 {
		return 0
	}
	return all[len(all)-1].end()
}

// find returns the stretch that has position i, which is in [0, len).
func (all stretches[T]) find(i int) *stretch[T] {
	return &all[sort.Search(len(all), func(k int) bool { return all[k].end() > i })]
}

// cut returns those of the items at begin <= i < end that exist. The first gets position 0.
func (all stretches[T]) cut(begin, end int) (some stretches[T]) {
	all.each(begin, end, func(_ int, s []T) bool {
		some = some.add(s)
		return true
	})
	return some
}

// each calls f with those of the items at begin <= i < end that exist, as slices with the position
// of the first item of each, until f returns false.
func (all stretches[T]) each(begin, end int, f func(at int, s []T) bool) {
	begin, end = max(begin, 0), min(end, all.len())
	for begin < end {
		s := all.find(begin)
		lo, hi := begin-s.at, min(end, s.end())-s.at
		if !f(begin, s.items[lo:hi:hi]) {
			return
		}
		begin = s.at + hi
	}
}

// declare tells the race detector that the items at begin <= i < end are read, or written.
func (all stretches[T]) declare(begin, end int, f func(unsafe.Pointer, int)) {
	if atom.Race {
		all.each(begin, end, func(_ int, s []T) bool {
			f(unsafe.Pointer(&s[0]), len(s)*int(unsafe.Sizeof(s[0])))
			return true
		})
	}
}
