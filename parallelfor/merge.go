package parallelfor

// This file has the sequential parts of the sort: runs, and merging them.

// insertion sorts a few elements, stably.
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

// stable sorts s stably by merging. temp has the same length. The number of comparisons is close to
// the least that a sort needs.
func stable[T any](s, temp []T, compare func(a, b T) int) {
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
			merge(to[at:end], from[at:mid], from[mid:end], compare)
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

// merge merges the sorted a and b into dst, which has room for both. Of equal elements, those of a
// come first. Whatever compare returns, dst has each element once.
func merge[T any](dst, a, b []T, compare func(a, b T) int) {
	switch {
	case len(a) == 0:
		copy(dst, b)
		return
	case len(b) == 0 || compare(a[len(a)-1], b[0]) <= 0:
		copy(dst[copy(dst, a):], b)
		return
	case compare(b[len(b)-1], a[0]) < 0:
		copy(dst[copy(dst, b):], a)
		return
	}
	i, j := 0, 0
	for k := range dst {
		if compare(a[i], b[j]) <= 0 {
			dst[k] = a[i]
			if i++; i == len(a) {
				copy(dst[k+1:], b[j:])
				return
			}
		} else {
			dst[k] = b[j]
			if j++; j == len(b) {
				copy(dst[k+1:], a[i:])
				return
			}
		}
	}
}

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
