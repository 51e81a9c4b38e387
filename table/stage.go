package table

import (
	"slices"

	"example.com/custody/internal/amount"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/elem"
	"example.com/custody/safety"
)

// stage is what is staged until the next Apply. The lock guards all of it except elem (T3).
type stage struct {
	elem  *elem.Type // of rows
	lock  atom.Mutex
	keyed bool   // rows have keys
	names uint32 // the number of slots, those of staged rows among them
	free  []name // names of slots whose rows are gone; the last one is given next
	batch batch
	spare batch // of the Apply before, empty
}

// name is a slot and a generation of it.
type name struct{ slot, gen uint32 }

// batch is what one Apply takes.
type batch struct {
	rows    elem.Memory // of the rows to be added
	names   []name      // theirs
	gone    []ID        // rows that are to be removed
	special []special
	marks   []mark // of tables with keys
	trim    struct{ names, gone, special, marks atom.Trimmer }
}

// special is a removal by a key, or a transfer. Other removals are by a name alone.
type special struct {
	at  int   // its index in gone
	key int   // 1 more than the index of the key whose row is removed; 0: there is none
	to  *core // the table that the row is transferred to; nil: there is none
	as  name  // its name there
}

// mark has the number of rows staged before the removals from index gone on, up to the next mark.
type mark struct{ gone, rows int }

// empty removes what b has, and keeps the memory as far as that is worthwhile.
func (b *batch) empty(of *elem.Type) {
	b.rows.Empty(of)
	clear(b.special) // they keep tables alive
	b.names, b.gone = atom.Reuse(&b.trim.names, b.names), atom.Reuse(&b.trim.gone, b.gone)
	b.special, b.marks = atom.Reuse(&b.trim.special, b.special), atom.Reuse(&b.trim.marks, b.marks)
}

// begun reports whether anything was ever staged. The caller has the lock.
func (t *core) begun() bool { return t.stage.names > 0 || t.requests.(*requests).list.N > 0 }

// row returns row i of the batch.
func (s *stage) row(b *batch, i int) elem.Pointer { return s.elem.At(b.rows.P, i) }

// name returns a name that was never used. The caller has the lock.
func (s *stage) name() name {
	if k := len(s.free) - 1; k >= 0 {
		n := s.free[k]
		s.free = s.free[:k]
		return n
	}
	s.names++
	return name{s.names - 1, 1}
}

// add stages the row behind the last one, with a name. The caller has the lock.
func (s *stage) add(n name) {
	s.batch.rows.N++
	s.batch.names = append(s.batch.names, n)
}

// remove stages the removal of rows. sp is nil unless it is the special one of a single row. The
// caller has the lock.
func (s *stage) remove(sp *special, ids ...ID) {
	b := &s.batch
	if sp == nil && len(ids) == 0 {
		return // a mark belongs to a removal
	}
	if sp != nil {
		sp.at = len(b.gone)
		b.special = append(b.special, *sp)
	}
	if n := b.rows.N; s.keyed && n > 0 && (len(b.marks) == 0 || b.marks[len(b.marks)-1].rows != n) {
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
func (q *requests) follow(s *stage, additions int) {
	s.batch.rows.Grow(s.elem, additions)
	s.batch.names = slices.Grow(s.batch.names, additions)
	for i := range q.list.N {
		if a := q.ask(i); a.adds {
			s.elem.Copy(s.batch.rows.Grow(s.elem, 1), a.row(), 1)
			s.add(s.name())
		} else {
			s.remove(nil, a.gone)
		}
	}
}

// take returns what is staged, with what loops have staged behind it, and the number of slots. If
// the table cannot have so many rows, take panics with a violation, and everything stays staged.
func (t *core) take() (b batch, slots int) {
	s, q, count, additions := &t.stage, t.requests.(*requests), t.count(), 0
	for i := range q.list.N {
		if q.ask(i).adds {
			additions++
		}
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	if over := s.batch.rows.N + additions + count - t.limit; over > 0 {
		panic(t.guard.Violation(safety.ErrLength, t.guard.Container()+" has "+number(count)+" rows, and was to have "+number(over)+" more than a table has", "It has "+number(t.limit)+
			" rows at most, with those that are staged. Everything stays staged."))
	}
	q.follow(s, additions)
	q.list.Empty(q.lanes.Elem)
	b, s.batch, s.spare = s.batch, s.spare, batch{}
	if t.key != nil {
		t.key.take()
	}
	return b, int(s.names)
}

// done gives the stage the memory of a batch back, and the slots that the Apply has released.
func (t *core) done(b batch) {
	s := &t.stage
	b.empty(s.elem)
	s.lock.Lock()
	defer s.lock.Unlock()
	if t.key != nil {
		t.key.done()
	}
	s.spare = b
	if s.batch.rows.N+len(s.batch.gone) == 0 { // what the caches have is used again at once
		s.batch, s.spare = s.spare, s.batch
	}
	s.free = append(s.free, t.free...)
}

// drop forgets what is staged. Other goroutines may be about to stage.
func (t *core) drop() {
	s := &t.stage
	s.lock.Lock()
	defer s.lock.Unlock()
	if t.key != nil {
		t.key.drop()
	}
	s.free, s.batch, s.spare = nil, batch{}, batch{}
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
	*(*R)(t.core.place()) = row
	return t.core.placed()
}

// place returns where the caller writes the row that it adds before it calls placed. The lock is
// held in between.
func (t *core) place() elem.Pointer {
	t.guard.CheckExists()
	t.stage.lock.Lock()
	var p elem.Pointer
	defer func() {
		if p == nil {
			t.stage.lock.Unlock()
		}
	}()
	p = t.stage.batch.rows.Grow(t.stage.elem, 1)
	return p
}

func (t *core) placed() ID {
	s := &t.stage
	defer s.lock.Unlock()
	if t.key != nil {
		t.compare(s.row(&s.batch, s.batch.rows.N))
	}
	n := s.name()
	s.add(n)
	return t.id(n)
}

// compare panics if the row's key cannot be compared. Then the row becomes zero.
func (t *core) compare(r elem.Pointer) {
	comparable := false
	defer func() {
		if !comparable {
			t.stage.elem.Clear(r, 1)
		}
	}()
	t.key.compare(r)
	comparable = true
}

// AddAll stages rows, one after the other and with no other between them, and returns ids with
// their names appended: ids may be nil, or ids[:0] of the call before, to use its memory again. It
// is a violation if rows has more rows than a table can have. In all else it is as Add.
func (t *Table[R]) AddAll(rows []R, ids []ID) []ID {
	return t.core.addAll(elem.Data(rows), len(rows), ids)
}

func (t *core) addAll(rows elem.Pointer, n int, ids []ID) []ID {
	t.guard.CheckExists()
	if most := min(mostRows, amount.Most[ID]()); n > most {
		panic(amount.Refusal(&t.guard, "was to get", n, 0, most, "row"))
	}
	ids = slices.Grow(ids, n)
	s := &t.stage
	s.lock.Lock()
	defer s.lock.Unlock()
	for i := 0; i < n && t.key != nil; i++ {
		t.key.compare(s.elem.At(rows, i))
	}
	b := &s.batch
	b.names = slices.Grow(b.names, n)
	s.elem.Copy(b.rows.Grow(s.elem, n), rows, n)
	b.rows.N += n
	for range n {
		m := s.name()
		b.names, ids = append(b.names, m), append(ids, t.id(m))
	}
	return ids
}

// Remove stages the removal of rows, one after the other, or calls their additions off if these are
// still staged. If no row has a name, or none has it any more, or it is of another table, the
// [Report] of the next Apply has a [Problem]. In all else it is as Add. A call with many names
// locks once.
func (t *Table[R]) Remove(ids ...ID) { t.core.unstage(ids) }

func (t *core) unstage(ids []ID) {
	t.guard.CheckExists()
	s := &t.stage
	s.lock.Lock()
	defer s.lock.Unlock()
	s.remove(nil, ids...)
}
