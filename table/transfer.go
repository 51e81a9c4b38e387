package table

import "example.com/custody/safety"

// Transfer stages that a row leaves its table and comes to another one, whose rows are of the same type, and returns the name that it will have
// there: the next Apply of from stages it in to, with its key, and the next one of to adds it. Fields that are columns of to alone are zero.
// What is wrong with it is told by the [Report] of from's Apply, as of [Table.Remove]; then nobody ever has the name. Until that Apply the
// row has not arrived: it can be removed in from, and its new name is nobody's. A row of which the addition is staged still goes nowhere: its
// addition is called off. One whose key cannot be compared in to stays, with [ErrNotEqual]. In all else it is as [Table.Add]. Tables that are
// the same are a violation.
func Transfer[R any](from *Table[R], id ID, to *Table[R]) ID {
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

// arrive stages a row that has a name.
func (s *stage[R]) arrive(row R, n name) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.batch.rows = append(s.batch.rows, row)
	s.batch.names = append(s.batch.names, n)
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

// transfer removes the row and stages it in another table. An addition that is staged is called off.
func (t *Table[R]) transfer(b *batch[R], id ID, g *special[R]) error {
	var r R
	row, ok := t.find(id)
	if ok {
		if t.gather(row, &r); !g.to.admits(&r) {
			g.to.stage.giveUp(g.as)
			return ErrNotEqual
		}
	}
	err := t.remove(b, id)
	switch {
	case err != nil || !ok:
		g.to.stage.giveUp(g.as)
	case !g.to.Disposed():
		g.to.stage.arrive(r, g.as)
	}
	return err
}

// admits says whether the row's key can be compared, if it has one.
func (t *Table[R]) admits(r *R) (ok bool) {
	if t.key == nil {
		return true
	}
	defer func() { ok = recover() == nil }()
	t.key.compare(r)
	return ok
}
