package queue

import (
	"sort"
	"unsafe"

	"example.com/custody/internal/atom"
)

// ref points to items of a queue, in code that is compiled once for all types of items.
type ref = unsafe.Pointer

// stretch is n items in the queue's memory, the first of which has position at.
type stretch struct {
	at, n int
	items ref
}

func (s *stretch) end() int { return s.at + s.n }

// stretches are all items of a queue by position, in order. No stretch is empty.
type stretches struct {
	list []stretch
	size uintptr // of an item
}

// stretchesOf returns the stretches of items T that each passes, piece by piece. The race detector
// sees neither it nor add, because jobs that read a queue need no order.
//
//go:norace
func stretchesOf[T any](each func(f func(piece []T))) *stretches {
	all := &stretches{size: unsafe.Sizeof(*new(T))}
	each(func(piece []T) { all.add(ref(unsafe.SliceData(piece)), len(piece)) })
	return all
}

// piece returns the stretches of some items in one piece.
func piece[T any](items []T) *stretches {
	return stretchesOf(func(f func(piece []T)) { f(items) })
}

// add appends a stretch of n items, if n is not 0.
//
//go:norace
func (all *stretches) add(items ref, n int) {
	if n > 0 {
		all.list = append(all.list, stretch{all.len(), n, items})
	}
}

// len returns the number of items. It is 0 for nil.
func (all *stretches) len() int {
	if all == nil || len(all.list) == 0 {
		return 0
	}
	return all.list[len(all.list)-1].end()
}

// find returns the stretch that has position i, which is in [0, len).
func (all *stretches) find(i int) *stretch {
	return &all.list[sort.Search(len(all.list), func(k int) bool { return all.list[k].end() > i })]
}

// within returns those of the items at begin <= i < end that s has.
func (all *stretches) within(s *stretch, begin, end int) stretch {
	lo, hi := max(begin, s.at), min(end, s.end())
	return stretch{lo, hi - lo, all.item(s, lo-s.at)}
}

// item returns a pointer to item k of a stretch.
func (all *stretches) item(s *stretch, k int) ref { return unsafe.Add(s.items, uintptr(k)*all.size) }

// itemsOf returns the items of a stretch.
func itemsOf[T any](s stretch) []T { return unsafe.Slice((*T)(s.items), s.n) }

// cut returns those of the items at begin <= i < end that exist. The first gets position 0.
func (all *stretches) cut(begin, end int) *stretches {
	if all == nil {
		return nil
	}
	some := &stretches{size: all.size}
	all.each(begin, end, func(s stretch) bool {
		some.add(s.items, s.n)
		return true
	})
	return some
}

// each calls f with those of the items at begin <= i < end that exist, until f returns false.
func (all *stretches) each(begin, end int, f func(s stretch) bool) {
	begin, end = max(begin, 0), min(end, all.len())
	for begin < end {
		s := all.within(all.find(begin), begin, end)
		if !f(s) {
			return
		}
		begin = s.end()
	}
}

// declare tells the race detector that the items at begin <= i < end are read, or written.
func (all *stretches) declare(begin, end int, f func(unsafe.Pointer, int)) {
	if atom.Race {
		all.each(begin, end, func(s stretch) bool {
			f(s.items, s.n*int(all.size))
			return true
		})
	}
}
