package table

import (
	"math"
	"slices"
)

// judge decides on each removal, in the order in which they were staged. It finds the rows that are
// to be removed, and takes those out of the batch that are not to be added.
func (t *core) judge(b *batch) {
	t.known, t.noted = 0, false
	if t.key != nil {
		t.note(b.names)
	}
	special, marks := b.special, b.marks
	for i := 0; i < len(b.gone); i++ {
		next := len(b.gone)
		if len(special) > 0 {
			next = special[0].at
		}
		if t.key == nil {
			i += t.removeAll(b.gone[i:next])
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
			t.problem(id, key, err)
		}
	}
	if t.noted {
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

// register registers the keys of the rows of the batch before the index until, which a removal may
// concern. It refuses a row whose key another addition has, or does not equal itself.
func (t *core) register(b *batch, until int) {
	for ; t.known < until; t.known++ {
		if s, _ := t.state(b.names[t.known].slot); s == staged {
			if key, err := t.key.register(t.known, t.stage.row(b, t.known)); err != nil {
				t.refuse(b.names[t.known], key, err)
			}
		}
	}
}

// asked returns the state of the row or addition that has the name id, and its index, as state
// does. It calls note first if the name may be that of an addition.
func (t *core) asked(names []name, id ID) (how state, i int, err error) {
	if id.table != t.number {
		if id.zero() {
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
func (t *core) remove(b *batch, id ID) error {
	how, i, err := t.asked(b.names, id)
	if err != nil {
		return err
	}
	switch how {
	case present:
		t.end(id.slot, removed)
		t.report.Removed++
	case staged:
		t.callOff(b, i)
	case absent, refused:
		return ErrNoRow
	case swept: // the request is met
		if t.key != nil {
			t.key.recall()
		}
		t.out(id.slot, removed)
	default:
		return ErrRemovedTwice
	}
	return nil
}

// callOff calls off the addition of row i of the batch. keep takes the row out of the batch.
func (t *core) callOff(b *batch, i int) {
	n := b.names[i]
	if t.key != nil {
		t.key.unregister(i, t.stage.row(b, i), n.slot)
	}
	t.out(n.slot, removed)
	t.release(n)
	t.report.CalledOff++
}

// refuse reports that the row named n cannot be added. keep or cut takes it out of the batch.
func (t *core) refuse(n name, key any, err error) {
	t.out(n.slot, refused)
	t.release(n)
	t.problem(t.id(n), key, err)
}

// removeKey removes the row of a key, and calls off the addition with it that was staged before.
func (t *core) removeKey(b *batch, number int) {
	key, live, pending, lost := t.key.find(number)
	if pending >= 0 {
		t.callOff(b, pending)
	}
	if lost >= 0 {
		if s, _ := t.state(uint32(lost)); s == swept { // the removal also takes the dead row
			t.key.recall()
			t.out(uint32(lost), removed)
			return
		}
	}
	switch {
	case live >= 0:
		t.end(t.ids.At(live).slot, removed)
		t.report.Removed++
	case pending >= 0:
	case lost >= 0:
		t.problem(t.id(name{uint32(lost), t.slots[lost].gen}), key, ErrRemovedTwice)
	default:
		t.problem(ID{}, key, ErrNoRow)
	}
}

// keep leaves in the batch the rows that are still to be added. It refuses a row whose key a row of
// the table, or a row before it, has, or does not equal itself.
func (t *core) keep(b *batch) {
	k := 0
	for i, n := range b.names {
		if s, _ := t.state(n.slot); s != staged || t.slots[n.slot].gen != n.gen {
			continue
		}
		if t.key != nil {
			if key, err := t.key.enter(t.stage.row(b, i), n.slot); err != nil {
				t.refuse(n, key, err)
				continue
			}
		}
		if k != i {
			b.names[k] = n
			t.stage.elem.Copy(t.stage.row(b, k), t.stage.row(b, i), 1)
		}
		k++
	}
	t.cut(b, k)
}

// cut shortens the batch to n rows.
func (t *core) cut(b *batch, n int) {
	if n < b.rows.N && t.stage.elem.Holds {
		t.stage.elem.Clear(t.stage.row(b, n), b.rows.N-n)
	}
	b.rows.N, b.names = n, b.names[:n]
}
