package hashmap

import (
	"math/bits"
	"reflect"

	"example.com/custody/internal/atom"
	"example.com/custody/lane"
)

// split is what the batches of a job have appended, put into parts by the upper bits of a hash. Within a part it is in the order of the
// sequential loop. So each part can be worked on by somebody else, in memory that fits into a cache, with the result of
// the sequential loop.
//
// The items lie in spans of neighbours, in the order of the loop. Each span is counted, and then scattered, by one worker; where in
// each part its items go is known from the counts. That is the partitioning of a radix join: Manegold, Boncz and Kersten, Optimizing
// Main-Memory Join on Modern Hardware (2002).
//
// Invariants:
//
//	(I1) items[starts[p*spans+s]:] are those of part p and span s, up to where the next ones begin, in the order of the span.
//	(I2) Each pass is made by one worker for a span or a part, and read by others when it has ended.
type split[E any] struct {
	bits     uint // there are 1<<bits parts
	spans    int
	n        int
	numbers  []uint16 // of the parts of the items, in the order of the loop
	items    []E      // part by part
	hashes   []uint64 // of items, if they were to be kept
	logged   []uint64 // the same in the order of the loop
	starts   []uint32
	notes    []uint32 // of items, what their parts want to have said of them
	parallel func(n int, f func(k int))
	trim     struct{ numbers, items, notes, hashes, logged, starts atom.Trimmer }
}

const (
	spanItems = 1 << 15 // items of a span
	mostParts = 1 << 12
)

// splitter makes splits, and keeps their memory until the garbage collector wants it.
type splitter[E any] struct{ spares atom.Spares[split[E]] }

// scratches has the memory that all containers of a type share which need it for a while: one of each type.
var scratches atom.Map

// scratchOf returns the one of a type.
func scratchOf[S any]() *S {
	key := reflect.TypeFor[S]()
	s, ok := scratches.Load(key)
	if !ok {
		s, _ = scratches.LoadOrStore(key, new(S))
	}
	return s.(*S)
}

// split puts items into so many parts, a power of two. hash writes the hashes of some items; they are kept for the items where
// they are needed again and take long to make. With indexed the notes say where in the order of the loop items are. More than 2^31 items
// are too many.
func (m *splitter[E]) split(added lane.Items[E], parallel func(n int, f func(k int)), parts int, hash func(items []E, hashes []uint64), kept, indexed bool) *split[E] {
	s := m.spares.Take()
	if s == nil {
		s = new(split[E])
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
	s.parallel(s.spans, func(span int) { s.scatter(added, span, indexed) })
	return s
}

// resize makes room for the items and the number of parts, and for hashes if kept is set.
func (s *split[E]) resize(parts int, kept bool) {
	s.numbers, s.items, s.notes = sized(&s.trim.numbers, s.numbers, s.n), sized(&s.trim.items, s.items, s.n), sized(&s.trim.notes, s.notes, s.n)
	hashes := 0
	if kept {
		hashes = s.n
	}
	s.hashes, s.logged = sized(&s.trim.hashes, s.hashes, hashes), sized(&s.trim.logged, s.logged, hashes)
	s.starts = sized(&s.trim.starts, s.starts, parts*s.spans+1)
}

// give takes back a split that nobody uses any more. Its items are cleared if they may keep something alive.
func (m *splitter[E]) give(s *split[E], holds bool) {
	if holds {
		clear(s.items)
	}
	s.parallel = nil
	m.spares.Give(s)
}

// span returns the bounds of a span.
func (s *split[E]) span(k int) (lo, hi int) { return k * spanItems, min((k+1)*spanItems, s.n) }

// count writes to which parts the items of a span belong, and how many there are in each.
func (s *split[E]) count(added lane.Items[E], span int, hash func(items []E, hashes []uint64)) {
	lo, hi := s.span(span)
	counts := make([]uint32, 1<<s.bits)
	var few [128]uint64
	for at, piece := range added.Slices(lo, hi) {
		for len(piece) > 0 {
			hashes := few[:min(len(piece), len(few))]
			if len(s.logged) > 0 {
				hashes = s.logged[at:][:len(hashes)]
			}
			hash(piece[:len(hashes)], hashes)
			numbers := s.numbers[at:][:len(hashes)]
			for i, h := range hashes {
				p := uint16(h >> (64 - s.bits))
				numbers[i] = p
				counts[p]++
			}
			piece, at = piece[len(hashes):], at+len(hashes)
		}
	}
	for p, n := range counts {
		s.starts[p*s.spans+span] = n
	}
}

// next returns where the items of a span go, by part.
func (s *split[E]) next(span int) []uint32 {
	at := make([]uint32, 1<<s.bits)
	for p := range at {
		at[p] = s.starts[p*s.spans+span]
	}
	return at
}

// scatter puts the items of a span where they belong.
func (s *split[E]) scatter(added lane.Items[E], span int, indexed bool) {
	lo, hi := s.span(span)
	next, items, kept := s.next(span), s.items, len(s.logged) > 0
	for at, piece := range added.Slices(lo, hi) {
		numbers := s.numbers[at:][:len(piece)]
		for i, p := range numbers {
			k := next[p]
			next[p] = k + 1
			items[k] = piece[i]
			if kept {
				s.hashes[k] = s.logged[at+i]
			}
			if indexed {
				s.notes[k] = uint32(at + i)
			}
		}
	}
}

// bounds returns where the items of a part begin and end.
func (s *split[E]) bounds(part int) (begin, end int) {
	return int(s.starts[part*s.spans]), int(s.starts[(part+1)*s.spans])
}

// firstNote is set in the notes of items that replay comes to.
const firstNote = 1

// replay calls first with the number of items whose notes have firstNote set, and then put with each of them, its part, its note, and
// how many of them come before it in the order of the loop; in that order within a span, and in parallel.
func (s *split[E]) replay(first func(n int), put func(i, part int, note uint32)) {
	counts := make([]int, s.spans+1)
	s.parallel(s.spans, func(span int) {
		n := uint32(0)
		for p := range 1 << s.bits {
			for _, x := range s.notes[s.starts[p*s.spans+span]:s.starts[p*s.spans+span+1]] {
				n += x & firstNote
			}
		}
		counts[span] = int(n)
	})
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

// sized returns a slice of n elements, whose values mean nothing. It returns s if s has room for n
// elements and trim keeps it.
func sized[T any](trim *atom.Trimmer, s []T, n int) []T {
	if !trim.Keeps(cap(s), n) || cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
