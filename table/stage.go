package table

import (
	"slices"

	"example.com/custody/internal/amount"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/elem"
	"example.com/custody/safety"
)

// stage is what is staged until the next Apply. The lock guards all of it except scratch (T3).
type stage[R any] struct {
	lock  atom.Mutex
	keyed bool   // rows have keys
	names uint32 // the number of slots, those of staged rows among them
	free  []name // names of slots whose rows are gone; the last one is given next
	batch batch[R]
	spare batch[R] // of the Apply before, empty

	scratch atom.Spares[R] // rows whose keys are compared
}

// name is a slot and a generation of it.
type name struct{ slot, gen uint32 }

// batch is what one Apply takes.
type batch[R any] struct {
	rows    []R    // to be added
	names   []name // theirs
	gone    []ID   // rows that are to be removed
	special []special[R]
	marks   []mark // of tables with keys
	trim    struct{ rows, names, gone, special, marks atom.Trimmer }
}

// special is a removal by a key, or a transfer. Other removals are by a name alone.
type special[R any] struct {
	at  int       // its index in gone
	key int       // 1 more than the index of the key whose row is removed; 0: there is none
	to  *Table[R] // the table that the row is transferred to; nil: there is none
	as  name      // its name there
}

// mark has the number of rows staged before the removals from index gone on, up to the next mark.
type mark struct{ gone, rows int }

// emptied returns an empty batch with the memory of b, as far as that is kept.
func (b batch[R]) emptied() batch[R] {
	b.rows, b.names = atom.Reuse(&b.trim.rows, b.rows), atom.Reuse(&b.trim.names, b.names)
	b.gone, b.special = atom.Reuse(&b.trim.gone, b.gone), atom.Reuse(&b.trim.special, b.special)
	b.marks = atom.Reuse(&b.trim.marks, b.marks)
	return b
}

// begun reports whether a row was ever staged.
func (s *stage[R]) begun() bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.names > 0
}

// name returns a name that was never used. The caller has the lock.
func (s *stage[R]) name() name {
	if k := len(s.free) - 1; k >= 0 {
		n := s.free[k]
		s.free = s.free[:k]
		return n
	}
	s.names++
	return name{s.names - 1, 1}
}

// add stages a row with a name. The caller has the lock.
func (s *stage[R]) add(row R, n name) {
	s.batch.rows = append(s.batch.rows, row)
	s.batch.names = append(s.batch.names, n)
}

// addAll stages rows, and returns their names. The caller has the lock.
func (s *stage[R]) addAll(rows []R) []name {
	b := &s.batch
	was := len(b.names)
	b.rows = append(b.rows, rows...)
	b.names = slices.Grow(b.names, len(rows))[:was+len(rows)]
	names := b.names[was:]
	n := min(len(names), len(s.free))
	for i := range n {
		names[i] = s.free[len(s.free)-1-i]
	}
	s.free = s.free[:len(s.free)-n]
	for i := n; i < len(names); i++ {
		names[i] = s.name()
	}
	return names
}

// remove stages the removal of rows. sp is nil unless it is the special one of a single row. The
// caller has the lock.
func (s *stage[R]) remove(sp *special[R], ids ...ID) {
	b := &s.batch
	if sp == nil && len(ids) == 0 {
		return // a mark belongs to a removal
	}
	if sp != nil {
		sp.at = len(b.gone)
		b.special = append(b.special, *sp)
	}
	if n := len(b.rows); s.keyed && n > 0 && (len(b.marks) == 0 || b.marks[len(b.marks)-1].rows != n) {
		b.marks = append(b.marks, mark{len(b.gone), n})
	}
	if len(ids) == 1 {
		b.gone = append(b.gone, ids[0]) // takes half the time
		return
	}
	b.gone = append(b.gone, ids...)
}

// follow stages the requests of loops behind all others. additions is the number of additions among
// them. The caller has the lock, and keeps it until the Apply has taken the batch.
func (s *stage[R]) follow(list []request[R], additions int) {
	s.batch.rows = slices.Grow(s.batch.rows, additions)
	s.batch.names = slices.Grow(s.batch.names, additions)
	for i := range list {
		if r := &list[i]; r.adds {
			s.batch.rows = append(s.batch.rows, r.row)
			s.batch.names = append(s.batch.names, s.name())
		} else {
			s.remove(nil, r.gone)
		}
	}
}

// take returns what is staged, with what loops have staged behind it, and the number of slots. If
// the table cannot have so many rows, take panics with a violation, and everything stays staged.
func (t *Table[R]) take() (b batch[R], slots int) {
	s, q, count, additions := &t.stage, t.requests, t.Count(), 0
	list := elem.Slice[request[R]](q.p, q.n)
	for i := range list {
		if list[i].adds {
			additions++
		}
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	if over := len(s.batch.rows) + additions + count - t.core.limit; over > 0 {
		panic(t.core.guard.Violation(safety.ErrLength, t.core.guard.Container()+" has "+number(count)+" rows, and was to have "+number(over)+" more than a table has", "It has "+number(t.core.limit)+
			" rows at most, with those that are staged. Everything stays staged."))
	}
	s.follow(list, additions)
	q.clear()
	b, s.batch, s.spare = s.batch, s.spare, batch[R]{}
	if t.core.key != nil {
		t.core.key.take()
	}
	return b, int(s.names)
}

// done gives the stage the memory of a batch back, and the slots that the Apply has released.
func (t *Table[R]) done(b batch[R]) {
	if t.requests.elem.Holds {
		clear(b.rows)
	}
	clear(b.special) // they keep tables alive
	s := &t.stage
	s.lock.Lock()
	defer s.lock.Unlock()
	if t.core.key != nil {
		t.core.key.done()
	}
	s.spare = b.emptied()
	if len(s.batch.rows)+len(s.batch.gone) == 0 { // what the caches have is used again at once
		s.batch, s.spare = s.spare, s.batch
	}
	s.free = append(s.free, t.core.free...)
}

// drop forgets what is staged. Other goroutines may be about to stage.
func (t *Table[R]) drop() {
	s := &t.stage
	s.lock.Lock()
	defer s.lock.Unlock()
	if t.core.key != nil {
		t.core.key.drop()
	}
	s.free, s.batch, s.spare = nil, batch[R]{}, batch[R]{}
}

// Add stages a row, and returns the name that it will have. No row has the name until the next
// Apply, and [Table.Remove] of it calls the addition off. Any goroutine may stage, at any time,
// while jobs hold the table. Rows that the bodies of a loop stage by Add come in no particular
// order; a [Stager] keeps the order of the sequential loop. Add is a violation if the table was
// disposed. If the key of the row cannot be compared, Add panics as the comparison does, and stages
// nothing.
//
// Cost: a lock, and a copy of the row.
func (t *Table[R]) Add(row R) ID {
	t.core.guard.CheckExists()
	if t.core.key != nil {
		t.compare(row)
	}
	s := &t.stage
	s.lock.Lock()
	defer s.lock.Unlock()
	n := s.name()
	s.add(row, n)
	return t.core.id(n)
}

// AddAll stages rows, one after the other and with no other between them, and returns ids with
// their names appended. It is a violation if rows has more rows than a table can have. In all else
// it is as Add.
func (t *Table[R]) AddAll(rows []R, ids []ID) []ID {
	t.core.guard.CheckExists()
	if most := min(mostRows, amount.Most[ID]()); len(rows) > most {
		panic(amount.Refusal(&t.core.guard, "was to get", len(rows), 0, most, "row"))
	}
	if t.core.key != nil {
		for i := range rows {
			t.core.key.compare(refOf(&rows[i]))
		}
	}
	ids = slices.Grow(ids, len(rows))
	s := &t.stage
	s.lock.Lock()
	defer s.lock.Unlock()
	for _, n := range s.addAll(rows) {
		ids = append(ids, t.core.id(n))
	}
	return ids
}

// compare panics if the row's key cannot be compared. A row of scratch spares an allocation.
func (t *Table[R]) compare(row R) {
	r := t.stage.scratch.Take()
	if r == nil {
		r = new(R)
	}
	*r = row
	t.core.key.compare(refOf(r))
	*r = *new(R)
	t.stage.scratch.Give(r)
}

// Remove stages the removal of rows, one after the other, or calls their additions off if these are
// still staged. If no row has a name, or none has it any more, or it is of another table, the
// [Report] of the next Apply has a [Problem]. In all else it is as Add. A call with many names
// locks once.
func (t *Table[R]) Remove(ids ...ID) {
	t.core.guard.CheckExists()
	s := &t.stage
	s.lock.Lock()
	defer s.lock.Unlock()
	s.remove(nil, ids...)
}
