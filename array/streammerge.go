package array

import (
	"slices"
	"sort"

	"example.com/custody/internal/elem"
	"example.com/custody/internal/lanes"
)

// splice appends the items of a nested loop, when it is sealed, to the rows of the body's batch.
func (f *filling[T]) splice(items lanes.Items) {
	f.sum()
	c, i := f.parent, 0
	for at, piece := range lanes.Slices[T](items, 0, items.Len()) {
		for len(piece) > 0 {
			for f.ends[i+1] <= at {
				i++
			}
			if f.first+i != c.row {
				c.turn(nil, f.first+i)
			}
			n := min(len(piece), f.ends[i+1]-at)
			lanes.AppendAll(c.lane, nil, piece[:n])
			at, piece = at+n, piece[n:]
		}
	}
}

// adopt adds the items of a loop to the stream, when the loop is sealed.
//
//go:norace
func (s *Stream[T]) adopt(added lanes.Items) {
	f := &s.fill
	s.more(added.Len())
	f.sum()
	if len(s.items) > 0 {
		f.merge(added)
		return
	}
	if n := cap(s.items); n < added.Len() {
		s.items = make([]T, 0, max(added.Len(), n+n/4))
	}
	s.items = s.items[:added.Len()]
	added.CopyTo(elem.Data(s.items), added.Len())
	n := s.rows()
	s.offsets, f.ends = f.ends, s.offsets
	s.extend(n)
}

// extend gives the stream n rows, if it has fewer. The new rows have no items.
//
//go:norace
func (s *Stream[T]) extend(n int) {
	was := len(s.offsets)
	if n < was {
		return
	}
	s.offsets = slices.Grow(s.offsets, n+1-was)[:n+1]
	for i := was; i <= n; i++ {
		s.offsets[i] = s.offsets[was-1]
	}
}

// merge moves the items of the stream and those that were added into other memory, row by row.
//
//go:norace
func (f *filling[T]) merge(added lanes.Items) {
	s := f.of
	total := len(s.items) + added.Len()
	f.merging, f.merged = added, slices.Grow(s.spare[:0], total)[:total]
	s.extend(len(f.ends) - 1)
	f.divide()
	f.run(len(f.borders)-1, f.mergePart)
	if s.pointers {
		clear(s.items)
	}
	s.items, s.spare = f.merged, s.items[:0]
	for i := range s.offsets {
		s.offsets[i] = f.before(i)
	}
}

// before returns the number of items, old and added, before row i.
func (f *filling[T]) before(i int) int { return f.of.offsets[i] + f.ends[min(i, len(f.ends)-1)] }

// divide cuts the rows into parts of about equally many items. A part has as many rows as have at
// most partFor items together, and at least one row.
//
//go:norace
func (f *filling[T]) divide() {
	f.borders = append(f.borders[:0], 0)
	n := f.of.rows()
	for at := 0; at < n; {
		most := f.before(at) + partFor
		at++
		at += sort.Search(n-at, func(k int) bool { return f.before(at+k+1) > most })
		f.borders = append(f.borders, at)
	}
}

// mergeOne merges the rows of part k. In each row the added items come behind the old ones.
func (f *filling[T]) mergeOne(k int) {
	begin, end := f.borders[k], f.borders[k+1]
	s, last := f.of, len(f.ends)-1
	for i := begin; i < end; i++ {
		copy(f.merged[f.before(i):], row(s.items, s.offsets, i))
	}
	i := begin
	for at, piece := range lanes.Slices[T](f.merging, f.ends[min(begin, last)], f.ends[min(end, last)]) {
		for len(piece) > 0 {
			for f.ends[i+1] <= at {
				i++
			}
			n := min(len(piece), f.ends[i+1]-at)
			copy(f.merged[s.offsets[i+1]+at:], piece[:n]) // behind the old items of row i
			at, piece = at+n, piece[n:]
		}
	}
}
