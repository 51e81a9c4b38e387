package ecs

import "sort"

// query is which chunks of a world a system's loop is over. It changes only when the world has (I1).
type query struct {
	world     *World
	all, none set  // chunks have all of these parts, and none of those
	filtered  bool // the indices of the loop are chunks, and not entities
	shape     int  // the world's, when the chunks were looked up
	chunks    []int
	starts    []int    // by position in chunks: the index of its first entity; and at the end, how many entities there are
	passed    []uint32 // by position in chunks: the version of the last run that did not skip it
}

// revise looks up the chunks, unless they are known. It allocates only when there are more than ever.
func (q *query) revise() {
	if q.shape == q.world.shape && q.starts != nil {
		return
	}
	q.shape = q.world.shape
	q.chunks, q.starts, q.passed = q.chunks[:0], append(q.starts[:0], 0), q.passed[:0]
	n := 0
	for k, c := range q.world.chunks {
		if c.parts&q.all == q.all && c.parts&q.none == 0 {
			n += c.rows
			q.chunks, q.starts, q.passed = append(q.chunks, k), append(q.starts, n), append(q.passed, never)
		}
	}
}

// entities returns how many entities there are.
func (q *query) entities() int { return q.starts[len(q.chunks)] }

// len returns how many indices the loop has.
func (q *query) len() int {
	switch {
	case q.starts == nil: // the system was not scheduled yet
		return 0
	case q.filtered:
		return len(q.chunks)
	}
	return q.entities()
}

// pieces is the way through a range of a loop's indices, piece by piece: a piece is as many neighbouring rows of one chunk as the range
// has there. Between two calls of next it is at one.
//
//	for p := q.pieces(); r.Next(); {
//		for p.reset(r.Begin(), r.End()); p.next(); {
//			... rows [p.from, p.to) of the chunk ...
//		}
//	}
type pieces struct {
	q          *query
	at         int // the position of the next piece's chunk
	todo, stop int // the indices [todo, stop) are still to come

	chunk, from, to int // the rows [from, to) of the chunk
	position        int // of the chunk in the query
	begin, end      int // their indices
}

func (q *query) pieces() pieces { return pieces{q: q} }

// reset goes to the indices [begin, end). Mostly they are where the last ones were, or in the chunk behind.
func (p *pieces) reset(begin, end int) {
	p.todo, p.stop = begin, end
	if p.q.filtered {
		p.at = begin
		return
	}
	starts := p.q.starts
	if p.at >= len(p.q.chunks) || begin < starts[p.at] || begin >= starts[p.at+1] {
		p.at = sort.SearchInts(starts, begin+1) - 1
	}
}

// next goes to the next piece, if there is one.
func (p *pieces) next() bool {
	if p.todo >= p.stop {
		return false
	}
	first, behind := p.q.starts[p.at], p.q.starts[p.at+1]
	p.chunk, p.position, p.begin = p.q.chunks[p.at], p.at, p.todo
	if p.q.filtered {
		p.from, p.to, p.end = 0, behind-first, p.todo+1
	} else {
		p.end = min(behind, p.stop)
		p.from, p.to = p.begin-first, p.end-first
	}
	p.todo = p.end
	if p.q.filtered || p.end == behind {
		p.at++
	}
	return true
}
