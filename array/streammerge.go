package array

import (
	"slices"

	"example.com/custody/lane"
)

// splice appends what a nested loop has appended to the rows of the body that lent the view on.
func (f *filling[T]) splice(items lane.Items[T]) {
	f.sum()
	c, i := f.parent, 0
	for at, piece := range items.Slices(0, items.Len()) {
		for len(piece) > 0 {
			for f.ends[i+1] <= at {
				i++
			}
			if f.first+i != c.row {
				c.turn(nil, f.first+i)
			}
			n := min(len(piece), f.ends[i+1]-at)
			c.lane.AppendAll(nil, piece[:n])
			at, piece = at+n, piece[n:]
		}
	}
}

// adopt adds what a loop has appended.
//
//go:norace
func (s *Stream[T]) adopt(added lane.Items[T]) {
	f := &s.fill
	s.more(added.Len())
	f.sum()
	if len(s.items) == 0 {
		if n := cap(s.items); n < added.Len() {
			s.items = make([]T, 0, max(added.Len(), n+n/4))
		}
		s.items = s.items[:added.Len()]
		added.CopyTo(s.items)
		n := s.rows()
		s.offsets, f.ends = f.ends, s.offsets
		s.extend(n)
		return
	}
	f.merge(added)
	s.extend(len(f.ends) - 1)
	last := f.ends[len(f.ends)-1]
	for i := range s.offsets {
		if i < len(f.ends) {
			s.offsets[i] += f.ends[i]
		} else {
			s.offsets[i] += last
		}
	}
}

// extend gives the stream n rows, if it has less: the last ones have no items.
//
//go:norace
func (s *Stream[T]) extend(n int) {
	last := s.offsets[len(s.offsets)-1]
	for s.rows() < n {
		s.offsets = append(s.offsets, last)
	}
}

// merge makes items of those that there are and of those that were added.
//
//go:norace
func (f *filling[T]) merge(added lane.Items[T]) {
	s := f.of
	total := len(s.items) + added.Len()
	f.merging, f.merged = added, slices.Grow(s.spare[:0], total)[:total]
	s.extend(len(f.ends) - 1)
	f.divide(total)
	f.run(len(f.borders)-1, f.mergePart)
	if s.holds {
		clear(s.items)
	}
	s.items, s.spare = f.merged, s.items[:0]
}

// before returns how many items come before row i in what is merged.
func (f *filling[T]) before(i int) int { return f.of.offsets[i] + f.ends[min(i, len(f.ends)-1)] }

// divide cuts the rows into parts of about as many items.
//
//go:norace
func (f *filling[T]) divide(total int) {
	f.borders = append(f.borders[:0], 0)
	n := f.of.rows()
	for at := 0; at < n; {
		lo, most := at+1, f.before(at)+partFor
		for hi := n; lo < hi; { // the last border before which there are no more than most
			if mid := (lo + hi + 1) / 2; f.before(mid) <= most {
				lo = mid
			} else {
				hi = mid - 1
			}
		}
		at = lo
		f.borders = append(f.borders, at)
	}
}

// mergeOne merges the rows of a part.
func (f *filling[T]) mergeOne(k int) {
	begin, end := f.borders[k], f.borders[k+1]
	s, last := f.of, len(f.ends)-1
	for i := begin; i < end; i++ {
		copy(f.merged[f.before(i):], row(s.items, s.offsets, i))
	}
	i := begin
	for at, piece := range f.merging.Slices(f.ends[min(begin, last)], f.ends[min(end, last)]) {
		for len(piece) > 0 {
			for f.ends[i+1] <= at {
				i++
			}
			n := min(len(piece), f.ends[i+1]-at)
			copy(f.merged[f.offsetsAfter(i)+at-f.ends[i]:], piece[:n])
			at, piece = at+n, piece[n:]
		}
	}
}

// offsetsAfter returns where the added items of row i go.
func (f *filling[T]) offsetsAfter(i int) int { return f.of.offsets[i+1] + f.ends[i] }
