package array

import (
	"iter"
	"math"
	"slices"
	"strconv"

	"example.com/custody/internal/amount"
	"example.com/custody/internal/elem"
	"example.com/custody/safety"
)

// Stream is a sequence of rows, each of any number of items: the results of a loop whose indices
// find different numbers of them. The items of all rows lie one after the other (compressed sparse
// rows), so no row is allocated by itself and none reserves room. Make a Stream with [NewStream] or
// [StreamOf]; it must not be copied.
//
// A loop that carries a [StreamParallelWriter] appends to the rows of its indices, behind the items
// that they have. A stream with fewer rows than the loop has indices gets rows without items. So a
// stream that is filled anew each frame is cleared first. A loop that carries a [StreamKeyedWriter]
// adds items to the rows of any keys, as particles to their cells; each frame begins with Clear and
// Resize. Other loops read the stream ([StreamReader]) or change its items in place
// ([StreamWriter]).
//
// Outside jobs a Stream is like a slice: for one goroutine at a time, or several that order
// themselves. While an uncompleted job writes it or appends to it, every use is a violation; while
// one reads it, every change is.
//
// Cost: a loop that fills an empty stream copies its items once, in parallel, and passes over its
// rows once; a loop of one worker does neither if there is room. A loop that adds to rows with
// items copies all items of the stream.
//
// Memory: the items, and 8 bytes for each row. Kept for the next loop until [Stream.Trim] are what
// loops append, in memory of their workers; 8 bytes for each index; if loops add to rows with
// items, the items once more; and if loops add by key, 4 bytes for each row and worker, and for
// each row once more.
//
// Memory model: see package safety.
//
// Guarantees (consistency, progress, cost, allocations), beside those of every container (safety):
//
//	KeyedWriter                      constant       wait-free  O(1)                      never
//	Len, Count, Total, Offsets, All  owner reads    wait-free  O(1)                      never
//	Stats                            owner reads    wait-free  O(pieces kept)            never
//	At, Items                        owner changes  wait-free  O(1)                      never
//	Clear                            owner changes  wait-free  O(1), O(n) if pointers    never
//	AppendRow                        owner changes  wait-free  O(items)                  growth
//	Grow                             owner changes  wait-free  O(n) if moved             growth
//	Resize                           owner changes  wait-free  O(change), O(n) if moved  growth
//	SetCounts                        owner changes  wait-free  O(rows, n)                growth
//	Trim                             owner changes  wait-free  O(n), or O(1)             one copy
type Stream[T any] struct {
	guard   safety.Guard
	items   []T
	offsets []int // row i has the items [offsets[i], offsets[i+1])
	fill    filling
	merging merging[T]
	group   *grouping[T] // for loops that add by key; nil before the first
	spare   []T          // empty; memory for loops that add to rows with items
}

// Invariants of Stream:
//
//	(stream.I1) offsets has Len()+1 entries that do not fall, from 0 to len(items).
//	(stream.I2) Nothing beyond the length of items, and nothing in spare, keeps memory alive.
//	(stream.I3) Slices that are handed out are capped at the end of their rows.

// NewStream returns a stream without rows.
func NewStream[T any](opts ...safety.Option) *Stream[T] { return newStream[T](opts) }

// StreamOf returns a stream whose rows have copies of the items of rows. It is a violation if these
// are more than memory can hold.
func StreamOf[T any](rows [][]T, opts ...safety.Option) *Stream[T] {
	s := newStream[T](opts)
	total := 0
	for _, r := range rows {
		total = amount.Sum(total, len(r))
	}
	if most := amount.Most[T](); total > most {
		s.guard.Dispose() // the caller never gets the stream, so it must not count as a leak
		panic(amount.Refusal(&s.guard, "was asked to have", total, 0, most, "item"))
	}
	s.items = slices.Concat(rows...)
	s.offsets = slices.Grow(s.offsets, len(rows))
	for _, r := range rows {
		s.offsets = append(s.offsets, s.offsets[len(s.offsets)-1]+len(r))
	}
	return s
}

// newStream makes a stream. The user's call is two frames up.
func newStream[T any](opts []safety.Option) *Stream[T] {
	s := &Stream[T]{offsets: []int{0}}
	s.guard.Init(s, 1, opts...)
	s.guard.Phases((*streamPhases[T])(s))
	s.fill.init(&s.guard, elem.TypeOf[T](), s.adopt)
	s.merging.part = s.mergeOne
	return s
}

// Len returns the number of rows.
func (s *Stream[T]) Len() int {
	s.guard.CheckRead()
	return s.rows()
}

// rows is Len without the check.
func (s *Stream[T]) rows() int { return max(len(s.offsets)-1, 0) }

// Total returns the number of items in all rows.
func (s *Stream[T]) Total() int {
	s.guard.CheckRead()
	return len(s.items)
}

// Count returns the number of items in row i. An index outside [0, Len) is a violation.
func (s *Stream[T]) Count(i int) int {
	s.guard.CheckRead()
	s.one(i)
	return s.offsets[i+1] - s.offsets[i]
}

// At returns the items of row i themselves, to be read and written until the stream changes its
// length. Custody is checked by this call only, as by [Array.Slice]. An index outside [0, Len) is a
// violation.
func (s *Stream[T]) At(i int) []T {
	s.guard.CheckWrite()
	s.one(i)
	return row(s.items, s.offsets, i)
}

// row returns the items of row i.
func row[T any](items []T, offsets []int, i int) []T {
	lo, hi := offsets[i], offsets[i+1]
	return items[lo:hi:hi]
}

// Items returns the items of all rows, one row after the other, in all else as [Stream.At].
func (s *Stream[T]) Items() []T {
	s.guard.CheckWrite()
	return s.items[:len(s.items):len(s.items)]
}

// Offsets returns the positions in [Stream.Items] at which the rows begin, and behind them the one
// at which the last row ends. The slice must not be written. It is valid until the stream changes
// its length. Custody is checked by this call only.
func (s *Stream[T]) Offsets() []int {
	s.guard.CheckRead()
	return s.offsets[:len(s.offsets):len(s.offsets)]
}

// All returns an iterator over the row numbers and the items of each row, in order. The items must
// not be written. The iterator checks custody at every step: a step while a job holds the stream in
// a mode that excludes reads by the owner is a violation.
//
// The loop may change the stream, also through a job that it completes. The iterator ends at the
// number of rows that the stream had at the beginning of the loop, or at the current number if that
// is less.
func (s *Stream[T]) All() iter.Seq2[int, []T] {
	return func(yield func(int, []T) bool) {
		s.guard.CheckRead()
		for i, n := 0, s.rows(); i < min(n, s.rows()) && yield(i, row(s.items, s.offsets, i)); i++ {
			s.guard.CheckRead()
		}
	}
}

// AppendRow adds a row with copies of the items vs behind the others. It is a violation if the
// stream would have more items than memory can hold.
//
// Cost: that of the built-in append.
func (s *Stream[T]) AppendRow(vs ...T) {
	s.guard.CheckWrite()
	s.more(len(vs))
	s.items = append(s.items, vs...)
	s.offsets = append(s.offsets, len(s.items))
}

// Grow makes room for more rows and items, which can then be added without another allocation. It
// is a violation if a number is negative, or if the stream would be longer than memory can hold.
func (s *Stream[T]) Grow(rows, items int) {
	s.guard.CheckWrite()
	if most := amount.Most[int]() - len(s.offsets); rows < 0 || rows > most {
		panic(amount.Refusal(&s.guard, "was to grow by", rows, 0, most, "row"))
	}
	s.more(items)
	s.offsets = slices.Grow(s.offsets, rows)
	s.items = slices.Grow(s.items, items)
}

// Resize gives the stream n rows: it adds rows without items, or removes the last ones. It is a
// violation if n is negative or more than memory can hold.
func (s *Stream[T]) Resize(n int) {
	s.guard.CheckWrite()
	if most := amount.Most[int]() - 1; n < 0 || n > most {
		panic(amount.Refusal(&s.guard, "was to have", n, 0, most, "row"))
	}
	if n < s.rows() {
		s.offsets = s.offsets[:n+1]
		s.cut(s.offsets[n])
	}
	s.extend(n)
}

// SetCounts gives the stream a row for each count, and row i counts[i] items. The items stay in
// their order, but not in their rows. If these are fewer than the counts say, items of value zero
// come behind them; if more, the last ones go. So a loop over a [StreamWriter] can set rows of
// known lengths in place. After [Stream.Clear] all items are zero. It is a violation if a count is
// negative, or if the items would be more than memory can hold.
func (s *Stream[T]) SetCounts(counts []int) {
	s.guard.CheckWrite()
	total, signs := 0, 0
	for _, n := range counts {
		total += n
		signs |= n | total // a sum that overflows is negative at first
	}
	most := amount.Most[T]()
	if signs < 0 {
		if i := slices.IndexFunc(counts, func(n int) bool { return n < 0 }); i >= 0 {
			panic(amount.Refusal(&s.guard, "was to have a row "+strconv.Itoa(i)+" whose count is", counts[i], 0, most, "item"))
		}
		total = math.MaxInt
	}
	if total > most {
		panic(amount.Refusal(&s.guard, "was to have", total, 0, most, "item"))
	}
	if len(counts) > 0 && &counts[0] == &s.offsets[0] {
		counts = slices.Clone(counts) // offsets change
	}
	s.offsets = slices.Grow(s.offsets[:1], len(counts))[:len(counts)+1]
	ends(s.offsets[1:], counts)
	was, room := len(s.items), cap(s.items)
	if was > total {
		s.cut(total)
	} else if s.lengthen(total - was); cap(s.items) == room { // new memory is zero
		clear(s.items[was:])
	}
}

// Trim frees the memory that the rows do not need, and the memory that is kept for the next loop
// that appends.
//
// Cost: a copy of the items, if there is memory to free.
func (s *Stream[T]) Trim() {
	s.guard.CheckWrite()
	s.fill.trim()
	s.spare, s.group, s.merging.borders = nil, nil, nil
	if cap(s.items) > len(s.items) {
		s.items = append(make([]T, 0, len(s.items)), s.items...)
	}
	if cap(s.offsets) > len(s.offsets) {
		s.offsets = append(make([]int, 0, len(s.offsets)), s.offsets...)
	}
}

// Clear removes all rows. The memory is kept.
func (s *Stream[T]) Clear() {
	s.guard.CheckWrite()
	s.cut(0)
	s.offsets = s.offsets[:1]
}

// cut removes the items from n on, and keeps (stream.I2).
func (s *Stream[T]) cut(n int) {
	if s.fill.lanes.Elem.Holds {
		clear(s.items[n:])
	}
	s.items = s.items[:n]
}

// Dispose ends the stream, as [Array.Dispose] does.
func (s *Stream[T]) Dispose() {
	s.guard.Dispose()
	s.drop()
}

// DisposeAfter is Dispose for a stream that jobs hold, as [Array.DisposeAfter].
func (s *Stream[T]) DisposeAfter(h safety.Handle) { s.guard.DisposeAfter(h, s.drop) }

func (s *Stream[T]) drop() {
	s.items, s.offsets, s.spare, s.group, s.merging.borders = nil, nil, nil, nil, nil
	s.fill.trim()
}

// Disposed reports whether the stream was disposed.
func (s *Stream[T]) Disposed() bool { return s.guard.Disposed() }

// lengthen makes the stream longer by n items, which the caller sets.
func (s *Stream[T]) lengthen(n int) {
	if n += len(s.items); cap(s.items) < n {
		s.items = append(make([]T, 0, max(n, cap(s.items)+cap(s.items)/4)), s.items...)
	}
	s.items = s.items[:n]
}

// more panics with a violation if the stream cannot have n more items.
func (s *Stream[T]) more(n int) {
	if most := amount.Most[T]() - len(s.items); n < 0 || n > most {
		panic(amount.Refusal(&s.guard, "was to grow by", n, 0, most, "item"))
	}
}

// one panics with a violation if there is no row i.
func (s *Stream[T]) one(i int) {
	if n := s.rows(); uint(i) >= uint(n) {
		v := s.guard.Violation(safety.ErrIndex, "row "+strconv.Itoa(i)+" of "+s.guard.Container()+" was used, which has "+strconv.Itoa(n)+" rows",
			"Rows begin at 0 and end at Len-1.")
		v.Index, v.Max, v.Length = i, n, n
		panic(v)
	}
}
