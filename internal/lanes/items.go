package lanes

import (
	"slices"
	"strconv"

	"example.com/custody/internal/elem"
	"example.com/custody/safety"
)

// Items is lane.Items without its type.
type Items struct {
	of       *Lanes
	parallel func(n int, f func(k int))
}

// Len is Len of a lane.Items.
func (s Items) Len() int { return s.of.total }

// Each calls f with the items lo <= i < hi in order: with the number of the first of some that lie
// side by side, their address and how many they are, until f returns false.
func (s Items) Each(lo, hi int, f func(at int, p elem.Pointer, n int) bool) {
	if n := s.of.total; lo < 0 || hi > n || lo > n {
		what := "the items " + strconv.Itoa(lo) + " <= i < " + strconv.Itoa(hi) +
			" of a lane's " + strconv.Itoa(n) + " were asked for"
		panic(safety.NewViolation(safety.ErrArgument, what, "Slices takes bounds in [0, Len]."))
	}
	s.of.each(lo, hi, f)
}

// CopyTo is CopyTo of a lane.Items, to memory for n items at p.
func (s Items) CopyTo(p elem.Pointer, n int) int {
	return s.of.copyTo(chunk{p, min(n, s.Len())}, s.parallel)
}

// copyTo implements CopyTo for as many items as dst has places.
func (ls *Lanes) copyTo(dst chunk, parallel func(n int, f func(k int))) int {
	if ls.Elem.Size == 0 {
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

// Take notes that the chunks get another owner, so that wipe drops them, for Take of a lane.Items.
// It clears the spans in them that do not count.
//
//go:norace
func (s Items) Take() {
	ls := s.of
	if ls.dest.n > 0 { // one of the chunks is the container's
		panic(safety.NewViolation(safety.ErrArgument,
			"the memory of a lane was taken that its container had lent it",
			"A container that calls Lend copies its items, with CopyTo."))
	}
	ls.taken = true
	if !ls.Elem.Holds {
		return
	}
	for _, l := range ls.list {
		for k := range l.spans {
			if l.spans[k].first >= ls.kept {
				l.pieces(k, func(p elem.Pointer, n int) bool { ls.Elem.Clear(p, n); return true })
			}
		}
	}
}

// setCopy sets what copyOne copies.
//
//go:norace
func (ls *Lanes) setCopy(dst chunk, lo, part int) { ls.dst, ls.first, ls.part = dst, lo, part }

// copyOne copies the k-th part of what setCopy was called for.
func (ls *Lanes) copyOne(k int) {
	lo := ls.first + k*ls.part
	ls.copyRange(ls.dst, lo, min(lo+ls.part, ls.dst.n))
}

// copyRange copies the items lo <= i < hi to their places in dst.
func (ls *Lanes) copyRange(dst chunk, lo, hi int) {
	ls.each(lo, hi, func(at int, p elem.Pointer, n int) bool {
		ls.Elem.Copy(ls.Elem.At(dst.p, at), p, n)
		return true
	})
}

// spanOf returns the index of the last span that begins at item n or before.
func spanOf(all []ref, n int) int {
	i, _ := slices.BinarySearchFunc(all, n+1, func(r ref, n int) int { return r.before - n })
	return i - 1
}

// Pieces is Each for all of the items lo <= i < hi.
func (s Items) Pieces(lo, hi int, f func(at int, p elem.Pointer, n int)) {
	s.Each(lo, hi, func(at int, p elem.Pointer, n int) bool { f(at, p, n); return true })
}

// each implements Each.
func (ls *Lanes) each(lo, hi int, f func(at int, p elem.Pointer, n int) bool) {
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
			p, n = ls.Elem.At(p, skip), min(n-skip, hi-lo)
			skip = 0
			more = f(lo, p, n)
			lo += n
			return more && lo < hi
		})
	}
}
