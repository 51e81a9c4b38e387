package table

import (
	"fmt"
	"iter"
	"strconv"

	"example.com/custody/internal/amount"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/elem"
	"example.com/custody/safety"
)

// Key finds rows by a key of the program's own, which no two rows have. It is made by [KeyOf], at
// most one for each table.
//
// Memory: a built-in map of the keys, and each key once more.
//
// Find, RowOf, At, All: owner reads; wait-free; O(1); allocates never.
// Remove: staged; lock; O(1); allocates growth.
type Key[K comparable] struct {
	self  *Key[K] // its address, which a copy does not have
	of    *core
	field extent
	live  map[K]uint32 // slots of the rows in the table
	keys  []K          // by row

	lock  *atom.Mutex      // of the stage
	note  func(number int) // stages the removal of the key with that index in gone
	gone  removals[K]
	spare removals[K]

	// Of an Apply.
	taken   removals[K]
	pending keptMap[K, int]    // the indices in the batch of the rows that are to be added
	lost    keptMap[K, uint32] // slots of rows that have ended or are not added, if taken has keys
}

// removals are the keys whose rows are to be removed.
type removals[K comparable] struct {
	keys []K
	trim atom.Trimmer
}

// KeyOf makes the Key of a table from the fields that key returns a pointer to. It calls key once,
// with a zero row, as [ColumnOf] calls field. The Key is made before the first row is staged.
// Making it later is a violation, and so is a second Key, or a nil key. Columns of the key's field,
// of a part of it, or of a struct that it is in, are made after the Key; they are for reading, see
// [ColumnOf].
func KeyOf[K comparable, R any](t *Table[R], key func(row *R) *K) *Key[K] {
	core := need(t, "a Key was to be made of")
	core.enter(callKeyOf)
	defer core.leave()
	t.core.guard.CheckWrite()
	var field extent
	if key != nil {
		field = fieldOf(core, "a Key", locate(key))
	}
	switch what := t.core.guard.Container() + " was to have "; {
	case key == nil:
		panic(t.core.guard.Violation(safety.ErrArgument, what+"keys by a nil function", "Pass a function that returns a pointer to the field that is the key."))
	case t.core.key != nil:
		panic(t.core.guard.Violation(safety.ErrArgument, what+"a second key for each row", "Make a Key once, or have a struct of both as the key."))
	case t.stage.begun():
		panic(t.core.guard.Violation(safety.ErrArgument, what+"keys after rows were staged", "Make the Key before the first Add."))
	}
	for _, c := range t.core.columns {
		if c.field.overlaps(field) {
			panic(t.core.guard.Violation(safety.ErrArgument, t.core.guard.Container()+" was to have keys by a field that "+c.guard.Container()+" has, or has a part of", "Make the Key before that column, which then is for reading."))
		}
	}
	core.hasPlaces("a Key", uintptr(amount.Size[K]()))
	s := &t.stage
	k := &Key[K]{of: core, field: field, live: map[K]uint32{}, lock: &s.lock}
	k.self, k.keys = k, make([]K, t.core.fixed)
	k.pending.of, k.lost.of = map[K]int{}, map[K]uint32{}
	k.note = func(number int) { s.remove(&special[R]{key: number + 1}, ID{}) }
	s.keyed = true
	t.core.key, t.core.keyField = k, field
	return k
}

// Remove stages the removal of the row that has the key, and of the addition with the key that is
// staged before the call. If there is neither, or another request has removed them, the [Report] of
// the next Apply has a [Problem]. No row has a key that does not equal itself. In all else Remove
// is as [Table.Add].
func (k *Key[K]) Remove(key K) {
	k.made().guard.CheckExists()
	delete(map[K]struct{}(nil), key) // panics if the key cannot be hashed, which == may not find
	k.lock.Lock()
	defer k.lock.Unlock()
	k.gone.keys = append(k.gone.keys, key)
	k.note(len(k.gone.keys) - 1)
}

// Find returns the name of the row that has the key, or false if there is none.
func (k *Key[K]) Find(key K) (id ID, ok bool) {
	row, ok := k.RowOf(key)
	if !ok {
		return ID{}, false
	}
	return k.of.ids.At(row), true
}

// RowOf returns the number of the row that has the key, or false if there is none. It holds until
// the next Apply that removes rows.
func (k *Key[K]) RowOf(key K) (row int, ok bool) {
	k.made().guard.CheckRead()
	s, ok := k.live[key]
	if !ok {
		return none, false
	}
	return int(k.of.slots[s].row), true
}

// At returns the key of a row. A row outside [0, Len) is a violation.
func (k *Key[K]) At(row int) K {
	k.made().ids.At(row) // checks custody and row
	return k.keys[row]
}

// All ranges over the keys of the rows and the names of the rows, in the order of the rows. It
// leaves out places without a row. In all else it is as [Table.All].
func (k *Key[K]) All() iter.Seq2[K, ID] {
	return func(yield func(K, ID) bool) {
		for row, id := range k.made().each {
			if !yield(k.keys[row], id) {
				return
			}
		}
	}
}

// keyring is the Key of a table, whatever the type of its keys is.
type keyring interface {
	// take takes what is staged. done forgets it, and drop everything. The stage is locked.
	take()
	done()
	drop()
	// compare panics if the row's key cannot be compared. comparable returns an error if it cannot
	// be, or does not equal itself.
	compare(r rowRef)
	comparable(r rowRef) (key any, err error)
	// register notes the key of the row that is to be added with that index, and unregister forgets
	// it. has reports whether a row of the table has the key.
	register(number int, r rowRef) (key any, err error)
	unregister(number int, r rowRef, slot uint32)
	has(r rowRef) (key any, ok bool)
	// find returns the row that has the key of the removal of that number, and the index of the
	// addition with that key. If no row has the key, lost is the slot of the row or addition that
	// had it before in this Apply. Each of these is none if there is no such row or addition. key
	// is nil unless row and pending are none.
	find(number int) (key any, row, pending, lost int)
	// forget takes the key from a row.
	forget(row int, slot uint32)
	// same panics with a violation unless r has the key of the row.
	same(row int, r rowRef)
	// gather sets the field of to to the key of a row, and carry to that of from.
	gather(row int, to rowRef)
	carry(from, to rowRef)
	// move moves the keys of the last rows to the rows that have ended. wipe makes keys zero.
	move(gone []int32)
	wipe(rows []int32)
	// add notes the keys of rows, which have the names. The slots of the names have the rows.
	add(rows rowRefs, names []name)
}

func (k *Key[K]) take() { k.taken, k.gone, k.spare = k.gone, k.spare, removals[K]{} }

func (k *Key[K]) done() {
	clear(k.taken.keys)
	k.lost.empty()
	k.pending.empty()
	k.taken.keys = atom.Reuse(&k.taken.trim, k.taken.keys)
	k.spare, k.taken = k.taken, removals[K]{}
}

// keptMap is a map whose memory an Apply keeps for the next one.
type keptMap[K comparable, V any] struct {
	of   map[K]V
	most int // the longest that the map has been
	trim atom.Trimmer
}

func (m *keptMap[K, V]) set(key K, v V) {
	m.of[key] = v
	m.most = max(m.most, len(m.of))
}

// empty empties the map. It replaces a map that is too large to be kept, because a map never
// shrinks and clearing it costs as much as when it was full.
func (m *keptMap[K, V]) empty() {
	if m.trim.Keeps(m.most, len(m.of)) {
		clear(m.of)
		return
	}
	m.of, m.most = map[K]V{}, 0
}

func (k *Key[K]) drop() {
	k.live, k.keys, k.pending.of, k.lost.of = nil, nil, nil, nil
	k.gone, k.spare = removals[K]{}, removals[K]{}
}

func (k *Key[K]) in(r rowRef) *K { return in[K](r, k.field) }

func (k *Key[K]) compare(r rowRef) {
	if key := *k.in(r); key != key {
		return // Apply refuses it
	}
}

func (k *Key[K]) comparable(r rowRef) (key any, err error) {
	defer func() {
		if recover() != nil { // of the comparison
			err = ErrNotComparable
		}
	}()
	own := *k.in(r)
	key = own
	if own != own {
		err = ErrNotEqual
	}
	return key, err
}

func (k *Key[K]) register(number int, r rowRef) (any, error) {
	key := *k.in(r)
	if key != key {
		return key, ErrNotEqual
	}
	if _, ok := k.pending.of[key]; ok {
		return key, ErrKey
	}
	k.pending.set(key, number)
	return nil, nil
}

func (k *Key[K]) unregister(number int, r rowRef, slot uint32) {
	key := *k.in(r)
	if i, ok := k.pending.of[key]; ok && i == number {
		delete(k.pending.of, key)
	}
	k.lose(key, slot)
}

// lose notes the slot of the row or addition that had a key until now, if rows are to be removed by
// their keys. A dead row stays noted until a removal takes it.
func (k *Key[K]) lose(key K, slot uint32) {
	if len(k.taken.keys) == 0 {
		return
	}
	if last, ok := k.lost.of[key]; ok {
		if s, _ := k.of.state(last); s == swept {
			return
		}
	}
	k.lost.set(key, slot)
}

func (k *Key[K]) has(r rowRef) (any, bool) {
	key := *k.in(r)
	if _, ok := k.live[key]; ok {
		return key, true
	}
	return nil, false
}

func (k *Key[K]) find(number int) (any, int, int, int) {
	key, live, pending, lost := k.taken.keys[number], none, none, none
	if i, ok := k.pending.of[key]; ok {
		pending = i
	}
	if s, ok := k.live[key]; ok {
		live = int(k.of.slots[s].row)
	} else if s, ok := k.lost.of[key]; ok {
		lost = int(s)
	}
	if live >= 0 || pending >= 0 {
		return nil, live, pending, lost // there is no problem, so the key is not needed
	}
	return key, none, none, lost
}

func (k *Key[K]) forget(row int, slot uint32) {
	key := k.keys[row]
	delete(k.live, key)
	k.lose(key, slot)
}

func (k *Key[K]) same(row int, r rowRef) {
	if is, other := k.keys[row], *k.in(r); is != other {
		g := &k.of.guard
		panic(g.Violation(safety.ErrArgument, "a row of "+g.Container()+" whose key is "+keyText(is)+" was to be set to a row whose key is "+keyText(other),
			"Rows keep their keys: change the row that Get returns, or stage Remove of the row and Add of the other one."))
	}
}

// keyText returns a key as texts of violations have it.
func keyText(key any) string {
	if s, ok := key.(string); ok {
		return strconv.Quote(s)
	}
	return fmt.Sprint(key)
}

func (k *Key[K]) gather(row int, to rowRef) { *k.in(to) = k.keys[row] }

func (k *Key[K]) carry(from, to rowRef) { *k.in(to) = *k.in(from) }

func (k *Key[K]) move(gone []int32) {
	putFields[K](slice{p: elem.Data(k.keys), len: len(k.keys)}, moved, gone, rowRefs{}, k.field)
	at := len(k.keys) - len(gone)
	clear(k.keys[at:])
	k.keys = k.keys[:at]
}

func (k *Key[K]) wipe(rows []int32) {
	var zero K
	for _, row := range rows {
		k.keys[row] = zero
	}
}

func (k *Key[K]) add(rows rowRefs, names []name) {
	for i, n := range names {
		key, row := *k.in(rows.at(i)), int(k.of.slots[n.slot].row)
		if row == len(k.keys) {
			k.keys = append(k.keys, key)
		} else {
			k.keys[row] = key
		}
		k.live[key] = n.slot
	}
}
