package hashmap

import (
	"math/bits"
	"reflect"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/elem"
	"example.com/custody/internal/lanes"
)

// split is what the batches of a job have appended, divided into parts by the upper bits of a hash.
// Within a part the items are in the order of the sequential loop. So the parts can be worked on at
// the same time, each in memory that fits into a cache, with the result of the sequential loop.
//
// The items lie in spans of neighbours, in the order of the loop. One worker counts each span, and
// one scatters it; the counts tell where in each part the items of the span go. That is the
// partitioning of a radix join: Manegold, Boncz and Kersten, Optimizing Main-Memory Join on Modern
// Hardware (2002).
//
// Invariants:
//
//	(split.I1) items[starts[p*spans+s]:], up to where the next ones begin, are the items of part p
//	     and span s, in the order of the span.
//	(split.I2) In each pass one worker writes what belongs to a span or a part. Others read it after
//	     the pass.
type split struct {
	of       *splitter
	bits     uint // there are 1<<bits parts
	spans    int
	n        int
	numbers  []uint16 // the parts of the items, in the order of the loop
	items    ref      // part by part
	room     int      // of items
	hashes   []uint64 // of items, if they are kept
	logged   []uint64 // the same hashes, in the order of the loop
	starts   []uint32
	notes    []uint32 // of items: what the user of the part notes
	parallel func(n int, f func(k int))
	trim     struct{ numbers, items, notes, hashes, logged, starts atom.Trimmer }
}

const (
	spanItems = 1 << 15 // items of a span
	mostParts = 1 << 12
)

// splitter makes splits of a type of items, and keeps their memory as a Spares does.
type splitter struct {
	elem   *elem.Type
	strew  func(s *split, next []uint32, at int, piece ref, n int)
	spares atom.Spares[split]
}

// splitterOf returns a splitter of items of type E.
func splitterOf[E any]() splitter { return splitter{elem: elem.TypeOf[E](), strew: strew[E]} }

// scratches has, by type, the memory that all containers of the type share while they need it.
var scratches atom.Map

// scratch returns the memory of the type of a nil pointer. fresh makes it.
func scratch(p any, fresh func() any) any {
	of := reflect.TypeOf(p)
	s, ok := scratches.Load(of)
	if !ok {
		s, _ = scratches.LoadOrStore(of, fresh())
	}
	return s
}

// split divides items into so many parts, a power of two. hash writes the hashes of some items. If
// kept is set, the split keeps the hashes, so that they are not made twice. The notes are the
// positions of items in the order of the loop. There may be up to 2^31 items.
func (m *splitter) split(added lanes.Items, parallel func(n int, f func(k int)), parts int, hash hasher, kept bool) *split {
	s := m.spares.Take()
	if s == nil {
		s = &split{of: m}
	}
	s.n, s.parallel = added.Len(), parallel
	s.bits = uint(bits.Len(uint(parts - 1)))
	s.spans = (s.n-1)/spanItems + 1
	s.resize(parts, kept)
	s.parallel(s.spans, func(span int) { s.count(added, span, hash) })
	at := uint32(0)
	for i := range s.starts[:parts*s.spans] {
		n := s.starts[i]
		s.starts[i] = at
		at += n
	}
	s.starts[parts*s.spans] = at
	s.parallel(s.spans, func(span int) { s.scatter(added, span) })
	return s
}

// resize makes room for the items and the number of parts, and for hashes if kept is set.
func (s *split) resize(parts int, kept bool) {
	if !s.trim.items.Keeps(s.room, s.n) || s.room < s.n {
		s.items, s.room = s.of.elem.Make(s.n), s.n
	}
	s.numbers, s.notes = sized(&s.trim.numbers, s.numbers, s.n), sized(&s.trim.notes, s.notes, s.n)
	hashes := 0
	if kept {
		hashes = s.n
	}
	s.hashes, s.logged = sized(&s.trim.hashes, s.hashes, hashes), sized(&s.trim.logged, s.logged, hashes)
	s.starts = sized(&s.trim.starts, s.starts, parts*s.spans+1)
}

// give takes back a split that is no longer used. It clears items that may keep something alive.
func (m *splitter) give(s *split) {
	if m.elem.Holds {
		m.elem.Clear(s.items, s.n)
	}
	s.parallel = nil
	atom.Keep(&m.spares, s)
}

// span returns the bounds of a span.
func (s *split) span(k int) (lo, hi int) { return k * spanItems, min((k+1)*spanItems, s.n) }

// count writes the part of each item of a span to numbers, and how many each part gets to starts.
func (s *split) count(added lanes.Items, span int, hash hasher) {
	lo, hi := s.span(span)
	counts := make([]uint32, 1<<s.bits)
	var few [128]uint64
	added.Pieces(lo, hi, func(at int, piece ref, n int) {
		for i := 0; i < n; i += len(few) {
			hashes := few[:min(n-i, len(few))]
			if len(s.logged) > 0 {
				hashes = s.logged[at+i:][:len(hashes)]
			}
			hash(s.of.elem.At(piece, i), len(hashes), hashes)
			s.tally(at+i, hashes, counts)
		}
	})
	for p, n := range counts {
		s.starts[p*s.spans+span] = n
	}
}

// tally is count for neighbours from at on. The race detector need not see what is in a split.
//
//go:norace
func (s *split) tally(at int, hashes []uint64, counts []uint32) {
	numbers := s.numbers[at:][:len(hashes)]
	for i, h := range hashes {
		p := uint16(h >> (64 - s.bits))
		numbers[i] = p
		counts[p]++
	}
}

// next returns, for each part, the index in items where the first item of a span goes.
func (s *split) next(span int) []uint32 {
	at := make([]uint32, 1<<s.bits)
	for p := range at {
		at[p] = s.starts[p*s.spans+span]
	}
	return at
}

// scatter copies the items of a span to their parts.
func (s *split) scatter(added lanes.Items, span int) {
	lo, hi := s.span(span)
	next := s.next(span)
	added.Pieces(lo, hi, func(at int, piece ref, n int) { s.of.strew(s, next, at, piece, n) })
}

// strew is scatter for n neighbours from at on.
//
//go:norace
func strew[E any](s *split, next []uint32, at int, piece ref, n int) {
	items, from, kept := elem.Slice[E](s.items, s.n), elem.Slice[E](piece, n), len(s.logged) > 0
	for i, p := range s.numbers[at:][:len(from)] {
		k := next[p]
		next[p] = k + 1
		items[k], s.notes[k] = from[i], uint32(at+i)
		if kept {
			s.hashes[k] = s.logged[at+i]
		}
	}
}

// hasher writes the hashes of n items.
type hasher func(items ref, n int, hashes []uint64)

// bounds returns where the items of a part begin and end.
func (s *split) bounds(part int) (begin, end int) {
	return int(s.starts[part*s.spans]), int(s.starts[(part+1)*s.spans])
}

// firstNote is set in the notes of items that replay visits.
const firstNote = 1

// replay visits the items whose notes have firstNote set. It calls first with the number of these
// items. Then it calls put for each: with its position among them in the order of the loop, its
// part and its note. Spans are visited in parallel, and the items of a span in order.
func (s *split) replay(first func(n int), put func(i, part int, note uint32)) {
	counts := make([]int, s.spans+1)
	s.parallel(s.spans, func(span int) { counts[span] = s.firsts(span) })
	total := 0
	for i, n := range counts {
		counts[i] = total
		total += n
	}
	first(total)
	s.parallel(s.spans, func(span int) {
		i, end := counts[span], counts[span+1]
		if i == end {
			return
		}
		lo, hi := s.span(span)
		next := s.next(span)
		for _, p := range s.numbers[lo:hi] {
			k := next[p]
			next[p] = k + 1
			if x := s.notes[k]; x&firstNote != 0 {
				put(i, int(p), x)
				if i++; i == end {
					return
				}
			}
		}
	})
}

// firsts returns how many items of a span replay visits.
//
//go:norace
func (s *split) firsts(span int) int {
	n := uint32(0)
	for p := range 1 << s.bits {
		for _, x := range s.notes[s.starts[p*s.spans+span]:s.starts[p*s.spans+span+1]] {
			n += x & firstNote
		}
	}
	return int(n)
}

// sized returns a slice of n elements, whose values mean nothing. It returns s if s has room for n
// elements and trim keeps it.
func sized[T any](trim *atom.Trimmer, s []T, n int) []T {
	if !trim.Keeps(cap(s), n) || cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
