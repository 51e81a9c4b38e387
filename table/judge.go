package table

// This file is what becomes of each request when they are applied: who is removed, who is not added after all, and what is a problem.

// judge goes through what was asked for in the order in which it was. It finds the rows that are to be removed, and takes out of the batch those
// that are not to be added.
func (t *Table[R]) judge(b *batch[R]) {
	t.known, t.noted = 0, false
	if t.key != nil {
		t.note(b)
	}
	special, marks := b.special, b.marks
	for i, id := range b.gone {
		if len(marks) > 0 && marks[0].gone == i {
			t.register(b, marks[0].rows)
			marks = marks[1:]
		}
		var key any
		var err error
		if len(special) == 0 || special[0].at != i {
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
			t.report.Problems = append(t.report.Problems, Problem{ID: id, Key: key, Err: err})
		}
	}
	if t.key != nil {
		t.register(b, len(b.rows))
	}
	if t.noted {
		t.keep(b)
	}
}

// note notes which rows are to be added. Without keys that is needed only if an addition is called off.
func (t *Table[R]) note(b *batch[R]) {
	t.noted = true
	for i, n := range b.names {
		t.slots[n.slot] = slot{row: waits + int32(i), gen: n.gen}
	}
}

// register looks at the keys of the rows that were staged before others.
func (t *Table[R]) register(b *batch[R], until int) {
	for ; t.known < until; t.known++ {
		if s, _ := t.state(b.names[t.known].slot); s == staged {
			if key, err := t.key.register(t.known, &b.rows[t.known]); err != nil {
				t.refuse(b.names[t.known], key, err)
			}
		}
	}
}

// asked returns the state of the row or addition of a name in this Apply, and its index among those
// of that state.
func (t *Table[R]) asked(b *batch[R], id ID) (how state, i int, err error) {
	if id.table != t.number {
		if id.Zero() {
			return absent, none, ErrNoRow
		}
		return absent, none, ErrForeign
	}
	s := t.slots[id.slot]
	if s.gen < id.gen && !t.noted { // a later one: names are passed over of which there is never a row
		t.note(b)
		s = t.slots[id.slot]
	}
	if s.gen != id.gen {
		return absent, none, ErrNoRow
	}
	how, i = t.state(id.slot)
	return how, i, nil
}

// remove removes the row of a name, or calls its addition off.
func (t *Table[R]) remove(b *batch[R], id ID) error {
	how, i, err := t.asked(b, id)
	if err != nil {
		return err
	}
	switch how {
	case present:
		t.end(id.slot, removed)
		t.report.Removed++
	case staged:
		t.callOff(b, name{id.slot, id.gen})
		t.report.CalledOff++
	case absent, refused:
		return ErrNoRow
	case swept: // what was asked for
		t.outs[i].how = removed
	default:
		return ErrRemovedTwice
	}
	return nil
}

// callOff takes a row out of what is to be added.
func (t *Table[R]) callOff(b *batch[R], n name) {
	if t.key != nil {
		_, i := t.state(n.slot)
		t.key.unregister(i, &b.rows[i], n.slot)
	}
	t.out(n.slot, removed)
	t.release(n)
}

// refuse takes a row out that cannot be added.
func (t *core) refuse(n name, key any, err error) {
	t.out(n.slot, refused)
	t.release(n)
	t.report.Problems = append(t.report.Problems, Problem{ID: ID{t.number, n.slot, n.gen}, Key: key, Err: err})
}

// removeKey removes the row of a key, and calls off the addition with the key that was staged
// before.
func (t *Table[R]) removeKey(b *batch[R], number int) {
	key, live, pending, lost := t.keys.find(number)
	if pending >= 0 {
		t.callOff(b, b.names[pending])
		t.report.CalledOff++
	}
	if lost >= 0 {
		if s, i := t.state(uint32(lost)); s == swept { // the removal also takes the dead row
			t.outs[i].how = removed
			return
		}
	}
	switch {
	case live >= 0:
		t.end(t.ids.At(live).slot, removed)
		t.report.Removed++
	case pending >= 0:
	case lost >= 0:
		t.report.Problems = append(t.report.Problems, Problem{ID: ID{t.number, uint32(lost), t.slots[lost].gen}, Key: key, Err: ErrRemovedTwice})
	default:
		t.report.Problems = append(t.report.Problems, Problem{Key: key, Err: ErrNoRow})
	}
}

// keep leaves only those rows in the batch that are to be added: none whose key a row has.
func (t *Table[R]) keep(b *batch[R]) {
	k := 0
	for i, n := range b.names {
		if s, _ := t.state(n.slot); s != staged || t.slots[n.slot].gen != n.gen {
			continue
		}
		if t.key != nil {
			if key, taken := t.key.has(&b.rows[i]); taken {
				t.refuse(n, key, ErrKey)
				continue
			}
		}
		if k != i {
			b.rows[k], b.names[k] = b.rows[i], n
		}
		k++
	}
	if t.holds {
		clear(b.rows[k:])
	}
	b.rows, b.names = b.rows[:k], b.names[:k]
}
