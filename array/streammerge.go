package array

import (
	"slices"
	"sort"

	"example.com/custody/internal/elem"
	"example.com/custody/internal/lanes"
)

// splice appends the items of a nested loop, when it is sealed, to the rows of the body's batch.
func (f *filling) splice(items lanes.Items) {
	f.sum()
	c, i := f.parent, 0
	items.Pieces(0, items.Len(), func(at int, p elem.Pointer, n int) {
		for done := 0; done < n; {
			for f.ends[i+1] <= at+done {
				i++
			}
			if f.first+i != c.row {
				c.turn(nil, f.first+i)
			}
			k := min(n-done, f.ends[i+1]-at-done)
			c.lane.AppendItems(f.lanes.Elem.At(p, done), k)
			done += k
		}
	})
}

// adopt adds the items of a loop to the stream, when the loop is sealed.
//
//go:norace
func (s *Stream[T]) adopt(added lanes.Items) {
	f := &s.fill
	s.more(added.Len())
	f.sum()
	if len(s.items) > 0 {
		s.merge(added)
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

// merging is how the items that a loop has appended come to those of the rows.
type merging[T any] struct {
	added   lanes.Items
	to      []T
	borders []int       // the rows at which the parts begin
	part    func(k int) // mergeOne, made once
}

// merge moves the items of the stream and those that were added into other memory, row by row.
//
//go:norace
func (s *Stream[T]) merge(added lanes.Items) {
	m, total := &s.merging, len(s.items)+added.Len()
	m.added, m.to = added, slices.Grow(s.spare[:0], total)[:total]
	s.extend(len(s.fill.ends) - 1)
	s.divide()
	s.fill.run(len(m.borders)-1, m.part)
	if s.fill.lanes.Elem.Holds {
		clear(s.items)
	}
	s.items, s.spare = m.to, s.items[:0]
	m.added, m.to = lanes.Items{}, nil
	for i := range s.offsets {
		s.offsets[i] = s.before(i)
	}
}

// before returns the number of items, old and added, before row i.
func (s *Stream[T]) before(i int) int { return s.offsets[i] + s.fill.ends[min(i, len(s.fill.ends)-1)] }

// divide cuts the rows into parts of about equally many items. A part has as many rows as have at
// most partFor items together, and at least one row.
//
//go:norace
func (s *Stream[T]) divide() {
	borders := append(s.merging.borders[:0], 0)
	n := s.rows()
	for at := 0; at < n; {
		most := s.before(at) + partFor
		at++
		at += sort.Search(n-at, func(k int) bool { return s.before(at+k+1) > most })
		borders = append(borders, at)
	}
	s.merging.borders = borders
}

// mergeOne merges the rows of part k. In each row the added items come behind the old ones.
func (s *Stream[T]) mergeOne(k int) {
	m, ends := &s.merging, s.fill.ends
	begin, end := m.borders[k], m.borders[k+1]
	last := len(ends) - 1
	for i := begin; i < end; i++ {
		copy(m.to[s.before(i):], row(s.items, s.offsets, i))
	}
	i := begin
	for at, piece := range lanes.Slices[T](m.added, ends[min(begin, last)], ends[min(end, last)]) {
		for len(piece) > 0 {
			for ends[i+1] <= at {
				i++
			}
			n := min(len(piece), ends[i+1]-at)
			copy(m.to[s.offsets[i+1]+at:], piece[:n]) // behind the old items of row i
			at, piece = at+n, piece[n:]
		}
	}
}
