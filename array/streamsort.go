package array

import (
	"math"
	"strconv"

	"example.com/custody/internal/amount"
	"example.com/custody/internal/lanes"
	"example.com/custody/internal/word"
	"example.com/custody/safety"
)

// grouping is what one loop adds to the rows of a stream by key, and the counting sort that puts it
// there. The items are cut into parts of equal length, in the order of the sequential loop. One
// worker counts the keys of a part, and one copies its items. The sums of the counts tell where in
// each row the items of the part go.
//
//	(grouping.I1) Row p+1 of the counts has first the number of items of each key in part p, and
//	     then in the parts up to p. Row 0 has zeros. So row p is then the number of items in the
//	     parts before p; the last row is that in all parts.
//	(grouping.I2) When its items are copied, row p has the places of the next items of part p. So
//	     one worker writes what belongs to a part in each pass, and others read it after the pass.
//	     If there is one part, row 0 is also row 1, and has both.
type grouping[T any] struct {
	of      *Stream[T]
	lanes   lanes.Lanes // of keyed items
	from    lanes.Lanes // of sources
	log     lanes.Items // at the seal: what lanes have
	sources []source[T] // at the seal: if there are any, the log is empty
	total   int         // the number of items
	parts   int
	counts  []uint32                   // parts+1 rows of a number for each key
	wrong   []int                      // for each part: the first item whose key there is not, or none
	workers int                        // of the loop
	run     func(n int, f func(k int)) // at the seal: calls f for n parts in parallel

	countPart, putPart func(k int) // made once
}

const (
	partLeast   = 1 << 14                      // items for which a worker is asked to help
	mostGrouped = math.MaxUint32 & math.MaxInt // items, and keys in lanes: they have 32 bits
)

// grouped returns the grouping of the stream, which the first loop that adds by key makes.
func (s *Stream[T]) grouped() *grouping[T] {
	if s.group == nil {
		g := &grouping[T]{of: s}
		g.countPart, g.putPart = g.countOne, g.putOne
		s.group = g
	}
	return s.group
}

// seal adds the items of a loop to the stream.
func (g *grouping[T]) seal(p *safety.Phase) {
	g.run, g.workers = p.Parallel, p.Workers
	defer g.forget()
	g.from.Seal(p, g.gather)
	g.lanes.Seal(p, g.add)
}

// forget drops references that only a seal needs.
func (g *grouping[T]) forget() {
	clear(g.sources)
	g.sources, g.log, g.run = g.sources[:0], lanes.Items{}, nil
}

// bytes returns the size in bytes of the memory that is kept for the next loop. g may be nil.
func (g *grouping[T]) bytes() int {
	if g == nil {
		return 0
	}
	arrays := word.Bytes(g.sources) + word.Bytes(g.counts) + word.Bytes(g.wrong)
	return g.lanes.Bytes() + g.from.Bytes() + arrays
}

// gather keeps the sources until their items are copied.
func (g *grouping[T]) gather(added lanes.Items) {
	for _, piece := range lanes.Slices[source[T]](added, 0, added.Len()) {
		g.sources = append(g.sources, piece...)
	}
}

// add adds the items of the sources, or of the log if there are no sources.
func (g *grouping[T]) add(added lanes.Items) {
	total := added.Len()
	if len(g.sources) > 0 && total > 0 {
		of := &g.of.guard
		panic(of.Violation(safety.ErrArgument, "a job has added items to "+of.Container()+" by Add and others from arrays",
			"Have one job add the ones, and a job after it the others."))
	}
	for i := range g.sources {
		from := &g.sources[i]
		from.before = total
		total = amount.Sum(total, from.end-from.begin)
	}
	if total == 0 {
		return
	}
	g.log = added
	g.room(total)
	g.run(g.parts, g.countPart)
	for _, i := range g.wrong {
		if i != none {
			panic(g.refuse(i))
		}
	}
	g.place()
	g.run(g.parts, g.putPart)
}

// divide returns the number of parts of so many items. One worker sums the counts of all parts and
// keys. That takes about as long as the others need for their parts where the square of the number
// of parts is twice the number of items for each key.
func (g *grouping[T]) divide(total int) (parts int) {
	most, square := min(g.workers, total/partLeast), 2*total/max(g.of.rows(), 1)
	for parts = 1; parts < most && (parts+1)*(parts+1) <= square; {
		parts++
	}
	return parts
}

// room makes counts for so many items. It panics with a violation if the stream cannot have so many
// more.
func (g *grouping[T]) room(total int) {
	s := g.of
	s.more(total)
	if n := amount.Sum(len(s.items), total); n > mostGrouped {
		v := s.guard.Violation(safety.ErrLength, s.guard.Container()+" was to have "+strconv.Itoa(n)+" items, of which some were added by key",
			"A stream to which items are added by key has at most "+strconv.Itoa(mostGrouped)+".")
		v.N = n
		panic(v)
	}
	parts := g.divide(total)
	g.total, g.parts = total, parts
	n := s.rows()
	if parts > 1 {
		n *= parts + 1
	}
	if cap(g.counts) < n {
		g.counts = make([]uint32, n+n/8)
	}
	if cap(g.wrong) < parts {
		g.wrong = make([]int, parts)
	}
	g.wrong = g.wrong[:parts]
}

// row returns row k of the counts (grouping.I1).
func (g *grouping[T]) row(k int) []uint32 {
	keys := g.of.rows()
	if g.parts == 1 {
		k = 0
	}
	return g.counts[k*keys : (k+1)*keys]
}

// part returns the bounds lo <= i < hi of the items of part k.
func (g *grouping[T]) part(k int) (lo, hi int) {
	size := (g.total-1)/g.parts + 1
	return min(k*size, g.total), min((k+1)*size, g.total)
}

// countOne counts the keys of part k.
func (g *grouping[T]) countOne(k int) {
	counts := g.row(k + 1)
	clear(counts)
	if k == 1 {
		clear(g.row(0))
	}
	g.wrong[k] = none
	lo, hi := g.part(k)
	if len(g.sources) == 0 {
		for _, piece := range lanes.Slices[keyed[T]](g.log, lo, hi) {
			for i := range piece {
				counts[piece[i].key]++
			}
		}
	}
	for i := range g.sources {
		from := &g.sources[i]
		if begin, end := from.among(lo, hi); begin < end {
			if at := from.keys.count(counts, begin, end); at != none {
				g.wrong[k] = from.before + at - from.begin
				return
			}
		}
	}
}

// place makes room in the rows behind the items that they have, and sums the counts.
func (g *grouping[T]) place() {
	for k := 2; k <= g.parts; k++ {
		before := g.row(k - 1)
		row := g.row(k)[:len(before)]
		for key, n := range before {
			row[key] += n
		}
	}
	g.of.widen(g.row(g.parts), g.total)
}

// widen adds room for counts[i] items behind those of each row i, total in all. The caller sets
// them.
func (s *Stream[T]) widen(counts []uint32, total int) {
	was := len(s.items)
	s.lengthen(total)
	if was == 0 {
		ends(s.offsets[1:], counts)
		return
	}
	end := was + total
	for i := len(counts) - 1; i >= 0; i-- { // from the last on, so that no row is moved over another
		at, begin := end-int(counts[i]), s.offsets[i]
		s.offsets[i+1] = end
		end = at - (was - begin)
		copy(s.items[end:at], s.items[begin:was])
		was = begin
	}
}

// ends sets to[i] to the sum of the counts up to i.
func ends[N int | uint32](to []int, counts []N) {
	to = to[:len(counts)]
	at := 0
	for i, n := range counts {
		at += int(n)
		to[i] = at
	}
}

// putOne copies the items of part k to their rows (grouping.I2).
func (g *grouping[T]) putOne(k int) {
	totals, next := g.row(g.parts), g.row(k)
	items, ends := g.of.items, g.of.offsets[1:][:len(totals)]
	if g.parts == 1 {
		next = totals
		for key, end := range ends {
			next[key] = uint32(end) - next[key]
		}
	} else {
		next = next[:len(totals)]
		for key, end := range ends {
			next[key] += uint32(end) - totals[key]
		}
	}
	lo, hi := g.part(k)
	if len(g.sources) == 0 {
		for _, piece := range lanes.Slices[keyed[T]](g.log, lo, hi) {
			for i := range piece {
				e := &piece[i]
				at := next[e.key]
				next[e.key] = at + 1
				items[at] = e.val
			}
		}
	}
	for i := range g.sources {
		from := &g.sources[i]
		if begin, end := from.among(lo, hi); begin < end {
			from.keys.put(items, next, from.values, begin, end)
		}
	}
}
