package lanes

import (
	"example.com/custody/internal/amount"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/elem"
	"example.com/custody/internal/pad"
	"example.com/custody/internal/word"
	"example.com/custody/safety"
)

// Lane is lane.Lane without its type.
type Lane struct {
	_        pad.Bytes
	buf      elem.Pointer // the current chunk; nil if there is none, and outside phases
	n, cap   int          // of the current chunk: how many items it has, and how many it has room for
	at       int          // number of the current chunk
	before   int          // number of items in the chunks before it
	chunks   []chunk      // those behind the current one are left from earlier phases, and empty
	spans    []span
	open     bool         // a phase is open
	inDest   bool         // the first chunk is the destination
	borrowed bool         // AvailableBuffer was called: values may lie behind the last item
	lent     elem.Pointer // what it has lent last, in builds with the race detector
	lentAt   int          // the number of items then
	usual    int          // least length of the first chunk, since Items.Take gave up earlier ones
	of       *Lanes       // the lanes that it belongs to
	nested   *Lanes       // lanes of nested jobs, which run one at a time; nil before the first
	witness  *atom.Mark   // written by every Append, for the race detector; one for each span
	partial  elem.Pointer // the partial result of the current span; nil before the first Partial
	Memo     elem.Pointer // what the container keeps for the worker until the phase ends
	Rest     int          // a number of it
	_        pad.Bytes
}

// chunk is memory for n items.
type chunk struct {
	p elem.Pointer
	n int
}

// span is where a span begins. It ends where the next one begins.
type span struct {
	first int // its first batch
	begin place
}

// place is the place of an item in a lane.
type place struct{ chunk, item int }

// BeginSpan is BeginSpan of a lane.Lane.
//
//go:norace
func (l *Lane) BeginSpan(batch int) {
	if l == nil {
		panic(safety.NewViolation(safety.ErrArgument,
			"a span of batches began in a view that has no lane",
			"A view that appends to a lane takes it when it is bound: its Bind calls lane.Of, "+
				"or the Lane of its container's Lanes."))
	}
	k := len(l.spans)
	if k > 0 && l.spans[k-1].first == batch {
		return
	}
	l.partial = nil
	if batch == 0 && l.buf == nil && l.of.dest.n > 0 {
		l.enterDest()
	} else if l.inDest && l.at == 0 {
		l.leaveDest()
	}
	if k == 0 || l.spans[k-1].begin != l.end() {
		l.spans = append(l.spans, span{})
		k++
	}
	l.spans[k-1] = span{batch, l.end()} // replaces a span that began at this place, and is empty
	if atom.Race {
		l.witness = new(atom.Mark)
	}
}

// Len is Len of a lane.Lane.
func (l *Lane) Len() int { return l.before + l.n }

// Next appends an item, and returns where the caller writes it. In all else it is Append of a
// lane.Lane.
//
//go:norace
func (l *Lane) Next(by *safety.Hold) elem.Pointer {
	if safety.Strict && by != nil {
		by.Check()
	}
	if l == nil {
		panic(stale(by))
	}
	if l.n == l.cap {
		l.grow(by)
	}
	if atom.Race {
		l.witness.Write()
	}
	l.n++
	return l.of.Elem.At(l.buf, l.n-1)
}

// Last is Last of a lane.Lane.
//
//go:norace
func (l *Lane) Last() elem.Pointer {
	k := len(l.spans)
	switch {
	case k == 0 || l.spans[k-1].begin == l.end():
		return nil
	case l.n == 0: // AvailableBuffer has made the next chunk current
		if c := l.chunks[l.at-1]; l.spans[k-1].begin != (place{l.at - 1, c.n}) {
			return l.of.Elem.At(c.p, c.n-1)
		}
		return nil
	}
	return l.of.Elem.At(l.buf, l.n-1)
}

// room returns where the next items go, and for how many of n that place has room.
//
//go:norace
func (l *Lane) room(by *safety.Hold, n int) (elem.Pointer, int) {
	l.Check(by)
	if most := l.of.Elem.Most - l.Len(); n > most {
		panic(amount.Added(by, n, most, "item"))
	}
	return l.filled(by, 0, n)
}

// filled notes that n items were written at the place that room or filled has returned. It returns
// where the next of the rest go, and for how many that place has room.
//
//go:norace
func (l *Lane) filled(by *safety.Hold, n, rest int) (elem.Pointer, int) {
	l.n += n
	if rest == 0 {
		return nil, 0
	}
	if l.n == l.cap {
		l.grow(by)
	}
	return l.of.Elem.At(l.buf, l.n), min(rest, l.cap-l.n)
}

// AppendItems appends n items that lie at src.
//
//go:norace
func (l *Lane) AppendItems(src elem.Pointer, n int) {
	p, k := l.room(nil, n)
	if atom.Race {
		l.witness.Write()
	}
	for ; k > 0; p, k = l.filled(nil, k, n) {
		l.of.Elem.Move(p, src, k)
		if n -= k; n > 0 {
			src = l.of.Elem.At(src, k)
		}
	}
}

// available makes room for Available.
//
//go:norace
func (l *Lane) available(by *safety.Hold) {
	l.Check(by)
	if l.n == l.cap {
		l.grow(by)
	}
}

// Check panics if no phase of the lane is open, or if the view is unbound: its lane is nil. In
// strict builds it also panics if the view, whose hold is by, must not be used now.
//
//go:norace
func (l *Lane) Check(by *safety.Hold) {
	if safety.Strict && by != nil {
		by.Check()
	}
	if l == nil || !l.open {
		panic(stale(by))
	}
}

// stale returns the violation of a use outside the job of the view whose hold is by.
func stale(by *safety.Hold) error {
	if by != nil {
		return by.Stale()
	}
	return safety.NewViolation(safety.ErrStaleView, "a lane was appended to outside its phase",
		"Append between Open and Seal, inside the batches of the job.")
}

// grow makes the next chunk current, because the current one is full or there is none. The chunk is
// one of an earlier phase or, if there is none, new: with no more places than there can be items.
// grow panics outside phases, before the first span, and if the lane has as many as there can be.
//
//go:norace
func (l *Lane) grow(by *safety.Hold) {
	if !l.open {
		panic(stale(by))
	}
	if len(l.spans) == 0 {
		panic(safety.NewViolation(safety.ErrArgument,
			"an item was appended to a lane before a span had begun, so it would have no place in the order",
			"A view that appends to a lane implements safety.SpanView: its BeginSpan calls the lane's."))
	}
	rest := l.of.Elem.Most - l.Len()
	if rest == 0 {
		panic(amount.Added(by, 1, 0, "item"))
	}
	if l.buf != nil {
		l.before += l.n
		l.at++
	}
	if l.at == len(l.chunks) {
		n := max(l.usual, l.of.chunkLen(0))
		if l.at > 1 || l.at > 0 && !l.inDest {
			n = l.of.chunkLen(l.chunks[l.at-1].n)
		}
		l.chunks = append(l.chunks, l.of.chunk(min(n, rest)))
	}
	l.enter(l.chunks[l.at])
}

// enter makes a chunk without items the current one.
//
//go:norace
func (l *Lane) enter(c chunk) { l.buf, l.n, l.cap = c.p, 0, c.n }

// end returns the place behind the last item, which may be the start of the next chunk (see sort).
func (l *Lane) end() place { return place{l.at, l.n} }

// bounds returns where the k-th span begins and ends.
func (l *Lane) bounds(k int) (begin, end place) {
	if k+1 < len(l.spans) {
		return l.spans[k].begin, l.spans[k+1].begin
	}
	return l.spans[k].begin, l.end()
}

// length returns the number of items from begin to end, which is not before begin.
func (l *Lane) length(begin, end place) int {
	n := end.item - begin.item
	for c := begin.chunk; c < end.chunk; c++ {
		n += l.chunks[c].n // full (I2)
	}
	return n
}

// pieces calls f with the pieces of the k-th span that are not empty, in order, until f returns
// false.
func (l *Lane) pieces(k int, f func(p elem.Pointer, n int) bool) {
	at, end := l.bounds(k)
	for at != end {
		c, from := l.chunks[at.chunk], at.item
		n := c.n - from
		if at.chunk < end.chunk {
			at = place{at.chunk + 1, 0}
		} else {
			n, at = end.item-from, end
		}
		if n > 0 && !f(l.of.Elem.At(c.p, from), n) {
			return
		}
	}
}

// inner returns the lanes for a nested job. Later nested jobs use them again, except with the race
// detector, which sees no order between the batches that schedule the jobs.
//
//go:norace
func (l *Lane) inner() *Lanes {
	if l.nested == nil || atom.Race {
		l.nested = &Lanes{Elem: l.of.Elem, shared: l.of.shared}
	}
	return l.nested
}

// wipe ends the lane's phase. It clears the items if holds is true: they may keep memory alive
// (I4). It drops the chunks if taken is true: they have another owner. A second wipe does nothing:
// Seal may wipe the lanes in parallel before end does.
//
//go:norace
func (l *Lane) wipe(holds, taken bool) {
	if l.inDest {
		l.returnDest(holds)
	}
	if taken {
		if l.buf != nil {
			l.usual = l.of.chunkFor(l.length(place{}, l.end()))
		}
		l.chunks = nil
	} else if holds && l.buf != nil {
		for _, c := range l.chunks[:l.at] {
			l.of.Elem.Clear(c.p, c.n)
		}
		if l.borrowed {
			l.n = l.cap
		}
		l.of.Elem.Clear(l.buf, l.n)
	}
	l.open, l.borrowed, l.lent, l.Memo, l.Rest = false, false, nil, nil, 0
	l.enter(chunk{})
	l.at, l.before = 0, 0
	l.spans = l.spans[:0]
	l.witness, l.partial = nil, nil
}

// bytes returns the size of the lane in bytes, with the lanes of nested jobs.
//
//go:norace
func (l *Lane) bytes() int {
	n := amount.Size[Lane]() + word.Bytes(l.chunks) + word.Bytes(l.spans)
	for _, c := range l.chunks {
		n += c.n * int(l.of.Elem.Size)
	}
	if l.nested != nil {
		n += amount.Size[Lanes]() + l.nested.Bytes()
	}
	return n
}
