package table

import "example.com/custody/safety"

// Transfer stages that a row leaves its table and comes to another one, whose rows are of the same type, and returns the name that it will have
// there: the next Apply of from stages it in to, with its key, and the next one of to adds it. Fields that are columns of to alone are zero.
//
// Until that Apply of from the row has not arrived: it can be removed in from. What is wrong by then is told by the [Report] of that Apply, and the row
// stays, if there is one: that it is not there, or has been found dead by the same Apply ([ErrNoRow]) or is removed; that its key cannot be compared in to
// ([ErrNotComparable]) or does not equal itself ([ErrNotEqual]); or that to was disposed ([ErrNowhere]). Then nobody ever has the name. A row whose
// addition is still staged goes to the other table as well: its addition to from is called off.
//
// Once it has left it is as any other row that is staged in to: a key that another one has there, and a [Fixed] table that is full, cost the row
// ([ErrKey], [ErrFull]), and the Report of to's Apply tells its new name. To's Remove of that name, staged before the Apply of to that would add the
// row, calls it off, even before it has left. And a to that is disposed before that Apply takes it along.
//
// In all else it is as [Table.Add]. Tables that are the same are a violation.
func Transfer[R any](from *Table[R], id ID, to *Table[R]) ID {
	need(from, "a row was to be transferred from")
	need(to, "a row was to be transferred to")
	from.guard.CheckExists()
	to.guard.CheckExists()
	if from == to {
		panic(from.guard.Violation(safety.ErrArgument, "a row of "+from.guard.Container()+" was to be transferred to where it is", "Pass two tables."))
	}
	n := to.stage.reserve()
	s := &from.stage
	s.lock.Lock()
	defer s.lock.Unlock()
	s.batch.removeSpecially(s.keyed, id, special[R]{to: to, as: n})
	return ID{to.number, n.slot, n.gen}
}

// reserve returns a name for a row that is still on its way.
func (s *stage[R]) reserve() name {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.name()
}

// giveUp frees the name of a row that does not come.
func (s *stage[R]) giveUp(n name) {
	if n.gen++; n.gen == 0 {
		return
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	s.free = append(s.free, n)
}

// transfer removes the row, or calls its addition off, and stages it in another table.
func (t *Table[R]) transfer(b *batch[R], id ID, g *special[R]) (key any, err error) {
	how, i, err := t.asked(b, id)
	var r R
	switch {
	case err != nil:
	case how == present:
		t.gather(i, &r)
	case how == staged:
		t.carry(&b.rows[i], &r)
	case how == swept:
		err = ErrNoRow
	default:
		err = t.remove(b, id) // which says why it cannot
	}
	if err == nil {
		if key, err = g.to.arrive(r, g.as); err == nil {
			return nil, t.remove(b, id)
		}
	}
	g.to.stage.giveUp(g.as)
	return key, err
}

// carry has to be what the table would keep of a row.
func (t *Table[R]) carry(from, to *R) {
	for _, c := range t.columns {
		c.carry(from, to)
	}
	if t.key != nil {
		t.key.carry(from, to)
	}
}

// arrive stages a row that has a name, unless there is something wrong with it or the table.
func (t *Table[R]) arrive(r R, n name) (key any, err error) {
	if t.key != nil {
		if key, err = t.key.compares(&r); err != nil {
			return key, err
		}
	}
	s := &t.stage
	s.lock.Lock()
	defer s.lock.Unlock()
	if t.Disposed() {
		return nil, ErrNowhere
	}
	s.batch.rows = append(s.batch.rows, r)
	s.batch.names = append(s.batch.names, n)
	return nil, nil
}
