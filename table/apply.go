package table

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// The problems of staged requests, for errors.Is. [Problem.Error] adds the row or key to their
// texts.
var (
	// ErrNoRow: a row was to be removed of a name, or a key, that no row has, or has any more.
	ErrNoRow = errors.New("no such row")
	// ErrRemovedTwice: a row was to be removed that another request of the same Apply has removed, or called off.
	ErrRemovedTwice = errors.New("removed twice")
	// ErrForeign: a row was to be removed by the name of another table's.
	ErrForeign = errors.New("another table's row")
	// ErrKey: a row was to be added whose key another row has.
	ErrKey = errors.New("a key twice")
	// ErrNotEqual: a row was to be added, or transferred, whose key is not equal to itself, as NaN.
	ErrNotEqual = errors.New("a key that does not equal itself")
	// ErrNotComparable: a row was to be transferred to a table where its key cannot be compared, as a slice in an interface.
	ErrNotComparable = errors.New("a key that cannot be compared")
	// ErrNowhere: a row was to be transferred to a table that was disposed since.
	ErrNowhere = errors.New("the table where it was to go was disposed")
)

// Report is what an Apply did.
type Report struct {
	Added, Removed int // rows
	Swept          int // rows that were removed because they are dead, which Removed does not count
	CalledOff      int // additions
	// Problems are the requests that could not be met, in the order in which they were staged.
	// After those come the additions of a key that a row of the table has, and last the additions
	// for which there is no place. The slice is valid until the next Apply.
	Problems []Problem
}

// Problem is a request that could not be met; it is an error.
type Problem struct {
	// ID is the name of the row that was to be removed or transferred, or would have been added.
	ID ID
	// Key is the key of the row, if the problem concerns it.
	Key any
	// Err is the problem: one of the errors of this package.
	Err error
}

// Error implements error.
func (p Problem) Error() string {
	switch {
	case p.ID.Zero() && p.Key != nil:
		return fmt.Sprintf("custody: table: key %v: %v", p.Key, p.Err)
	case p.ID.Zero():
		return fmt.Sprintf("custody: table: the zero ID: %v", p.Err)
	case p.Key != nil:
		return fmt.Sprintf("custody: table: row %v, key %v: %v", p.ID, p.Key, p.Err)
	}
	return fmt.Sprintf("custody: table: row %v: %v", p.ID, p.Err)
}

// Unwrap returns Err.
func (p Problem) Unwrap() error { return p.Err }

// Apply does what was staged, in this order. Additions that were called off come to nothing. Rows
// that are dead by the liveness predicate ([Table.Sweep]), and rows whose removal was staged, are
// removed, the last row first; the last row of the table takes the place of each. Then the staged
// rows are added, in the order in which they were staged. A request that cannot be met is reported
// and changes nothing; the other requests are met.
//
// Requests are judged in the order in which they were staged, those of loops after all others:
//
//   - A removal by a name, or a transfer, takes the row of that name, or calls off its addition.
//     The problem is [ErrNoRow] if there is neither, and [ErrRemovedTwice] if an earlier request
//     has taken it. A removal of a dead row is met.
//   - A removal by a key takes the row that has the key, or the dead row that had it and that no
//     removal has taken yet. It also calls off the addition with that key that was staged before
//     the removal. The problem is [ErrNoRow] if there is neither, and [ErrRemovedTwice] if an
//     earlier request has taken them.
//   - An addition is refused with [ErrKey] if an addition with its key was staged before it and
//     stands. When all removals are done, an addition is refused with [ErrKey] if a row with its
//     key is still in the table. So an addition can have the key of a row that the same Apply
//     removes.
//
// After Apply no row is left that was there, or staged, before a removal of it was staged, unless
// that removal is among the problems.
//
// Apply is a violation while a job holds the table or one of its columns. It is also a violation if
// the rows and the staged additions together are more than the table can have, which is 2^30-1 at
// most. Everything stays staged then.
//
// Cost: see [Table].
func (t *Table[R]) Apply() Report {
	t.enter(callApply)
	defer t.leave()
	return t.apply()
}

func (t *Table[R]) apply() Report {
	t.check()
	t.dead = atom.Reuse(&t.trim.dead, t.dead)
	if t.alive != nil && t.Count() > 0 {
		t.look()
		t.check() // alive may have scheduled a loop
	}
	t.change()
	b, names, over := t.stage.take(t.keys, t.requests.rows, t.requests.turns.list, t.limit-t.Count())
	if over > 0 {
		panic(t.guard.Violation(safety.ErrLength, t.guard.Container()+" has "+number(t.Count())+" rows, and was to have "+number(over)+" more than a table has", "It has "+number(t.limit)+
			" rows at most, with those that are staged. Everything stays staged."))
	}
	t.requests.clear()
	clear(t.report.Problems) // which have keys
	t.report = Report{Problems: atom.Reuse(&t.trim.problems, t.report.Problems)}
	t.ended, t.free = atom.Reuse(&t.trim.ended, t.ended), atom.Reuse(&t.trim.free, t.free)
	if len(b.rows)+len(b.gone)+len(t.dead) > 0 {
		t.outs = atom.Reuse(&t.trim.outs, t.outs)
		t.slots = append(t.slots, make([]slot, names-len(t.slots))...)
		t.sweep()
		t.judge(&b)
		t.report.Added = len(b.rows)
		switch {
		case t.report.Added+len(t.ended) == 0:
		case t.fixed > 0:
			t.refill(&b)
		default:
			t.rebuild(&b)
		}
		t.count.Store(int64(t.Count()))
	}
	t.stage.done(b, t.holds, t.keys, t.free)
	return t.report
}

// look finds the rows that are dead. It changes nothing: a predicate that panics leaves all as it was.
func (t *core) look() {
	t.within(ofSweep)
	defer t.within(noCallback)
	for row := range t.ids.Len() {
		if (t.fixed == 0 || t.flags[row]) && !t.alive(row) {
			t.dead = append(t.dead, int32(row))
		}
	}
}

// sweep ends the rows that are dead.
func (t *core) sweep() {
	for _, row := range t.dead {
		t.end(t.ids.At(int(row)).slot, swept)
	}
	t.report.Swept = len(t.dead)
}

// end takes the name of a row away. The row stays where it is until all that end are cut.
func (t *core) end(number uint32, how state) {
	s := t.slots[number]
	t.ended = append(t.ended, s.row)
	t.out(number, how)
	t.release(name{number, s.gen})
	if t.keys != nil {
		t.keys.forget(int(s.row), number)
	}
}

// release frees the slot of a name for the next one.
func (t *core) release(n name) {
	if n.gen++; n.gen != 0 {
		t.free = append(t.free, n)
	}
}

// rebuild cuts the rows that have ended, with the last ones in their places, and puts those of the batch behind the others. It keeps (T1) and
// (T2).
func (t *Table[R]) rebuild(b *batch[R]) {
	n := t.ids.Len()
	at := n - len(t.ended)
	if len(t.ended) > 0 {
		t.cuts++
	}
	t.descend(n)
	t.moves = atom.Reuse(&t.trim.moves, t.moves)
	ids := t.ids.Slice()
	for _, row := range t.ended {
		n--
		if last := int32(n); row != last {
			t.moves = append(t.moves, move{row, last})
			ids[row] = ids[last]
			t.slots[ids[row].slot].row = row
		}
	}
	n = at + len(b.rows)
	most := t.grow(n)
	t.ids.Reserve(most)
	t.ids.Resize(n)
	ids = t.ids.Slice()[at:]
	for i, m := range b.names {
		ids[i] = ID{t.number, m.slot, m.gen}
		t.slots[m.slot] = slot{row: int32(at + i), gen: m.gen}
	}
	if t.key != nil {
		t.key.rebuild(t.moves, at, b.rows, b.names)
	}
	for i, c := range t.strips {
		c.move(t.moves)
		c.resize(n, most)
		t.columns[i].place(at, b.rows)
	}
	t.stamp(at, n)
}

// descend puts the rows that have ended into descending order: by a set of bits, where they are many.
func (t *core) descend(n int) {
	if len(t.ended) < n/1024 {
		slices.SortFunc(t.ended, func(a, b int32) int { return int(b - a) })
		return
	}
	t.set = append(atom.Reuse(&t.trim.set, t.set), make([]uint64, n/64+1)...)
	for _, row := range t.ended {
		t.set[row/64] |= 1 << (row % 64)
	}
	t.ended = t.ended[:0]
	for k := len(t.set) - 1; k >= 0; k-- {
		for w := t.set[k]; w != 0; {
			top := 63 - bits.LeadingZeros64(w)
			w &^= 1 << top
			t.ended = append(t.ended, int32(k*64+top))
		}
	}
}

// grow returns for how many rows there is to be room, when there are to be n.
func (t *core) grow(n int) int {
	switch {
	case n <= t.room:
	case t.growth.step > 0:
		t.room += (n - t.room + t.growth.step - 1) / t.growth.step * t.growth.step
	default:
		t.room = max(n, int(min(float64(t.room)*t.growth.factor, mostRows)))
	}
	t.room = min(t.room, t.limit)
	return t.room
}

// stamp stamps the chunks that have got rows: by moves, and from row at on.
func (t *core) stamp(at, n int) {
	t.touched = atom.Reuse(&t.trim.touched, t.touched)
	begin, end := n, n // rows of the chunk that was touched last: rows that are moved descend
	touch := func(row int) {
		if row >= n || row >= begin && row < end {
			return
		}
		chunk := t.chunkOf(row)
		t.touched = append(t.touched, int32(chunk))
		begin = chunk * t.chunk
		end = begin + t.chunk
	}
	for _, m := range t.moves {
		touch(int(m.to))
	}
	for row := at; row < n; row = end {
		touch(row)
	}
	v := t.tick()
	for _, c := range t.parts {
		if c.discard {
			c.touch(v)
			continue
		}
		for _, chunk := range t.touched {
			c.versions[chunk] = v
		}
	}
}
