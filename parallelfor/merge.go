package parallelfor

import (
	"math/bits"
	"slices"
	"sort"
)

// This file has the sequential parts of the sort: segments, and merging them. All are stable.

// sortSegment sorts s. temp has the same length. Segments that are in order, or in the opposite
// order, take one comparison for each element. Others take nearly the least that a sort needs.
func sortSegment[T any](s, temp []T, compare func(a, b T) int) {
	run := 1
	for run < len(s) && compare(s[run-1], s[run]) <= 0 {
		run++
	}
	if run >= len(s) {
		return
	}
	if run == 1 {
		for run < len(s) && compare(s[run-1], s[run]) > 0 {
			run++
		}
		if run == len(s) {
			slices.Reverse(s)
			return
		}
	}
	mergeSort(s, temp, compare)
}

// mostKinds is the greatest number of kinds of elements that kindsOf finds, and mostSamples that of
// the elements that it looks at.
const mostKinds, mostSamples = 16, 512

// kindsOf returns the kinds of elements that a sample of s has, in order, or none if there are more
// than mostKinds or s has fewer than 2000 elements. The places of the sample have no period, as the
// elements may.
func kindsOf[T any](s []T, compare func(a, b T) int) (kinds []T) {
	if len(s) < 2000 {
		return nil
	}
	for i := range min(len(s)/mostKinds, mostSamples) {
		place, _ := bits.Mul64(uint64(i)*0x9e3779b97f4a7c15, uint64(len(s)))
		x := s[place]
		at, found := kindOf(kinds, x, compare)
		switch {
		case found:
		case len(kinds) == mostKinds:
			return nil
		default:
			kinds = slices.Insert(kinds, at, x)
		}
	}
	return kinds
}

// kindOf returns the index of the kind of x, or where it would be.
func kindOf[T any](kinds []T, x T, compare func(a, b T) int) (at int, found bool) {
	for end := len(kinds); at < end; {
		half := (at + end) / 2
		switch c := compare(kinds[half], x); {
		case c == 0:
			return half, true
		case c < 0:
			at = half + 1
		default:
			end = half
		}
	}
	return at, false
}

// insertion sorts a few elements.
func insertion[T any](s []T, compare func(a, b T) int) {
	for i := 1; i < len(s); i++ {
		x := s[i]
		k := i
		for ; k > 0 && compare(s[k-1], x) > 0; k-- {
			s[k] = s[k-1]
		}
		s[k] = x
	}
}

// shortRun is the number of elements that insertion sorts.
const shortRun = 12

// mergeSort sorts s by merging. temp has the same length.
func mergeSort[T any](s, temp []T, compare func(a, b T) int) {
	n, width, from, to := len(s), shortRun, s, temp
	if passes(n, shortRun)%2 != 0 {
		from, to = temp, s
		copy(from, s)
	}
	for at := 0; at < n; at += width {
		insertion(from[at:min(at+width, n)], compare)
	}
	for ; width < n; width *= 2 {
		for at := 0; at < n; at += 2 * width {
			mid, end := min(at+width, n), min(at+2*width, n)
			merge(to[at:end], from, at, mid, mid, end, compare)
		}
		from, to = to, from
	}
}

// passes returns how often runs of that width must be merged in pairs until one has n elements.
func passes(n, width int) (p int) {
	for ; width < n; width *= 2 {
		p++
	}
	return p
}

// merge merges the sorted s[i:m] and s[j:e] into dst, which has room for both. Of equal elements,
// those of the first come first. Whatever compare returns, dst has each element once.
//
// No branch depends on what compare returns, because the processor could not predict it, except
// once in a turn: if all elements were of one run, merge looks where its elements end. Both are
// known from Peters and Bergdoll's driftsort (2024) and McIlroy's Optimistic Sorting (1993).
func merge[T any](dst, s []T, i, m, j, e int, compare func(a, b T) int) {
	switch {
	case i == m || j == e || compare(s[m-1], s[j]) <= 0:
		copy(dst[copy(dst, s[i:m]):], s[j:e])
		return
	case compare(s[e-1], s[i]) < 0:
		copy(dst[copy(dst, s[j:e]):], s[i:m])
		return
	}
	for m-i >= turn && e-j >= turn {
		was := i
		for k := range dst[:turn] {
			above := int(uint(compare(s[j], s[i])) >> (bits.UintSize - 1)) // 1 if s[j] comes first
			dst[k] = s[i+(j-i)&-above]
			i += 1 - above
			j += above
		}
		dst = dst[turn:]
		switch i - was {
		case turn:
			n := sort.Search(m-i, func(k int) bool { return compare(s[j], s[i+k]) < 0 })
			dst = dst[copy(dst, s[i:i+n]):]
			i += n
		case 0:
			n := sort.Search(e-j, func(k int) bool { return compare(s[j+k], s[i]) >= 0 })
			dst = dst[copy(dst, s[j:j+n]):]
			j += n
		}
	}
	for k := range dst {
		switch {
		case i == m:
			copy(dst[k:], s[j:e])
			return
		case j == e:
			copy(dst[k:], s[i:m])
			return
		case compare(s[j], s[i]) < 0:
			dst[k] = s[j]
			j++
		default:
			dst[k] = s[i]
			i++
		}
	}
}

// turn is the number of elements that merge merges without looking whether a run ends.
const turn = 16

// split returns how many of the first d elements of the merged a and b come from a. The result is
// in [lo, hi], and b has d-lo elements or more.
func split[T any](a, b []T, d, lo, hi int, compare func(a, b T) int) int {
	for lo < hi {
		m := int(uint(lo+hi) >> 1)
		if compare(a[m], b[d-m-1]) > 0 {
			hi = m
		} else {
			lo = m + 1
		}
	}
	return lo
}
