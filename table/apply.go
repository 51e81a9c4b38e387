package table

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/elem"
)

// The problems of staged requests, for errors.Is. [Problem.Error] adds the row or key to their
// texts.
var (
	// ErrNoRow: no row has the name or key by which one was to be removed, or none has it any more.
	ErrNoRow = errors.New("no such row")
	// ErrRemovedTwice: another request of the same Apply has removed the row, or called it off.
	ErrRemovedTwice = errors.New("removed twice")
	// ErrForeign: the name by which a row was to be removed is of another table.
	ErrForeign = errors.New("another table's row")
	// ErrKey: a row was to be added whose key another row has.
	ErrKey = errors.New("a key twice")
	// ErrNotEqual: a row was to be added, or transferred, whose key does not equal itself, as NaN.
	ErrNotEqual = errors.New("a key that does not equal itself")
	// ErrNotComparable: a row was to be transferred to a table where its key cannot be compared, as
	// a slice in an interface.
	ErrNotComparable = errors.New("a key that cannot be compared")
	// ErrNowhere: a row was to be transferred to a table that was disposed since.
	ErrNowhere = errors.New("the table where it was to go was disposed")
)

// Report is what an Apply did.
type Report struct {
	Added, Removed int // rows
	Swept          int // rows that were removed because they are dead, which Removed does not count
	CalledOff      int // additions
	// Problems are the requests that could not be met, in the order in which they were staged. But
	// additions of a key that a row of the table has come after all removals, and additions for
	// which there is no place come last. The slice is valid until the next Apply.
	Problems []Problem
}

// Problem is a request that could not be met; it is an error.
// Unwrap: constant; wait-free; O(1); allocates never.
// Error: constant; wait-free; O(1); allocates the text.
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
	case p.ID.zero() && p.Key != nil:
		return fmt.Sprintf("custody: table: key %v: %v", p.Key, p.Err)
	case p.ID.zero():
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
// and changes nothing; the other requests are met. One that is staged during Apply is in this Apply
// or the next.
//
// One Apply a frame is enough, also to replace rows that die: stage Add beside each Remove, in a
// loop by one [Stager], and the same Apply removes the old rows and adds the new ones. It takes a
// second Apply only if the additions depend on the Report of the first one, such as on Swept, and
// cannot wait for the next frame. The second one costs what it adds.
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
	return t.core.applied()
}

func (t *core) applied() Report {
	t.enter(callApply)
	defer t.leave()
	return t.apply()
}

func (t *core) apply() Report {
	t.check()
	t.dead = atom.Reuse(&t.trim.dead, t.dead)
	if t.alive != nil && t.count() > 0 {
		t.look()
		t.check() // alive may have scheduled a loop
	}
	t.change()
	b, slots := t.take()
	clear(t.report.Problems) // their keys may keep memory alive
	t.report = Report{Problems: atom.Reuse(&t.trim.problems, t.report.Problems)}
	t.gone, t.free = atom.Reuse(&t.trim.gone, t.gone), atom.Reuse(&t.trim.free, t.free)
	if b.rows.N+len(b.gone)+len(t.dead) > 0 {
		t.run()
		t.slots = append(t.slots, make([]slot, slots-len(t.slots))...)
		for _, row := range t.dead {
			t.end(t.ids.At(int(row)).slot, swept)
		}
		t.report.Swept = len(t.dead)
		t.judge(&b)
		t.report.Added = b.rows.N
		switch {
		case t.report.Added+len(t.gone) == 0:
		case t.fixed > 0:
			t.refill(&b)
		default:
			t.rebuild(b.names, b.rows)
		}
		t.printed.Store(int64(t.count()))
	}
	t.done(b)
	return t.report
}

// look finds the dead rows. It changes none, so a predicate that panics leaves all as they were.
func (t *core) look() {
	t.within(ofSweep)
	defer t.within(noCallback)
	for row := range t.ids.Len() {
		if t.occupied(row) && !t.alive(row) {
			t.dead = append(t.dead, int32(row))
		}
	}
}

// end ends the row of slot number: it takes the name and the key from the row and notes how it
// ended. The elements stay where they are until rebuild or refill removes all such rows.
func (t *core) end(number uint32, how state) {
	s := t.slots[number]
	t.gone = append(t.gone, s.row)
	t.out(number, how)
	t.release(name{number, s.gen})
	if t.key != nil {
		t.key.forget(int(s.row), number)
	}
}

// release makes the slot of a name free for the next name, unless its generations are used up. The
// stage gets the slot when the Apply is done.
func (t *core) release(n name) {
	if n.gen++; n.gen != 0 {
		t.free = append(t.free, n)
	}
}

// rebuild removes the rows that have ended, puts the last rows into their places, and adds the rows
// of the batch behind the others. It keeps (T1), (T2) and (T4).
func (t *core) rebuild(names []name, rows elem.Memory) {
	was := t.ids.Len()
	at := was - len(t.gone)
	n := at + len(names)
	t.touched = atom.Reuse(&t.trim.touched, t.touched)
	if len(t.gone) > 0 {
		t.cuts++
		t.descend(was)
		renumber(t.ids.Slice(), t.slots, t.gone)
		if t.key != nil {
			t.key.move(t.gone)
		}
	}
	begin := int32(at) // of the chunk that was touched last
	for _, row := range t.gone {
		if row < begin {
			t.touch(row)
			begin = row - row%int32(t.chunk)
		}
	}
	if n > t.room {
		t.room = min(max(n, int(min(float64(t.room)*t.factor, mostRows))), t.limit)
	}
	t.ids.list.Reserve(t.room)
	t.ids.list.Resize(n)
	t.name(t.ids.Slice()[at:], names, at)
	if t.key != nil {
		t.key.add(rows, names)
	}
	for _, c := range t.columns {
		if !c.discard {
			c.move(t.gone)
		}
		if c.resize(n, t.room); !c.discard {
			c.fill(at, nil, rows)
		}
	}
	for row := at; row < n; row = (t.chunkOf(row) + 1) * t.chunk {
		t.touch(int32(row))
	}
	t.stamp()
}

// name gives the rows from row at on their names.
func (t *core) name(ids []ID, names []name, at int) {
	slots, number := t.slots, t.number
	ids = ids[:len(names)]
	for i, m := range names {
		ids[i] = ID{number, m.slot, m.gen}
		slots[m.slot] = slot{row: int32(at + i), gen: m.gen}
	}
}

// renumber gives each row that has ended the name of the row that takes its place, which may be the
// row itself. Others have their place in ids and slots until then.
func renumber(ids []ID, slots []slot, gone []int32) {
	last := ids[len(ids)-len(gone):]
	for k, row := range gone {
		id := last[len(last)-1-k]
		ids[row] = id
		if s := &slots[id.slot]; s.row >= 0 {
			s.row = row
		}
	}
}

// descend sorts the rows that have ended, the last row first: so a row that has ended is moved only
// to a place that is cut off afterwards. If they are many it uses a set of bits. n is the number of
// rows or places.
func (t *core) descend(n int) {
	if len(t.gone) < n/1024 {
		slices.SortFunc(t.gone, func(a, b int32) int { return int(b - a) })
		return
	}
	t.set = append(atom.Reuse(&t.trim.set, t.set), make([]uint64, n/64+1)...)
	set, gone := t.set, t.gone
	for _, row := range gone {
		set[uint32(row)/64] |= 1 << (uint32(row) % 64)
	}
	i := 0
	for k := len(set) - 1; i < len(gone); k-- {
		for w := set[k]; w != 0; i++ {
			top := 63 - bits.LeadingZeros64(w)
			w &^= 1 << top
			gone[i] = int32(k*64 + top)
		}
	}
}

// touch notes that the chunk of a row has changed, unless it is the chunk that was noted last.
func (t *core) touch(row int32) {
	chunk := row / int32(t.chunk)
	if k := len(t.touched) - 1; k < 0 || t.touched[k] != chunk {
		t.touched = append(t.touched, chunk)
	}
}

// stamp gives a new version to the chunks that have changed (T4).
func (t *core) stamp() {
	v := t.tick()
	for _, c := range t.columns {
		if c.discard && t.fixed == 0 {
			c.touch(v)
			continue
		}
		for _, chunk := range t.touched {
			c.versions[chunk] = v
		}
	}
}
