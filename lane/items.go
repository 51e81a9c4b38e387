package lane

import (
	"iter"
	"reflect"
	"slices"
	"strconv"

	"example.com/custody/safety"
)

// Items are what a job appended, in the order of the sequential loop, as [Lanes.Seal] hands them out. They are good
// until the function that got them returns. They are a small value.
type Items[T any] struct {
	of       *Lanes[T]
	parallel func(n int, f func(k int))
}

// Len returns how many items there are.
func (s Items[T]) Len() int { return s.of.total }

// All ranges over the items in order.
func (s Items[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		for piece := range s.Pieces() {
			for _, v := range piece {
				if !yield(v) {
					return
				}
			}
		}
	}
}

// Pieces ranges over the items as slices, none of them empty, which must not be written: one after the other they
// are all items in order.
func (s Items[T]) Pieces() iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		for i := range s.of.order {
			if !s.of.pieces(i, yield) {
				return
			}
		}
	}
}

// Slices is Pieces for the items lo <= i < hi, with the number of the first item of each slice. So the items can be passed over in
// parallel. Bounds outside [0, Len] are a panic.
//
// Cost: a binary search among the runs, and what each slice costs.
func (s Items[T]) Slices(lo, hi int) iter.Seq2[int, []T] {
	return func(yield func(int, []T) bool) {
		if lo < 0 || hi > s.Len() || lo > s.Len() {
			panic(safety.NewViolation(safety.ErrArgument, "the items "+strconv.Itoa(lo)+" <= i < "+strconv.Itoa(hi)+" of a lane's "+strconv.Itoa(s.Len())+" were asked for",
				"Slices takes bounds in [0, Len]."))
		}
		s.of.each(lo, hi, yield)
	}
}

// Take is Pieces for containers that link what they get instead of copying it: the slices are the caller's from
// now on, capped at their lengths. For the next phase the lanes have new memory, and what [Lanes.Reuse] was given; each begins
// with a chunk for as many items as it has had in this one.
//
// Memory: several slices may lie in one chunk, which is kept as long as one of them is. It has up to 256 KiB, or one
// item.
func (s Items[T]) Take() iter.Seq[[]T] {
	s.of.take()
	return s.Pieces()
}

// AppendTo appends the items to dst as the built-in append does, and returns the result. Where there are many they are
// copied in parallel.
//
// Cost: the copy; nothing is allocated when dst has the capacity.
func (s Items[T]) AppendTo(dst []T) []T {
	n := len(dst)
	dst = slices.Grow(dst, s.Len())[:n+s.Len()]
	s.CopyTo(dst[n:])
	return dst
}

// CopyTo copies the items into dst, as many as there is room for, and returns how many. Where there are many they are
// copied in parallel, in parts of similar size. What lies in dst already ([Lanes.Lend]) is not copied.
func (s Items[T]) CopyTo(dst []T) int {
	n := min(len(dst), s.Len())
	if reflect.TypeFor[T]().Size() == 0 {
		return n // there is nothing to copy, and may be much of it
	}
	lo := s.of.inPlace(dst[:n])
	if part := count[T](partBytes); n-lo <= part {
		s.of.copyRange(dst, lo, n)
	} else {
		s.of.direct(dst[:n], lo, part)
		s.parallel((n-lo-1)/part+1, s.of.copyPart)
	}
	return n
}

// take gives the chunks away, but for what does not count in them.
//
//go:norace
func (ls *Lanes[T]) take() {
	ls.keepsLent()
	ls.taken = true
	for _, l := range ls.list {
		if ls.holds {
			l.drop(ls.kept)
		}
	}
}

// direct says what copyOne copies to.
//
//go:norace
func (ls *Lanes[T]) direct(dst []T, lo, part int) { ls.dst, ls.first, ls.part = dst, lo, part }

// copyOne copies the k-th part.
func (ls *Lanes[T]) copyOne(k int) {
	lo := ls.first + k*ls.part
	ls.copyRange(ls.dst, lo, min(lo+ls.part, len(ls.dst)))
}

// copyRange copies the items lo <= i < hi to their places in dst.
func (ls *Lanes[T]) copyRange(dst []T, lo, hi int) {
	ls.each(lo, hi, func(at int, piece []T) bool {
		copy(dst[at:], piece)
		return true
	})
}

// each calls f with the items lo <= i < hi in order, as slices none of which is empty, with the number of the first of each, until it
// says false.
func (ls *Lanes[T]) each(lo, hi int, f func(at int, piece []T) bool) {
	if lo >= hi {
		return
	}
	i, _ := slices.BinarySearchFunc(ls.order, lo+1, func(r ref, n int) int { return r.before - n })
	i-- // the last run that begins at lo or before
	skip, more := lo-ls.order[i].before, true
	for ; more && lo < hi; i++ {
		ls.pieces(i, func(piece []T) bool {
			if skip >= len(piece) {
				skip -= len(piece)
				return true
			}
			piece = piece[skip:]
			piece = piece[:min(len(piece), hi-lo)]
			skip = 0
			more = f(lo, piece)
			lo += len(piece)
			return more && lo < hi
		})
	}
}

// pieces yields the pieces of the i-th run in order, and says whether to go on.
func (ls *Lanes[T]) pieces(i int, yield func([]T) bool) bool {
	r := ls.order[i]
	l := ls.list[r.lane]
	at, end := l.bounds(int(r.run))
	for at != end {
		var piece []T
		if piece, at = l.piece(at, end); len(piece) > 0 && !yield(piece) {
			return false
		}
	}
	return true
}
