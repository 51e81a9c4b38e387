package table

import (
	"math"
	"slices"
)

// judge decides on each removal, in the order in which they were staged. It finds the rows that are
// to be removed, and takes those out of the batch that are not to be added.
func (t *Table[R]) judge(b *batch[R]) {
	t.core.known, t.core.noted = 0, false
	if t.core.key != nil {
		t.core.note(b.names)
	}
	special, marks := b.special, b.marks
	for i := 0; i < len(b.gone); i++ {
		next := len(b.gone)
		if len(special) > 0 {
			next = special[0].at
		}
		if t.core.key == nil {
			i += t.core.removeAll(b.gone[i:next])
			if i == len(b.gone) {
				break
			}
		}
		if len(marks) > 0 && marks[0].gone == i {
			t.register(b, marks[0].rows)
			marks = marks[1:]
		}
		id := b.gone[i]
		var key any
		var err error
		if i < next {
			err = t.remove(b, id)
		} else {
			if g := &special[0]; g.key > 0 {
				t.removeKey(b, g.key-1)
			} else {
				key, err = t.transfer(b, id, g)
			}
			special = special[1:]
		}
		if err != nil {
			t.core.problem(id, key, err)
		}
	}
	if t.core.key != nil {
		t.register(b, len(b.rows))
	}
	if t.core.noted {
		t.keep(b)
	}
}

func (t *core) problem(id ID, key any, err error) {
	t.report.Problems = append(t.report.Problems, Problem{ID: id, Key: key, Err: err})
}

// note notes in the slots which rows are to be added, so that state finds them. Without keys that
// is needed only if a request may concern an addition.
func (t *core) note(names []name) {
	t.noted = true
	for i, n := range names {
		t.slots[n.slot] = slot{row: waits + int32(i), gen: n.gen}
	}
}

// register registers the keys of the rows of the batch before the index until that are not
// registered yet. It refuses a row whose key another addition has, or does not equal itself.
func (t *Table[R]) register(b *batch[R], until int) {
	for ; t.core.known < until; t.core.known++ {
		if s, _ := t.core.state(b.names[t.core.known].slot); s == staged {
			if key, err := t.core.key.register(t.core.known, refOf(&b.rows[t.core.known])); err != nil {
				t.core.refuse(b.names[t.core.known], key, err)
			}
		}
	}
}

// asked returns the state of the row or addition that has the name id, and its index, as state
// does. It calls note first if the name may be that of an addition.
func (t *core) asked(names []name, id ID) (how state, i int, err error) {
	if id.table != t.number {
		if id.Zero() {
			return absent, none, ErrNoRow
		}
		return absent, none, ErrForeign
	}
	s := t.slots[id.slot]
	if s.gen < id.gen && !t.noted { // the slot may have passed over generations without a row
		t.note(names)
		s = t.slots[id.slot]
	}
	if s.gen != id.gen {
		return absent, none, ErrNoRow
	}
	how, i = t.state(id.slot)
	return how, i, nil
}

// removeAll removes the rows of the first names, up to one that is not that of a row of the table,
// or is the last one of its slot. It returns their number. Rows must have no keys.
func (t *core) removeAll(ids []ID) (n int) {
	t.gone, t.free = slices.Grow(t.gone, len(ids)), slices.Grow(t.free, len(ids))
	gone, free := t.gone[len(t.gone):][:len(ids)], t.free[len(t.free):][:len(ids)]
	slots, number, ended := t.slots, t.number, t.ended(removed)
	for i, id := range ids {
		if id.table != number {
			break
		}
		s := &slots[id.slot]
		if s.gen != id.gen || s.row < 0 || id.gen == math.MaxUint32 {
			break
		}
		gone[i], free[i], s.row = s.row, name{id.slot, id.gen + 1}, ended
		n = i + 1
	}
	t.gone, t.free = t.gone[:len(t.gone)+n], t.free[:len(t.free)+n]
	t.report.Removed += n
	return n
}

// remove removes the row of a name, or calls its addition off.
func (t *Table[R]) remove(b *batch[R], id ID) error {
	how, i, err := t.core.asked(b.names, id)
	if err != nil {
		return err
	}
	switch how {
	case present:
		t.core.end(id.slot, removed)
		t.core.report.Removed++
	case staged:
		t.callOff(b, i)
	case absent, refused:
		return ErrNoRow
	case swept: // the request is met
		t.core.out(id.slot, removed)
	default:
		return ErrRemovedTwice
	}
	return nil
}

// callOff calls off the addition of row i of the batch. keep takes the row out of the batch.
func (t *Table[R]) callOff(b *batch[R], i int) {
	n := b.names[i]
	if t.core.key != nil {
		t.core.key.unregister(i, refOf(&b.rows[i]), n.slot)
	}
	t.core.out(n.slot, removed)
	t.core.release(n)
	t.core.report.CalledOff++
}

// refuse reports that the row named n cannot be added. keep or cut takes it out of the batch.
func (t *core) refuse(n name, key any, err error) {
	t.out(n.slot, refused)
	t.release(n)
	t.problem(t.id(n), key, err)
}

// removeKey removes the row of a key, and calls off the addition with it that was staged before.
func (t *Table[R]) removeKey(b *batch[R], number int) {
	key, live, pending, lost := t.core.key.find(number)
	if pending >= 0 {
		t.callOff(b, pending)
	}
	if lost >= 0 {
		if s, _ := t.core.state(uint32(lost)); s == swept { // the removal also takes the dead row
			t.core.out(uint32(lost), removed)
			return
		}
	}
	switch {
	case live >= 0:
		t.core.end(t.core.ids.At(live).slot, removed)
		t.core.report.Removed++
	case pending >= 0:
	case lost >= 0:
		t.core.problem(t.core.id(name{uint32(lost), t.core.slots[lost].gen}), key, ErrRemovedTwice)
	default:
		t.core.problem(ID{}, key, ErrNoRow)
	}
}

// keep leaves in the batch the rows that are still to be added. It refuses a row whose key a row of
// the table has.
func (t *Table[R]) keep(b *batch[R]) {
	k := 0
	for i, n := range b.names {
		if s, _ := t.core.state(n.slot); s != staged || t.core.slots[n.slot].gen != n.gen {
			continue
		}
		if t.core.key != nil {
			if key, taken := t.core.key.has(refOf(&b.rows[i])); taken {
				t.core.refuse(n, key, ErrKey)
				continue
			}
		}
		if k != i {
			b.rows[k], b.names[k] = b.rows[i], n
		}
		k++
	}
	t.cut(b, k)
}

// cut shortens the batch to n rows.
func (t *Table[R]) cut(b *batch[R], n int) {
	if t.requests.elem.Holds {
		clear(b.rows[n:])
	}
	b.rows, b.names = b.rows[:n], b.names[:n]
}
