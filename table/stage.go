package table

import (
	"slices"

	"example.com/custody/internal/amount"
	"example.com/custody/internal/atom"
)

// stage is what is staged until the next Apply.
type stage[R any] struct {
	lock  atom.Mutex
	keyed bool   // rows have keys
	names uint32 // how many slots there are, with those that are staged
	free  []name // of slots whose rows are gone, the next ones
	batch batch[R]
	spare batch[R] // of the Apply before, empty

	scratch atom.Spares[R]
}

// name is a slot and a generation of it.
type name struct{ slot, gen uint32 }

// batch is what one Apply takes.
type batch[R any] struct {
	rows    []R    // to be added
	names   []name // theirs
	gone    []ID   // rows that are to be removed
	special []special[R]
	marks   []mark
	trim    struct{ rows, names, gone, special, marks atom.Trimmer }
}

// emptied returns an empty batch with the memory of b, as far as that is kept.
func (b batch[R]) emptied() batch[R] {
	b.rows, b.names = atom.Reuse(&b.trim.rows, b.rows), atom.Reuse(&b.trim.names, b.names)
	b.gone, b.special, b.marks = atom.Reuse(&b.trim.gone, b.gone), atom.Reuse(&b.trim.special, b.special), atom.Reuse(&b.trim.marks, b.marks)
	return b
}

// special is a removal that is more than one of a row by its name.
type special[R any] struct {
	at  int       // its number among the removals
	key int       // 1 more than its number among the keys that are to be removed; 0: there is none
	to  *Table[R] // where the row goes; nil: nowhere
	as  name      // its name there
}

// mark says how many rows had been staged before a removal and those that follow it. It is of use where rows have keys.
type mark struct{ gone, rows int }

// remove stages the removal of some rows.
func (b *batch[R]) remove(keyed bool, ids ...ID) {
	if n := len(b.rows); keyed && n > 0 && (len(b.marks) == 0 || b.marks[len(b.marks)-1].rows != n) {
		b.marks = append(b.marks, mark{len(b.gone), n})
	}
	b.gone = append(b.gone, ids...)
}

// removeSpecially stages a removal that is more than one of a row by its name.
func (b *batch[R]) removeSpecially(keyed bool, id ID, s special[R]) {
	s.at = len(b.gone)
	b.remove(keyed, id)
	b.special = append(b.special, s)
}

// begun says whether there was ever a row.
func (s *stage[R]) begun() bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.names > 0
}

// drop forgets what is staged: some may be about to stage still.
func (s *stage[R]) drop(keys keyring) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if keys != nil {
		keys.drop()
	}
	s.free, s.batch, s.spare = nil, batch[R]{}, batch[R]{}
}

// add stages a row.
func (s *stage[R]) add(table uint32, row R) ID {
	s.lock.Lock()
	defer s.lock.Unlock()
	n := s.put(row)
	return ID{table, n.slot, n.gen}
}

// put stages a row, for who has the lock.
func (s *stage[R]) put(row R) name {
	n := s.name()
	s.batch.rows = append(s.batch.rows, row)
	s.batch.names = append(s.batch.names, n)
	return n
}

// name returns a name that nobody has.
func (s *stage[R]) name() name {
	if k := len(s.free) - 1; k >= 0 {
		n := s.free[k]
		s.free = s.free[:k]
		return n
	}
	s.names++
	return name{s.names - 1, 1}
}

// addAll stages rows, and appends their names to ids.
func (s *stage[R]) addAll(table uint32, rows []R, ids []ID) []ID {
	ids = slices.Grow(ids, len(rows))
	s.lock.Lock()
	defer s.lock.Unlock()
	s.batch.rows = append(s.batch.rows, rows...)
	for range rows {
		n := s.name()
		s.batch.names = append(s.batch.names, n)
		ids = append(ids, ID{table, n.slot, n.gen})
	}
	return ids
}

// remove stages removals.
func (s *stage[R]) remove(ids ...ID) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.batch.remove(s.keyed, ids...)
}

// take returns what is staged, with what loops have staged behind it, and how many slots there are. If more rows are staged than most it takes
// nothing, and says how many are over.
func (s *stage[R]) take(keys keyring, rows []R, turns []ID, most int) (b batch[R], names, over int) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if over = len(s.batch.rows) + len(rows) - most; over > 0 {
		return b, 0, over
	}
	s.follow(rows, turns)
	b, s.batch, s.spare = s.batch, s.spare, batch[R]{}
	if keys != nil {
		keys.take()
	}
	return b, int(s.names), 0
}

// done takes the memory of a batch back, and the names that nobody has any more.
func (s *stage[R]) done(b batch[R], holds bool, keys keyring, free []name) {
	if holds {
		clear(b.rows)
	}
	clear(b.special) // which may have tables
	s.lock.Lock()
	defer s.lock.Unlock()
	if keys != nil {
		keys.done()
	}
	s.spare = b.emptied()
	s.free = append(s.free, free...)
}

// Add stages a row, and returns the name that it will have. No row has the name until the next
// Apply, and [Table.Remove] of it calls the addition off. Any goroutine may stage, at any time,
// while jobs hold the table. Rows that the bodies of a loop stage by Add come in no particular
// order. Add is a violation if the table was disposed. If the key of the row cannot be compared,
// Add panics as the comparison does, and stages nothing.
//
// Cost: a lock, and a copy of the row.
func (t *Table[R]) Add(row R) ID {
	t.guard.CheckExists()
	if t.key != nil {
		t.compare(row)
	}
	return t.stage.add(t.number, row)
}

// AddAll stages rows, one after the other and with no other between them, and returns ids with their names appended. It is a violation if rows has more rows than a table can have. In all else it is as Add.
func (t *Table[R]) AddAll(rows []R, ids []ID) []ID {
	t.guard.CheckExists()
	if most := min(mostRows, amount.Most[ID]()); len(rows) > most {
		panic(amount.Refusal(&t.guard, "was to get", len(rows), 0, most, "row"))
	}
	if t.key != nil {
		for i := range rows {
			t.key.compare(&rows[i])
		}
	}
	return t.stage.addAll(t.number, rows, ids)
}

// compare panics if the row's key cannot be compared.
func (t *Table[R]) compare(row R) {
	r := t.stage.scratch.Take()
	if r == nil {
		r = new(R)
	}
	*r = row
	t.key.compare(r)
	var zero R
	*r = zero
	t.stage.scratch.Give(r)
}

// Remove stages the removal of a row, or calls its addition off if that is staged still. What is wrong with it is told by the [Report] of the next
// Apply: a name that no row has, or has any more, or another table's. In all else it is as Add.
func (t *Table[R]) Remove(id ID) {
	t.guard.CheckExists()
	t.stage.remove(id)
}

// RemoveIDs stages the removal of the rows of these names, one after the other, and of no others: it does not remove all rows. In all else it is as Remove.
func (t *Table[R]) RemoveIDs(ids []ID) {
	t.guard.CheckExists()
	t.stage.remove(ids...)
}
