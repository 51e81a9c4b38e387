package table

import (
	"example.com/custody/internal/elem"
	"example.com/custody/safety"
)

// Transfer stages that the row id leaves the table from and comes to the table to, whose rows are
// of the same type. It returns the name that the row will have in to. The next Apply of from stages
// the row in to, with its key, and the next Apply of to after that adds it. Fields that are columns
// of to alone are zero.
//
// Until that Apply of from the row stays in from, and can be removed there. A row whose addition to
// from is still staged goes to the other table as well: its addition to from is called off.
//
// The [Report] of that Apply of from has a [Problem] if the row cannot leave. Then the row stays in
// from, if it is there, and no row ever gets the name. The problems are that there is no such row,
// or that the same Apply has found it dead ([ErrNoRow]); that another request has removed it; that
// its key cannot be compared in to ([ErrNotComparable]) or does not equal itself ([ErrNotEqual]);
// and that to was disposed ([ErrNowhere]).
//
// Once the row has left from it is as any other row that is staged in to. If another row in to has
// its key, or a [Fixed] to is full, the row is lost, and the Report of to has its new name
// ([ErrKey], [ErrFull]). A Remove of that name in to calls the row off if the same Apply of to
// would add the row, even if the Remove was staged before the row has left from. An earlier Apply
// of to cannot meet the Remove ([ErrNoRow]), and the row comes all the same. If to is disposed
// before the row is added, the row ends with it.
//
// In all else Transfer is as [Table.Add]. It is a violation if from and to are the same table.
func Transfer[R any](from *Table[R], id ID, to *Table[R]) ID {
	return (*core)(elem.Pointer(from)).transferTo((*core)(elem.Pointer(to)), id)
}

func (t *core) transferTo(to *core, id ID) ID {
	t.need("a row was to be transferred from").guard.CheckExists()
	to.need("a row was to be transferred to").guard.CheckExists()
	if t == to {
		panic(t.guard.Violation(safety.ErrArgument, "a row of "+t.guard.Container()+" was to be transferred to where it is", "Pass two tables."))
	}
	n := to.stage.reserve()
	s := &t.stage
	s.lock.Lock()
	defer s.lock.Unlock()
	s.remove(&special{to: to, as: n}, id)
	return to.id(n)
}

// reserve returns a name for a row that is to be transferred.
func (s *stage) reserve() name {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.name()
}

// giveUp frees the slot of a name that no row gets, unless its generations are used up.
func (s *stage) giveUp(n name) {
	if n.gen++; n.gen == 0 {
		return
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	s.free = append(s.free, n)
}

// transfer removes the row, or calls its addition off, and stages it in another table. If it
// returns an error it has done neither, and gives up the name that was reserved there.
func (t *core) transfer(b *batch, id ID, g *special) (key any, err error) {
	how, i, err := t.asked(b.names, id)
	r := t.stage.elem.Make(1)
	switch {
	case err != nil:
	case how == present:
		t.gather(i, r)
	case how == staged:
		t.carry(t.stage.row(b, i), r)
	case how == swept:
		err = ErrNoRow
	default:
		err = t.remove(b, id) // whose error is the reason
	}
	if err == nil {
		if key, err = g.to.arrive(r, g.as); err == nil {
			return nil, t.remove(b, id)
		}
	}
	g.to.stage.giveUp(g.as)
	return key, err
}

// carry copies the fields that the table would keep from the row from to the row to.
func (t *core) carry(from, to elem.Pointer) {
	for _, c := range t.columns {
		c.carry(from, to)
	}
	if t.key != nil {
		t.key.carry(from, to)
	}
}

// arrive stages a row under the name that was reserved for it. It returns an error if the row's key
// cannot be in the table, or the table was disposed.
func (t *core) arrive(r elem.Pointer, n name) (key any, err error) {
	if t.key != nil {
		if key, err = t.key.comparable(r); err != nil {
			return key, err
		}
	}
	s := &t.stage
	s.lock.Lock()
	defer s.lock.Unlock()
	if t.guard.Disposed() {
		return nil, ErrNowhere
	}
	s.elem.Copy(s.batch.rows.Grow(s.elem, 1), r, 1)
	s.add(n)
	return nil, nil
}
