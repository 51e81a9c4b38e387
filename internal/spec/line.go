package spec

import "strconv"

// line is the state of a queue: its items in order, and whether it is closed.
type line[S any] interface {
	comparable
	push(v int) S   // with v appended
	front() (v int) // the first item; there must be one
	pop() S         // without the first item
	length() int    // the number of items
	empty() S       // without items
	shut() S        // closed
	closed() bool   // whether the queue is closed
}

// Line is the state of a queue with any number of items.
type Line struct {
	// Items are the items of the queue, the front first.
	Items Batch
	// Closed reports whether the queue is closed.
	Closed bool
}

func (l Line) push(v int) Line { return Line{l.Items.with(v), l.Closed} }
func (l Line) front() int      { return l.Items.At(0) }
func (l Line) pop() Line       { return Line{l.Items.rest(1), l.Closed} }
func (l Line) length() int     { return l.Items.Len() }
func (l Line) empty() Line     { return Line{"", l.Closed} }
func (l Line) shut() Line      { return Line{l.Items, true} }
func (l Line) closed() bool    { return l.Closed }

// String returns the items, followed by "closed" if the queue is closed.
func (l Line) String() string { return lineText(l.Items, l.Closed) }

func lineText(items Batch, closed bool) string {
	if closed {
		return items.String() + " closed"
	}
	return items.String()
}

const (
	maxShort   = 15   // items of a ShortLine
	maxValue   = 0xff // the largest item of a ShortLine
	topShift   = 56
	lowItems   = 8 // items in lo
	itemsMask  = 1<<topShift - 1
	closedFlag = 1 << 63
	countMask  = 15
)

// ShortLine is the state of a queue with at most 15 items of 0 to 255. It takes two words and no
// allocation.
//
//	lo   bits 0-63   items 0 to 7, a byte each
//	hi   bits 0-55   items 8 to 14
//	     bits 56-59  the number of items
//	     bit 63      whether the queue is closed
type ShortLine struct{ lo, hi uint64 }

func (l ShortLine) push(v int) ShortLine {
	n := l.length()
	if n == maxShort || uint(v) > maxValue {
		panic("spec: ShortQueue has room for 15 items of 0 to 255 and not for a further " + strconv.Itoa(v) + "; use Queue")
	}
	if n < lowItems {
		l.lo |= uint64(v) << (8 * n)
	} else {
		l.hi |= uint64(v) << (8 * (n - lowItems))
	}
	l.hi += 1 << topShift
	return l
}

func (l ShortLine) front() int { return int(l.lo & maxValue) }

func (l ShortLine) pop() ShortLine {
	l.lo = l.lo>>8 | l.hi<<topShift
	l.hi = l.hi&itemsMask>>8 | l.hi&^itemsMask - 1<<topShift
	return l
}

func (l ShortLine) length() int      { return int(l.hi >> topShift & countMask) }
func (l ShortLine) empty() ShortLine { return ShortLine{0, l.hi & closedFlag} }
func (l ShortLine) shut() ShortLine  { return ShortLine{l.lo, l.hi | closedFlag} }
func (l ShortLine) closed() bool     { return l.hi&closedFlag != 0 }

// String returns the items, followed by "closed" if the queue is closed.
func (l ShortLine) String() string {
	var items Batch
	for rest := l; rest.length() > 0; rest = rest.pop() {
		items = items.with(rest.front())
	}
	return lineText(items, l.closed())
}
