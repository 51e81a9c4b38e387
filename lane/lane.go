package lane

import (
	"reflect"

	"example.com/custody/internal/amount"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/pad"
	"example.com/custody/internal/word"
	"example.com/custody/safety"
)

// Lane is what one worker of a job appends to. A view takes it from [Of] when it is bound, passes its BeginSpan on
// to it, and names it as the Into of its claim, so that a nested job appends to it, too. All views of one
// container in one job share the worker's lane, so their items are in the order of the program.
//
// A Lane belongs to its [Lanes] and must not be copied. Only the worker uses it, inside its batches. A view that is not
// bound has none: the methods that append accept nil, and refuse it as the stale view that it is.
type Lane[T any] struct {
	_       pad.Bytes
	buf     []T   // the current chunk's items; nil before the phase's first, and outside phases
	at      int   // the current chunk's number
	before  int   // how many items there are in the chunks before it
	chunks  [][]T // all there are, those behind the current one left from earlier phases
	runs    []run
	open    bool      // there is a phase
	ahead   bool      // the first of the chunks is what was lent
	window  int       // how much of that AvailableBuffer gives away at a time
	loaned  bool      // behind the last item may be others, which somebody has not appended
	usual   int       // how many items the first chunk has, when the chunks of the phase before have another owner
	of      *Lanes[T] // which has it
	nested  *Lanes[T] // of nested jobs, which are one at a time
	witness *byte     // written by every Append, for the race detector; one for each run
	partial *T        // the result of Partial in the current run; nil before its first call
	_       pad.Bytes
}

// run is where a run begins. It ends where the next one begins.
type run struct {
	first int // its first batch
	begin place
}

// place is the place of an item in a lane.
type place struct{ chunk, item int }

// BeginSpan begins a run at the given batch, unless it has begun: another view of the same container said so. It
// is what a view's BeginSpan passes on.
//
//go:norace
func (l *Lane[T]) BeginSpan(batch int) {
	if l == nil {
		panic(untaken())
	}
	k := len(l.runs)
	if k > 0 && l.runs[k-1].first == batch {
		return
	}
	l.partial = nil
	if batch == 0 && l.buf == nil && l.of.lent != nil {
		l.goAhead()
	} else if l.ahead && l.at == 0 {
		l.fallBack()
	}
	if k == 0 || l.runs[k-1].begin != l.end() {
		l.runs = append(l.runs, run{})
		k++
	}
	l.runs[k-1] = run{batch, l.end()} // in place of the one before, if nothing is in that
	if atom.Race {
		l.witness = new(byte)
	}
}

// Append appends v. by is the access of the view through which it is done: a view that is not bound, or was kept after
// its job, is refused with a violation that names the container, while no job appends to it; in strict builds always, and
// so is one that was kept after its batch. So a view's method needs no tests of its own. It is nil where there is no view.
//
// Cost: a call, a comparison and a store, some 2 ns. It is no candidate for inlining, so that the view's method that
// calls it is one, and a loop pays for one call. Now and then a chunk is allocated, in the first phases only.
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
			testify(l.witness)
		}
		l.buf = l.buf[:k+1]
		l.buf[k] = v
		return
	}
	l.grow(by)
	l.Append(nil, v)
}

// TryAppend appends v as [Lane.Append] does, with no test of the view, if that takes no more than a store, and says whether it has. It is a
// candidate for inlining, for views whose own method is called and not inlined.
//
//go:norace
func (l *Lane[T]) TryAppend(v T) bool {
	k := len(l.buf)
	if k == cap(l.buf) {
		return false
	}
	if atom.Race {
		testify(l.witness)
	}
	l.buf = l.buf[:k+1]
	l.buf[k] = v
	return true
}

// Len returns how many items the worker has appended in this phase.
func (l *Lane[T]) Len() int { return l.before + len(l.buf) }

// Last returns the item that was appended last in the current run, or nil when there is none. It may be changed, through the pointer,
// in this run; the race detector does not see that.
//
//go:norace
func (l *Lane[T]) Last() *T {
	k := len(l.runs)
	if k == 0 || l.runs[k-1].begin == l.end() {
		return nil
	}
	return &l.buf[len(l.buf)-1]
}

// AppendAll appends all of vs, in order. It is a violation if the worker has more items than memory can
// hold, which only items without a size can be. In all else it is as Append.
func (l *Lane[T]) AppendAll(by *safety.Hold, vs []T) {
	if safety.Strict && by != nil {
		by.Check()
	}
	if l == nil || !l.open {
		panic(stale(by))
	}
	if k := len(l.buf); len(vs) > 0 && len(vs) <= cap(l.buf)-k && &vs[0] == &l.buf[:k+1][k] { // they are where they belong
		l.buf = l.buf[:k+len(vs)]
		return
	}
	if most := amount.Most[T]() - l.Len(); len(vs) > most {
		panic(amount.Added(by, len(vs), most, "item"))
	}
	if atom.Race && reflect.TypeFor[T]().Size() > 0 {
		for _, v := range vs { // the reading is seen, the writing is not (I6)
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

// AvailableBuffer returns an empty slice that has the lane's memory behind its last item as its capacity: whoever appends to it, as to any
// slice, and then passes it on to [Lane.AppendAll], spares himself a call for each item, and a copy if all have found room. It is good until
// the lane is appended to. In builds with the race detector it is nil.
//
//go:norace
func (l *Lane[T]) AvailableBuffer(by *safety.Hold) []T {
	if safety.Strict && by != nil {
		by.Check()
	}
	if l == nil || !l.open {
		panic(stale(by))
	}
	if atom.Race {
		return nil // (I6)
	}
	if len(l.buf) == cap(l.buf) {
		l.grow(by)
	}
	l.loaned = true
	k, end := len(l.buf), cap(l.buf)
	if l.ahead && end-k > l.window {
		end = k + l.window
	}
	return l.buf[k:k:end]
}

// stale returns what to panic with when a view is used outside its job.
func stale(by *safety.Hold) error {
	if by != nil {
		return by.Stale()
	}
	return safety.NewViolation(safety.ErrStaleView, "a lane was appended to outside its phase", "Append between Open and Seal, inside the batches of the job.")
}

// testify shows the race detector a write that belongs to the current run: in builds with the detector every
// batch is a run.
//
//go:noinline
func testify(witness *byte) { *witness = 1 }

// grow goes on to the next chunk, the current one being full. All chunks together have no more places
// than there can be items.
//
//go:norace
func (l *Lane[T]) grow(by *safety.Hold) {
	if !l.open {
		panic(stale(by))
	}
	if len(l.runs) == 0 {
		panic(safety.NewViolation(safety.ErrArgument, "an item was appended to a lane before a run had begun, so it would have no place in the order",
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
		if l.at > 1 || l.at > 0 && !l.ahead {
			n = chunkLen[T](len(l.chunks[l.at-1]))
		}
		l.chunks = append(l.chunks, l.of.chunk(min(n, rest)))
	}
	l.buf = l.chunks[l.at][:0]
}

// end returns the place behind the last item.
func (l *Lane[T]) end() place { return place{l.at, len(l.buf)} }

// bounds returns where the k-th run begins and ends.
func (l *Lane[T]) bounds(k int) (begin, end place) {
	if k+1 < len(l.runs) {
		return l.runs[k].begin, l.runs[k+1].begin
	}
	return l.runs[k].begin, l.end()
}

// length returns how many items there are between two places.
func (l *Lane[T]) length(begin, end place) int {
	n := end.item - begin.item
	for c := begin.chunk; c < end.chunk; c++ {
		n += len(l.chunks[c]) // full (I2)
	}
	return n
}

// piece returns the items between two places that lie in the first one's chunk, and the place behind them.
func (l *Lane[T]) piece(begin, end place) ([]T, place) {
	c := l.chunks[begin.chunk]
	if begin.chunk < end.chunk {
		return c[begin.item:], place{begin.chunk + 1, 0}
	}
	return c[begin.item:end.item:end.item], end
}

// inner returns the lanes of a nested job, which are used again for the next. The race detector, which sees no
// order between the batches that schedule them, would see them share what lies in there.
//
//go:norace
func (l *Lane[T]) inner() *Lanes[T] {
	if l.nested == nil || atom.Race {
		l.nested = &Lanes[T]{shared: l.of.shared}
	}
	return l.nested
}

// begin begins a phase.
//
//go:norace
func (l *Lane[T]) begin() { l.open = true }

// wipe forgets what was appended, and keeps (I4). What holds says whether items may keep something alive, and
// taken whether the chunks have another owner now. Wiping again does nothing.
//
//go:norace
func (l *Lane[T]) wipe(holds, taken bool) {
	if l.ahead {
		l.giveBack(holds)
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
		if l.loaned {
			l.buf = l.buf[:cap(l.buf)]
		}
		clear(l.buf)
	}
	l.loaned, l.partial = false, nil
	l.buf, l.at, l.before = nil, 0, 0
	l.runs = l.runs[:0]
	l.open = false
	l.witness = nil
}

// bytes returns how much memory the lane has, with that of nested jobs.
//
//go:norace
func (l *Lane[T]) bytes() int {
	n := int(reflect.TypeFor[Lane[T]]().Size()) + word.Bytes(l.chunks) + word.Bytes(l.runs)
	for _, c := range l.chunks {
		n += word.Bytes(c)
	}
	if l.nested != nil {
		n += int(reflect.TypeFor[Lanes[T]]().Size()) + l.nested.Bytes()
	}
	return n
}

// give gives the chunks of the largest size away.
//
//go:norace
func (l *Lane[T]) give(to *Chunks[T]) {
	k := len(l.chunks)
	for ; k > 0 && to.give(l.chunks[k-1]); k-- {
		l.chunks[k-1] = nil
	}
	l.chunks = l.chunks[:k]
}

// drop clears the runs that do not count, before the chunks that they lie in get another owner.
//
//go:norace
func (l *Lane[T]) drop(kept int) {
	for k := range l.runs {
		if l.runs[k].first < kept {
			continue
		}
		at, end := l.bounds(k)
		for at != end {
			var s []T
			s, at = l.piece(at, end)
			clear(s)
		}
	}
}
