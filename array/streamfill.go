package array

import (
	"slices"
	"strconv"

	"example.com/custody/internal/pad"
	"example.com/custody/lane"
	"example.com/custody/safety"
)

// filling is what a loop appends to the rows of a stream, until it is sealed: items in lanes, and for each index how many.
//
//	(F1) ends[i+1] belongs to the batch of index i alone, which clears it when it begins. Batches that count have begun, so those of batches
//	     that do not are all that is left over from another loop.
//	(F2) What a worker's lane has from a cursor's begun on belongs to the row at which the cursor is; what it has before is counted.
//	(F3) A batch appends to its rows in ascending order. So the order of the sequential loop, which lanes keep, is the order of rows, and
//	     sums of the counts are the offsets.
//	(F4) While a lone worker takes batches in their order its lane is in that of the rows: ends[i+1] is the number of items up to the end of
//	     row i at once, for rows before the cursor's filled.
type filling[T any] struct {
	of      *Stream[T]
	lanes   lane.Lanes[T]
	cursors []*cursor[T]
	ends    []int // index i has ends[i+1] items; when they are summed, its last one is before ends[i+1]
	batch   int
	lone    bool       // ends are offsets already
	single  bool       // the job has no indices: it has as many rows as it uses
	parent  *cursor[T] // of the body that lent the view on, whose rows these are from first on
	first   int        //
	add     func(lane.Items[T])
	sums    []int // of the parts of ends
	run     func(n int, f func(k int))

	sumPart, scanPart, mergePart func(k int) // made once
	merging                      lane.Items[T]
	merged                       []T
	borders                      []int // rows at which the parts begin that are merged
}

// cursor is where a worker is.
type cursor[T any] struct {
	_           pad.Bytes
	of          *filling[T]
	lane        *lane.Lane[T]
	row         int // none: the batch has appended nothing
	begun       int
	lone        bool // see (F4)
	filled      int
	first, last int // the rows of the batch are first <= row < last
	_           pad.Bytes
}

const (
	none    = -1
	partOf  = 1 << 15 // rows whose counts are summed at a time
	partFor = 1 << 15 // items that are merged at a time, or a few more
)

func (f *filling[T]) init(of *Stream[T], add func(lane.Items[T])) {
	f.of, f.add = of, add
	f.sumPart, f.scanPart = f.sumOne, f.scanOne
	f.mergePart = f.mergeOne
}

// open begins the phase of a loop.
//
//go:norace
func (f *filling[T]) open(p *safety.Phase) {
	q := *p
	q.Into = nil
	f.lanes.Open(&q)
	for len(f.cursors) < p.Workers {
		f.cursors = append(f.cursors, &cursor[T]{of: f})
	}
	for i, c := range f.cursors[:p.Workers] {
		*c = cursor[T]{of: f, lane: f.lanes.Lane(i), row: none, lone: p.Workers == 1}
	}
	f.batch, f.single = p.BatchSize, false
	if n := p.N + 1; cap(f.ends) < n {
		f.ends = make([]int, n, n+n/8)
	}
	f.ends = f.ends[:p.N+1]
	f.ends[0] = 0
	p.State = f
}

// begin clears the counts of a batch that begins. Another view of the same stream may have done so.
//
//go:norace
func (c *cursor[T]) begin(batch int) {
	f := c.of
	lo := batch*f.batch + 1
	if c.lone {
		if lo > c.filled {
			return
		}
		c.count()
	}
	if lo < len(f.ends) {
		clear(f.ends[lo : lo+min(f.batch, len(f.ends)-lo)])
	}
}

// count goes back to counts, as a lone worker who has come to a batch before one that he had.
//
//go:norace
func (c *cursor[T]) count() {
	c.settle()
	c.lone, c.row = false, none
	ends := c.of.ends
	clear(ends[c.filled+1:])
	for i := c.filled; i > 0; i-- {
		ends[i] -= ends[i-1]
	}
}

// enter lets the worker at the rows [begin, end).
//
//go:norace
func (c *cursor[T]) enter(begin, end int) {
	c.settle()
	c.row, c.first, c.last = none, begin, end
	if f := c.of; end >= len(f.ends) && !f.single { // a single job
		f.single, f.ends = true, f.ends[:1]
	}
}

// settle counts what was appended to the row.
//
//go:norace
func (c *cursor[T]) settle() {
	n := c.lane.Len()
	switch {
	case c.row == none:
	case c.lone:
		c.of.ends[c.row+1] = n
		c.filled = c.row + 1
	default:
		c.of.ends[c.row+1] += n - c.begun
	}
	c.begun = n
}

// append appends v to row i.
//
//go:norace
func (c *cursor[T]) append(by *safety.Hold, i int, v T) {
	if safety.Strict {
		by.Check()
	}
	if c == nil {
		panic(by.Stale())
	}
	if i != c.row || i < 0 {
		c.turn(by, i)
	}
	if !c.lane.TryAppend(v) {
		c.lane.Append(by, v)
	}
}

// appendAll appends all of vs to row i.
//
//go:norace
func (c *cursor[T]) appendAll(by *safety.Hold, i int, vs []T) {
	if c == nil {
		panic(by.Stale())
	}
	if i != c.row || i < 0 {
		c.turn(by, i)
	}
	c.lane.AppendAll(by, vs)
}

// turn goes to row i. It keeps (F3). by is nil where there is no view.
//
//go:norace
func (c *cursor[T]) turn(by *safety.Hold, i int) {
	if i < c.first || i >= c.last || i < c.row {
		panic(c.refuse(by, i))
	}
	if c.settle(); c.of.single {
		for len(c.of.ends) < i+2 {
			c.of.ends = append(c.of.ends, 0)
		}
	}
	if c.lone {
		c.fill(i)
	}
	c.row = i
}

// fill has the rows before row n end where the last one with items does.
//
//go:norace
func (c *cursor[T]) fill(n int) {
	for ends := c.of.ends; c.filled < n; c.filled++ {
		ends[c.filled+1] = c.begun
	}
}

// refuse is the violation of appending to row i.
func (c *cursor[T]) refuse(by *safety.Hold, i int) *safety.Violation {
	if by != nil {
		by.Check()
	}
	g := &c.of.of.guard
	var v *safety.Violation
	switch what := "row " + strconv.Itoa(i) + " of " + g.Container() + " was appended to"; {
	case i < 0:
		v = g.Violation(safety.ErrIndex, what, "Rows begin at 0.")
	case i < c.first || i >= c.last:
		v = g.Violation(safety.ErrWriteRange, what+" in a batch that owns rows "+strconv.Itoa(c.first)+" <= row < "+strconv.Itoa(c.last),
			"A loop may append only to the rows of its own indices: use a hashmap.MultiMap to append to any.")
	default:
		v = g.Violation(safety.ErrArgument, what+" after row "+strconv.Itoa(c.row), "A batch appends to its rows in ascending order: to one after the other.")
	}
	v.Index, v.Min, v.Max = i, c.first, c.last
	if by != nil {
		by.Blame(v)
	}
	return v
}

// leave ends the phase for the worker.
//
//go:norace
func (c *cursor[T]) leave() {
	c.settle()
	c.row, c.first, c.last = none, 0, 0
}

// seal ends the phase: what counts is summed and added.
//
//go:norace
func (f *filling[T]) seal(p *safety.Phase) {
	for _, c := range f.cursors[:p.Workers] {
		c.leave()
	}
	c, rows := f.cursors[0], len(f.ends)-1
	if f.lone = c.lone; !f.single {
		rows = min(p.Kept*f.batch, rows)
	}
	switch {
	case p.Kept == 0:
		f.ends = f.ends[:1]
	case f.lone:
		c.filled = min(c.filled, rows)
		c.begun = f.ends[c.filled]
		c.fill(len(f.ends) - 1)
	default:
		clear(f.ends[rows+1:])
	}
	q := *p
	q.Into, q.State = nil, &f.lanes
	f.run = p.Parallel
	defer f.forget()
	f.lanes.Seal(&q, f.add)
}

//go:norace
func (f *filling[T]) forget() {
	f.run, f.merging, f.merged = nil, lane.Items[T]{}, nil
	f.parent = nil
}

func (f *filling[T]) trim() {
	f.lanes.Trim()
	f.cursors, f.ends, f.sums, f.borders = nil, nil, nil, nil
}

// sum makes offsets of the counts.
//
//go:norace
func (f *filling[T]) sum() {
	if f.lone {
		return
	}
	parts := (len(f.ends)-1)/partOf + 1
	if parts < 3 {
		f.scan(f.ends, 0)
		return
	}
	f.sums = slices.Grow(f.sums[:0], parts)[:parts]
	f.run(parts, f.sumPart)
	before := 0
	for k, n := range f.sums {
		f.sums[k] = before
		before += n
	}
	f.run(parts, f.scanPart)
}

func (f *filling[T]) part(k int) []int { return f.ends[k*partOf : min((k+1)*partOf, len(f.ends))] }

//go:norace
func (f *filling[T]) sumOne(k int) {
	n := 0
	for _, v := range f.part(k) {
		n += v
	}
	f.sums[k] = n
}

//go:norace
func (f *filling[T]) scanOne(k int) { f.scan(f.part(k), f.sums[k]) }

//go:norace
func (f *filling[T]) scan(counts []int, before int) {
	for i, v := range counts {
		before += v
		counts[i] = before
	}
}

// inner returns the filling of a nested loop, whose rows are those of the batch.
//
//go:norace
func (c *cursor[T]) inner() *filling[T] {
	f := new(filling[T])
	f.init(c.of.of, f.splice)
	f.parent, f.first = c, c.first
	return f
}
