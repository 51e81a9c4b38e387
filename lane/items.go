package lane

import (
	"iter"
	"slices"
	"strconv"

	"example.com/custody/internal/elem"
	"example.com/custody/safety"
)

// Items are the items that a job appended, in the order of the sequential loop. [Lanes.Seal] passes
// them to a function of the container, and they are valid until it returns. Items is a small value.
//
// Guarantees (consistency, progress, cost, allocations; docs/consistency.md):
//
//	Len     constant  wait-free           O(1)                   never
//	Slices  constant  wait-free           O(log spans + pieces)  never
//	CopyTo  constant  waits: for helpers  O(n), in parallel      never
//	Take    constant  wait-free           O(pieces)              the next chunks
type Items[T any] struct {
	_        [0]*T
	of       *lanes
	parallel func(n int, f func(k int))
}

// Len returns the number of items.
func (s Items[T]) Len() int { return s.of.total }

// Slices ranges over the items lo <= i < hi as slices, with the number of the first item of each.
// No slice is empty, and none may be written. Goroutines may range over different bounds at the
// same time. Bounds outside [0, Len] are a panic.
//
// Cost: a binary search among the spans, and O(1) for each slice.
func (s Items[T]) Slices(lo, hi int) iter.Seq2[int, []T] {
	return func(yield func(int, []T) bool) {
		s.of.slices(lo, hi, func(at int, p elem.Pointer, n int) bool { return yield(at, elem.Slice[T](p, n)) })
	}
}

// slices implements Slices.
func (ls *lanes) slices(lo, hi int, f func(at int, p elem.Pointer, n int) bool) {
	if n := ls.total; lo < 0 || hi > n || lo > n {
		what := "the items " + strconv.Itoa(lo) + " <= i < " + strconv.Itoa(hi) +
			" of a lane's " + strconv.Itoa(n) + " were asked for"
		panic(safety.NewViolation(safety.ErrArgument, what, "Slices takes bounds in [0, Len]."))
	}
	ls.each(lo, hi, f)
}

// Take is Slices of all items, for containers that link the slices instead of copying them. The
// caller owns the slices, which have no spare capacity. The lanes get new memory for the next
// phase, or what [Lanes.Reuse] was given. Each begins with a chunk for as many items as it had in
// this phase.
//
// Memory: several slices may lie in one chunk, which is alive while one of them is. A chunk has up
// to 256 KiB, or one item.
func (s Items[T]) Take() iter.Seq2[int, []T] {
	s.of.take()
	return s.Slices(0, s.Len())
}

// CopyTo copies the first items to dst, as many as fit, and returns their number. It copies many
// items in parallel, in parts of similar size. It does not copy items that lie in dst already
// because dst is the memory that [Lanes.Lend] was called for.
func (s Items[T]) CopyTo(dst []T) int {
	return s.of.copyTo(chunk{elem.Data(dst), min(len(dst), s.Len())}, s.parallel)
}

// copyTo implements CopyTo for as many items as dst has places.
func (ls *lanes) copyTo(dst chunk, parallel func(n int, f func(k int))) int {
	if ls.elem.Size == 0 {
		return dst.n // no bytes to copy, in a number of pieces that may be huge
	}
	lo := ls.inPlace(dst)
	if part := ls.count(partBytes); dst.n-lo <= part {
		ls.copyRange(dst, lo, dst.n)
	} else {
		ls.setCopy(dst, lo, part)
		parallel((dst.n-lo-1)/part+1, ls.copyPart)
	}
	return dst.n
}

// take notes that the chunks get another owner, so that wipe drops them. It clears the spans in
// them that do not count.
//
//go:norace
func (ls *lanes) take() {
	if ls.dest.n > 0 { // one of the chunks is the container's
		panic(safety.NewViolation(safety.ErrArgument,
			"the memory of a lane was taken that its container had lent it",
			"A container that calls Lend copies its items, with CopyTo."))
	}
	ls.taken = true
	if !ls.elem.Holds {
		return
	}
	for _, l := range ls.list {
		for k := range l.spans {
			if l.spans[k].first >= ls.kept {
				l.pieces(k, func(p elem.Pointer, n int) bool { ls.elem.Clear(p, n); return true })
			}
		}
	}
}

// setCopy sets what copyOne copies.
//
//go:norace
func (ls *lanes) setCopy(dst chunk, lo, part int) { ls.dst, ls.first, ls.part = dst, lo, part }

// copyOne copies the k-th part of what setCopy was called for.
func (ls *lanes) copyOne(k int) {
	lo := ls.first + k*ls.part
	ls.copyRange(ls.dst, lo, min(lo+ls.part, ls.dst.n))
}

// copyRange copies the items lo <= i < hi to their places in dst.
func (ls *lanes) copyRange(dst chunk, lo, hi int) {
	ls.each(lo, hi, func(at int, p elem.Pointer, n int) bool {
		ls.elem.Copy(ls.elem.At(dst.p, at), p, n)
		return true
	})
}

// spanOf returns the index of the last span that begins at item n or before.
func spanOf(all []ref, n int) int {
	i, _ := slices.BinarySearchFunc(all, n+1, func(r ref, n int) int { return r.before - n })
	return i - 1
}

// each calls f with the items lo <= i < hi in order: with the number of the first of some that lie
// side by side, their address and how many they are, until f returns false.
func (ls *lanes) each(lo, hi int, f func(at int, p elem.Pointer, n int) bool) {
	if lo >= hi {
		return
	}
	i := spanOf(ls.order, lo)
	skip, more := lo-ls.order[i].before, true
	for ; more && lo < hi; i++ {
		r := ls.order[i]
		ls.list[r.lane].pieces(int(r.span), func(p elem.Pointer, n int) bool {
			if skip >= n {
				skip -= n
				return true
			}
			p, n = ls.elem.At(p, skip), min(n-skip, hi-lo)
			skip = 0
			more = f(lo, p, n)
			lo += n
			return more && lo < hi
		})
	}
}
