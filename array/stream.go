package array

import (
	"iter"
	"reflect"
	"slices"
	"strconv"

	"example.com/custody/internal/amount"
	"example.com/custody/internal/word"
	"example.com/custody/safety"
)

// Stream is a sequence of rows, each of any number of items: what the indices of a loop find, where nobody knows beforehand how much that is.
// The items of a row lie together, and those of all rows one after the other (compressed sparse rows), so no row is allocated, nor room for
// items that do not come.
//
// A loop that carries a [StreamParallelWriter] appends to the row of its index; it makes the stream as long as the loop is, if it was
// shorter, and its items come behind those that the rows have. So what is filled anew each frame is cleared first. Other loops read it
// ([StreamReader]) or change its items in place ([StreamWriter]).
//
// Outside jobs it is like a slice: for one goroutine at a time, or several that order themselves. While a job that was not completed
// writes it or appends to it, every use is a violation; while one reads it, every change is. Make it with [NewStream] or [StreamOf]; it
// must not be copied.
//
// Cost: a loop that fills an empty stream copies its items once, in parallel, and passes over its rows once; one of one worker does neither, if there is
// room. A loop that adds to rows that have items copies all items of the stream.
//
// Memory: the items, and 8 bytes for each row; besides, kept for the next loop until [Stream.Trim], what loops append, in memory of their
// workers, 8 bytes for each of their indices, and, where they add to rows that have items, the items once more.
//
// Memory model: see package safety.
type Stream[T any] struct {
	guard   safety.Guard
	items   []T
	offsets []int // row i has the items offsets[i] to offsets[i+1]
	fill    filling[T]
	spare   []T  // of loops that add to rows that have items; empty
	holds   bool // items may keep something alive
}

// Invariants of Stream:
//
//	(S1) offsets has Len()+1 entries: 0 is the first, the last is len(items), and they do not fall.
//	(S2) Beyond the length of items, and in spare, lies nothing that keeps something alive.
//	(S3) Slices that are handed out are capped at the end of their rows.

// NewStream returns a stream without rows.
func NewStream[T any](opts ...safety.Option) *Stream[T] { return newStream[T](opts) }

// StreamOf returns a stream whose rows have the items of rows, copied. It is a violation if these are
// more than memory can hold.
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
	s := &Stream[T]{offsets: []int{0}, holds: word.Holds(reflect.TypeFor[T]())}
	s.guard.Init(s, 1, opts...)
	s.guard.Phases((*streamPhases[T])(s))
	s.fill.init(s, s.adopt)
	return s
}

// Len returns the number of rows.
func (s *Stream[T]) Len() int {
	s.guard.CheckRead()
	return s.rows()
}

// rows is Len for whoever may ask.
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

// At returns the items of row i themselves, to be read and written, until the stream is changed in length. It is checked once, now: a slice
// kept while a job holds the stream goes unseen, but for the race detector. An index outside [0, Len) is a violation.
func (s *Stream[T]) At(i int) []T {
	s.guard.CheckWrite()
	s.one(i)
	return row(s.items, s.offsets, i)
}

// row cuts row i out of items.
func row[T any](items []T, offsets []int, i int) []T {
	lo, hi := offsets[i], offsets[i+1]
	return items[lo:hi:hi]
}

// Items returns the items of all rows, one row after the other, in all else as [Stream.At].
func (s *Stream[T]) Items() []T {
	s.guard.CheckWrite()
	return s.items[:len(s.items):len(s.items)]
}

// Offsets returns where the rows begin in what [Stream.Items] returns, and behind these where the last one ends. The slice must not be
// written, and is good until the stream is changed in length.
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

// AppendRow adds a row of the items vs, copied, behind the others. It is a violation if the stream would
// have more items than memory can hold.
//
// Cost: that of the built-in append.
func (s *Stream[T]) AppendRow(vs ...T) {
	s.guard.CheckWrite()
	s.more(len(vs))
	s.items = append(s.items, vs...)
	s.offsets = append(s.offsets, len(s.items))
}

// Grow makes room for more rows and items, which can then be added without another allocation. A
// negative number is a violation, and so is one with which the stream would be longer than memory
// can hold.
func (s *Stream[T]) Grow(rows, items int) {
	s.guard.CheckWrite()
	if most := amount.Most[int]() - len(s.offsets); rows < 0 || rows > most {
		panic(amount.Refusal(&s.guard, "was to grow by", rows, 0, most, "row"))
	}
	s.more(items)
	s.offsets = slices.Grow(s.offsets, rows)
	s.items = slices.Grow(s.items, items)
}

// Trim gives back the memory that the rows do not need, also what is kept for the next loop that appends.
//
// Cost: a copy of the items, unless there is nothing to give back.
func (s *Stream[T]) Trim() {
	s.guard.CheckWrite()
	s.fill.trim()
	s.spare = nil
	if cap(s.items) > len(s.items) {
		s.items = append(make([]T, 0, len(s.items)), s.items...)
	}
	if cap(s.offsets) > len(s.offsets) {
		s.offsets = append(make([]int, 0, len(s.offsets)), s.offsets...)
	}
}

// Clear takes all rows out. The memory is kept.
func (s *Stream[T]) Clear() {
	s.guard.CheckWrite()
	if s.holds {
		clear(s.items)
	}
	s.items, s.offsets = s.items[:0], s.offsets[:1]
}

// Dispose ends the stream: every later use is a violation. It is one itself while an uncompleted job holds the stream, and the second
// time.
func (s *Stream[T]) Dispose() {
	s.guard.Dispose()
	s.drop()
}

// DisposeAfter is Dispose for a stream that jobs hold: every use from now on is a violation, but that of the handle's job and of those that
// it runs after. Another job that holds it is a violation; then nothing changes. The memory is let go of when the last of them is
// completed.
func (s *Stream[T]) DisposeAfter(h safety.Handle) { s.guard.DisposeAfter(h, s.drop) }

func (s *Stream[T]) drop() {
	s.items, s.offsets, s.spare = nil, nil, nil
	s.fill.trim()
}

// Disposed says whether the stream was disposed.
func (s *Stream[T]) Disposed() bool { return s.guard.Disposed() }

// more panics with a violation if the stream cannot have n more items.
func (s *Stream[T]) more(n int) {
	if most := amount.Most[T]() - len(s.items); n < 0 || n > most {
		panic(amount.Refusal(&s.guard, "was to grow by", n, 0, most, "item"))
	}
}

// one refuses an index that no row has.
func (s *Stream[T]) one(i int) {
	if n := s.rows(); uint(i) >= uint(n) {
		v := s.guard.Violation(safety.ErrIndex, "row "+strconv.Itoa(i)+" of "+s.guard.Container()+" was used, which has "+strconv.Itoa(n)+" rows",
			"Rows begin at 0 and end at Len-1.")
		v.Index, v.Max, v.Length = i, n, n
		panic(v)
	}
}
