package lane

import (
	"reflect"

	"example.com/custody/internal/amount"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/pad"
	"example.com/custody/internal/word"
	"example.com/custody/safety"
)

// Lane is what one worker of a job appends to. A view's Bind gets it from [Of], its BeginSpan calls
// the lane's, and its Claim names it as Into, so that a nested job appends to it too. All views of
// one container in one job share the worker's lane, so their items are in program order.
//
// A Lane belongs to its [Lanes] and must not be copied. Only its worker uses it, inside batches. An
// unbound view has a nil lane: the methods that append report it as a stale view.
// Append, AppendAll, Partial, AvailableBuffer: lane; wait-free; O(items); allocates chunks.
// BeginSpan: lane; wait-free; O(1); allocates growth.
// TryAppend, Last, Len: lane; wait-free; O(1); allocates never.
type Lane[T any] struct {
	_        pad.Bytes
	buf      []T   // the items of the current chunk; nil if there is none, and outside phases
	at       int   // number of the current chunk
	before   int   // number of items in the chunks before it
	chunks   [][]T // those behind the current one are left from earlier phases, and empty
	spans    []span
	open     bool       // a phase is open
	inDest   bool       // the first chunk is the destination
	borrowed bool       // AvailableBuffer was called: values may lie behind the last item
	usual    int        // least length of the first chunk, since Items.Take gave up earlier ones
	of       *Lanes[T]  // the lanes that it belongs to
	nested   *Lanes[T]  // lanes of nested jobs, which run one at a time; nil before the first
	witness  *atom.Mark // written by every Append, for the race detector; one for each span
	partial  *T         // the partial result of the current span; nil before the first Partial
	_        pad.Bytes
}

// span is where a span begins. It ends where the next one begins.
type span struct {
	first int // its first batch
	begin place
}

// place is the place of an item in a lane.
type place struct{ chunk, item int }

// BeginSpan begins a span at the given batch. It does nothing if another view of the container has
// begun that span. A view's BeginSpan calls it.
//
//go:norace
func (l *Lane[T]) BeginSpan(batch int) {
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
	if batch == 0 && l.buf == nil && l.of.dest != nil {
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

// Append appends v. by is the hold of the view, or nil if there is no view. An unbound view is a
// violation that names the container. So is a view that was kept after its job, if no job appends
// to the container now. Strict builds report every view that was kept after its job or its batch.
// So the view's method needs no checks of its own.
//
// Cost: a call, a comparison and a store, about 2 ns. Append itself is not inlined, so that the
// view's method that calls it is: a loop pays for one call. It allocates in the first phases only.
//
//go:norace
func (l *Lane[T]) Append(by *safety.Hold, v T) {
	if safety.Strict && by != nil {
		by.Check()
	}
	if l == nil {
		panic(stale(by))
	}
	if k := len(l.buf); k < cap(l.buf) {
		if atom.Race {
			l.witness.Write()
		}
		l.buf = l.buf[:k+1]
		l.buf[k] = v
		return
	}
	l.grow(by)
	l.Append(nil, v)
}

// TryAppend appends v if the current chunk has room, and reports whether it did. It does not check
// the view. TryAppend can be inlined into a view's method that is not.
//
//go:norace
func (l *Lane[T]) TryAppend(v T) bool {
	k := len(l.buf)
	if k == cap(l.buf) {
		return false
	}
	if atom.Race {
		l.witness.Write()
	}
	l.buf = l.buf[:k+1]
	l.buf[k] = v
	return true
}

// Len returns the number of items that the worker has appended in this phase.
func (l *Lane[T]) Len() int { return l.before + len(l.buf) }

// Last returns the last item of the current span, or nil if the span is empty. The caller may
// change the item through the pointer during the span. The race detector does not see that.
//
//go:norace
func (l *Lane[T]) Last() *T {
	k := len(l.spans)
	if k == 0 || l.spans[k-1].begin == l.end() {
		return nil
	}
	if len(l.buf) == 0 { // AvailableBuffer has made the next chunk current
		c := l.chunks[l.at-1]
		return &c[len(c)-1]
	}
	return &l.buf[len(l.buf)-1]
}

// AppendAll appends all of vs, in order. It is a violation if the worker has more items than memory
// can hold, which only items without a size can cause. In all else it is as [Lane.Append].
func (l *Lane[T]) AppendAll(by *safety.Hold, vs []T) {
	l.check(by)
	if k := len(l.buf); len(vs) > 0 && len(vs) <= cap(l.buf)-k && &vs[0] == &l.buf[:k+1][k] {
		l.buf = l.buf[:k+len(vs)] // they lie there already
		return
	}
	if most := amount.Most[T]() - l.Len(); len(vs) > most {
		panic(amount.Added(by, len(vs), most, "item"))
	}
	if atom.Race && reflect.TypeFor[T]().Size() > 0 {
		for _, v := range vs { // the detector sees the reads, not the writes (I6)
			l.Append(nil, v)
		}
		return
	}
	for len(vs) > 0 {
		if len(l.buf) == cap(l.buf) {
			l.grow(by)
		}
		n := min(len(vs), cap(l.buf)-len(l.buf))
		l.buf = append(l.buf, vs[:n]...)
		vs = vs[n:]
	}
}

// AvailableBuffer returns an empty slice whose capacity is the memory behind the lane's last item.
// A caller may append to it as to any slice and pass the result to [Lane.AppendAll]. That saves a
// call for each item, and the copy if all items fit. The slice is valid until the next append to
// the lane. In builds with the race detector it is nil.
//
//go:norace
func (l *Lane[T]) AvailableBuffer(by *safety.Hold) []T {
	l.check(by)
	if atom.Race {
		return nil // (I6)
	}
	if len(l.buf) == cap(l.buf) {
		l.grow(by)
	}
	l.borrowed = true
	k, end := len(l.buf), cap(l.buf)
	if l.inDest { // returnDest clears no more than that behind the last item
		end = min(end, k+count[T](mostBytes))
	}
	return l.buf[k:k:end]
}

// check panics if no phase of the lane is open, or if the view is unbound: its lane is nil. In
// strict builds it also panics if the view, whose hold is by, must not be used now.
//
//go:norace
func (l *Lane[T]) check(by *safety.Hold) {
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
func (l *Lane[T]) grow(by *safety.Hold) {
	if !l.open {
		panic(stale(by))
	}
	if len(l.spans) == 0 {
		panic(safety.NewViolation(safety.ErrArgument,
			"an item was appended to a lane before a span had begun, so it would have no place in the order",
			"A view that appends to a lane implements safety.SpanView: its BeginSpan calls the lane's."))
	}
	rest := amount.Most[T]() - l.Len()
	if rest == 0 {
		panic(amount.Added(by, 1, 0, "item"))
	}
	if l.buf != nil {
		l.before += len(l.buf)
		l.at++
	}
	if l.at == len(l.chunks) {
		n := max(l.usual, chunkLen[T](0))
		if l.at > 1 || l.at > 0 && !l.inDest {
			n = chunkLen[T](len(l.chunks[l.at-1]))
		}
		l.chunks = append(l.chunks, l.of.chunk(min(n, rest)))
	}
	l.buf = l.chunks[l.at][:0]
}

// end returns the place behind the last item, which may be the start of the next chunk (see sort).
func (l *Lane[T]) end() place { return place{l.at, len(l.buf)} }

// bounds returns where the k-th span begins and ends.
func (l *Lane[T]) bounds(k int) (begin, end place) {
	if k+1 < len(l.spans) {
		return l.spans[k].begin, l.spans[k+1].begin
	}
	return l.spans[k].begin, l.end()
}

// length returns the number of items from begin to end, which is not before begin.
func (l *Lane[T]) length(begin, end place) int {
	n := end.item - begin.item
	for c := begin.chunk; c < end.chunk; c++ {
		n += len(l.chunks[c]) // full (I2)
	}
	return n
}

// pieces calls f with the pieces of the k-th span that are not empty, in order, until f returns
// false.
func (l *Lane[T]) pieces(k int, f func([]T) bool) {
	at, end := l.bounds(k)
	for at != end {
		c := l.chunks[at.chunk]
		piece := c[at.item:]
		if at.chunk < end.chunk {
			at = place{at.chunk + 1, 0}
		} else {
			piece, at = c[at.item:end.item:end.item], end
		}
		if len(piece) > 0 && !f(piece) {
			return
		}
	}
}

// inner returns the lanes for a nested job. Later nested jobs use them again, except with the race
// detector, which sees no order between the batches that schedule the jobs.
//
//go:norace
func (l *Lane[T]) inner() *Lanes[T] {
	if l.nested == nil || atom.Race {
		l.nested = &Lanes[T]{shared: l.of.shared}
	}
	return l.nested
}

// wipe ends the lane's phase. It clears the items if holds is true: they may keep memory alive
// (I4). It drops the chunks if taken is true: they have another owner. A second wipe does nothing:
// Seal may wipe the lanes in parallel before end does.
//
//go:norace
func (l *Lane[T]) wipe(holds, taken bool) {
	if l.inDest {
		l.returnDest(holds)
	}
	if taken {
		if l.buf != nil {
			l.usual = chunkFor[T](l.length(place{}, l.end()))
		}
		l.chunks = nil
	} else if holds && l.buf != nil {
		for _, c := range l.chunks[:l.at] {
			clear(c)
		}
		if l.borrowed {
			l.buf = l.buf[:cap(l.buf)]
		}
		clear(l.buf)
	}
	l.open, l.borrowed = false, false
	l.buf, l.at, l.before = nil, 0, 0
	l.spans = l.spans[:0]
	l.witness, l.partial = nil, nil
}

// bytes returns the size of the lane in bytes, with the lanes of nested jobs.
//
//go:norace
func (l *Lane[T]) bytes() int {
	n := int(reflect.TypeFor[Lane[T]]().Size()) + word.Bytes(l.chunks) + word.Bytes(l.spans)
	for _, c := range l.chunks {
		n += word.Bytes(c)
	}
	if l.nested != nil {
		n += int(reflect.TypeFor[Lanes[T]]().Size()) + l.nested.Bytes()
	}
	return n
}
