package array

import (
	"slices"
	"strconv"

	"example.com/custody/internal/elem"
	"example.com/custody/internal/lanes"
	"example.com/custody/internal/pad"
	"example.com/custody/safety"
)

// filling is what one loop appends to the rows of a stream, until it is sealed: items in lanes, and
// their number for each index.
//
//	(fill.I1) ends[i+1] belongs to the batch of index i alone, which clears it when it begins. Kept
//	     batches have begun, so only batches that are not kept have counts of another loop.
//	(fill.I2) Items of a worker's lane from its cursor's begun on belong to the cursor's row; those
//	     before are counted.
//	(fill.I3) A batch appends to its rows in ascending order. So the order of the sequential loop,
//	     which lanes keep, is the order of rows, and sums of the counts are the offsets.
//	(fill.I4) While a lone worker takes batches in ascending order, its lane is in the order of
//	     rows, and ends[i+1] is the offset of the end of row i, for i < filled.
type filling struct {
	guard   *safety.Guard // of the stream
	lanes   lanes.Lanes
	cursors []*cursor
	ends    []int // ends[i+1] is the count of row i; when they are summed, the offset of its end
	batch   int   // indices in a batch
	lone    bool  // at the seal: ends are offsets already
	single  bool  // the job has no indices, and as many rows as it uses
	parent  *cursor
	first   int // row 0 of a nested loop is this row of parent, whose body passed the view on
	add     func(lanes.Items)
	sums    []int                      // of the parts of ends
	run     func(n int, f func(k int)) // at the seal: calls f for n parts in parallel

	sumPart, scanPart func(k int) // made once
}

// cursor is the place at which a worker appends.
type cursor struct {
	_           pad.Bytes
	of          *filling
	lane        *lanes.Lane
	row         int  // none until the batch appends
	begun       int  // items of the lane that are counted (fill.I2)
	lone        bool // ends are offsets (fill.I4)
	filled      int  // the number of rows whose ends are offsets (fill.I4)
	first, last int  // the rows of the batch are first <= row < last
	_           pad.Bytes
}

const (
	none    = -1
	partOf  = 1 << 15 // rows whose counts are summed at a time
	partFor = 1 << 15 // items that are merged at a time, or all of one row
)

func (f *filling) init(guard *safety.Guard, items *elem.Type, add func(lanes.Items)) {
	f.guard, f.lanes.Elem, f.add = guard, items, add
	f.sumPart, f.scanPart = f.sumOne, f.scanOne
}

// open begins the phase of a loop.
//
//go:norace
func (f *filling) open(p *safety.Phase) {
	q := *p
	q.Into = nil
	f.lanes.Open(&q)
	for len(f.cursors) < p.Workers {
		f.cursors = append(f.cursors, new(cursor))
	}
	for i, c := range f.cursors[:p.Workers] {
		*c = cursor{of: f, lane: f.lanes.Lane(i), row: none, lone: p.Workers == 1}
	}
	f.batch, f.single = p.BatchSize, false
	if n := p.N + 1; cap(f.ends) < n {
		f.ends = make([]int, n, n+n/8)
	}
	f.ends = f.ends[:p.N+1]
	f.ends[0] = 0
	p.State = f
}

// begin clears the counts of a batch that begins (fill.I1). A lone worker sets offsets instead,
// until it goes back to an earlier batch. Two views of one stream may both call begin.
//
//go:norace
func (c *cursor) begin(batch int) {
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

// count turns a lone worker's offsets back into counts, and clears the ends of rows from filled on.
//
//go:norace
func (c *cursor) count() {
	c.settle()
	c.lone, c.row = false, none
	ends := c.of.ends
	clear(ends[c.filled+1:])
	for i := c.filled; i > 0; i-- {
		ends[i] -= ends[i-1]
	}
}

// enter gives the worker the rows [begin, end), which its batch owns. A single job owns all rows.
//
//go:norace
func (c *cursor) enter(begin, end int) {
	c.settle()
	c.row, c.first, c.last = none, begin, end
	if f := c.of; end >= len(f.ends) && !f.single { // a single job
		f.single, f.ends = true, f.ends[:1]
	}
}

// settle counts the items that were appended to the row since the last settle (fill.I2).
//
//go:norace
func (c *cursor) settle() {
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

// appendTo appends v to row i.
//
//go:norace
func appendTo[T any](c *cursor, by *safety.Hold, i int, v T) {
	if safety.Strict {
		by.Check()
	}
	if c == nil {
		panic(by.Stale())
	}
	if i != c.row || i < 0 {
		c.turn(by, i)
	}
	if !lanes.TryAppend(c.lane, v) {
		lanes.Append(c.lane, by, v)
	}
}

// appendAllTo appends all of vs to row i.
//
//go:norace
func appendAllTo[T any](c *cursor, by *safety.Hold, i int, vs []T) {
	if c == nil {
		panic(by.Stale())
	}
	if i != c.row || i < 0 {
		c.turn(by, i)
	}
	if !lanes.Keep(c.lane, vs) {
		lanes.AppendAll(c.lane, by, vs)
	}
}

// turn makes i the row of the cursor, and keeps (fill.I3): it panics if the batch does not own row
// i or has appended to a later row. by is nil if there is no view.
//
//go:norace
func (c *cursor) turn(by *safety.Hold, i int) {
	if safety.Strict && by != nil {
		by.Check()
	}
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

// fill sets the ends of the rows from filled up to n, which got no items, for a lone worker.
//
//go:norace
func (c *cursor) fill(n int) {
	for ends := c.of.ends; c.filled < n; c.filled++ {
		ends[c.filled+1] = c.begun
	}
}

// refuse returns the violation of appending to row i.
func (c *cursor) refuse(by *safety.Hold, i int) *safety.Violation {
	if by != nil {
		by.Check()
	}
	g := c.of.guard
	kind, what, do := safety.ErrIndex, "row "+strconv.Itoa(i)+" of "+g.Container()+" was appended to", "Rows begin at 0."
	switch {
	case i < 0:
	case i < c.first || i >= c.last:
		kind, do = safety.ErrWriteRange, "A loop may append only to the rows of its own indices: use a KeyedWriter to add to any."
		what += " in a batch that owns rows " + strconv.Itoa(c.first) + " <= row < " + strconv.Itoa(c.last)
	default:
		kind, do = safety.ErrArgument, "A batch appends to its rows in ascending order: to one after the other."
		what += " after row " + strconv.Itoa(c.row)
	}
	v := g.Violation(kind, what, do)
	v.Index, v.Min, v.Max = i, c.first, c.last
	if by != nil {
		by.Blame(v)
	}
	return v
}

// seal ends the phase: it drops the counts of batches that are not kept, and adds the items.
//
//go:norace
func (f *filling) seal(p *safety.Phase) {
	for _, c := range f.cursors[:p.Workers] {
		c.settle()
		c.row, c.first, c.last = none, 0, 0
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
	q.Into = nil
	f.run = p.Parallel
	defer f.forget()
	f.lanes.Seal(&q, f.add)
}

// forget drops references that only a seal needs.
//
//go:norace
func (f *filling) forget() {
	f.run, f.parent = nil, nil
}

func (f *filling) trim() {
	f.lanes.Trim()
	f.cursors, f.ends, f.sums = nil, nil, nil
}

// sum turns the counts into offsets. Many counts are summed in two parallel passes: the first sums
// each part, and the second scans each part from the sum of those before it.
//
//go:norace
func (f *filling) sum() {
	if f.lone {
		return
	}
	parts := (len(f.ends)-1)/partOf + 1
	if parts < 3 {
		scan(f.ends, 0)
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

func (f *filling) part(k int) []int { return f.ends[k*partOf : min((k+1)*partOf, len(f.ends))] }

//go:norace
func (f *filling) sumOne(k int) {
	n := 0
	for _, v := range f.part(k) {
		n += v
	}
	f.sums[k] = n
}

//go:norace
func (f *filling) scanOne(k int) { scan(f.part(k), f.sums[k]) }

// scan replaces each count by the sum of before and the counts up to it.
//
//go:norace
func scan(counts []int, before int) {
	for i, v := range counts {
		before += v
		counts[i] = before
	}
}

// inner returns the filling of a nested loop, whose rows are those of the cursor's batch.
//
//go:norace
func (c *cursor) inner() *filling {
	f := new(filling)
	f.init(c.of.guard, c.of.lanes.Elem, f.splice)
	f.parent, f.first = c, c.first
	return f
}
