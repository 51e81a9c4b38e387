package table

import (
	"fmt"
	"iter"
	"strconv"

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
	self *Key[K] // its address, which a copy does not have
	of   *core
	live map[K]uint32 // slots of the rows in the table
	keys []K          // by row

	// The lock of the stage guards these.
	gone  removals[K]
	spare removals[K]

	// Of an Apply.
	taken   removals[K]
	pending atom.KeptMap[K, int]    // the indices of additions that a later removal may concern
	lost    atom.KeptMap[K, uint32] // slots of rows that ended or came not, if taken has keys
	ends    []ended[K]              // those that lost lacks yet
	trim    atom.Trimmer            // of ends
}

type ended[K comparable] struct {
	key  K
	slot uint32
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
	k := new(Key[K])
	(*core)(elem.Pointer(t)).newKey(k, elem.SourceOf(key))
	return k
}

func (k *Key[K]) begin(of *core) {
	k.self, k.of, k.keys, k.live = k, of, make([]K, of.fixed), map[K]uint32{}
	k.pending.Of, k.lost.Of = map[K]int{}, map[K]uint32{}
}

// newKey makes k, which is new, the Key of the table. It panics with the violations of KeyOf.
func (t *core) newKey(k keyring, from elem.Source) {
	t.need("a Key was to be made of").enter(callKeyOf)
	defer t.leave()
	t.check()
	var field elem.Field
	if !from.Nil() {
		field = fieldOf(t, "a Key", from)
	}
	t.stage.lock.Lock()
	defer t.stage.lock.Unlock()
	switch what := t.guard.Container() + " was to have "; {
	case from.Nil():
		panic(t.guard.Violation(safety.ErrArgument, what+"keys by a nil function", "Pass a function that returns a pointer to the field that is the key."))
	case t.key != nil:
		panic(t.guard.Violation(safety.ErrArgument, what+"a second key for each row", "Make a Key once, or have a struct of both as the key."))
	case t.begun():
		panic(t.guard.Violation(safety.ErrArgument, what+"keys after rows were staged", "Make the Key before the first Add."))
	}
	t.apart(field, t.guard.Container()+" was to have keys by", "Make the Key before that column, which then is for reading.")
	t.hasPlaces("a Key", from.Elem.Size)
	k.begin(t)
	t.keyField, t.stage.keyed, t.key = field, true, k
}

// Remove stages the removal of the row that has the key, and of the addition with the key that is
// staged before the call. If there is neither, or another request has removed them, the [Report] of
// the next Apply has a [Problem]. No row has a key that does not equal itself. In all else Remove
// is as [Table.Add].
func (k *Key[K]) Remove(key K) {
	s := &k.made().stage
	k.of.guard.CheckExists()
	delete(map[K]struct{}(nil), key) // panics if the key cannot be hashed, which == may not find
	s.lock.Lock()
	defer s.lock.Unlock()
	k.gone.keys = append(k.gone.keys, key)
	s.remove(&special{key: len(k.gone.keys)}, ID{})
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
		w := k.made().walk()
		for w.next(nil) && yield(k.keys[w.row], w.id) {
		}
	}
}

// keyring is the Key of a table, whatever the type of its keys is.
type keyring interface {
	// begin makes a new Key one of a table.
	begin(of *core)
	// take takes what is staged. done forgets it, and drop everything. The stage is locked.
	take()
	done()
	drop()
	// compare panics if the row's key cannot be compared. comparable returns an error if it cannot
	// be, or does not equal itself.
	compare(r elem.Pointer)
	comparable(r elem.Pointer) (key any, err error)
	// register notes the key of the row that is to be added with that index, and unregister forgets
	// it. enter gives the key to the slot, unless a row has it, and leave takes it back.
	register(number int, r elem.Pointer) (key any, err error)
	unregister(number int, r elem.Pointer, slot uint32)
	enter(r elem.Pointer, slot uint32) (key any, err error)
	leave(r elem.Pointer)
	// find returns the row that has the key of the removal of that number, and the index of the
	// addition with that key. If no row has the key, lost is the slot of the row or addition that
	// had it before in this Apply. Each of these is none if there is no such row or addition. key
	// is nil unless row and pending are none.
	find(number int) (key any, row, pending, lost int)
	// forget takes the key from a row. recall is called before a dead row is removed.
	forget(row int, slot uint32)
	recall()
	// same panics with a violation unless r has the key of the row.
	same(row int, r elem.Pointer)
	// gather sets the field of to to the key of a row, and carry to that of from.
	gather(row int, to elem.Pointer)
	carry(from, to elem.Pointer)
	// move moves the keys of the last rows to the rows that have ended. wipe makes keys zero.
	move(gone []int32)
	wipe(rows []int32)
	// add notes the keys of rows, which have the names. The slots of the names have the rows.
	add(rows elem.Memory, names []name)
}

func (k *Key[K]) take() { k.taken, k.gone, k.spare = k.gone, k.spare, removals[K]{} }

func (k *Key[K]) done() {
	clear(k.taken.keys)
	clear(k.ends)
	k.ends = atom.Reuse(&k.trim, k.ends)
	k.lost.Empty()
	k.pending.Empty()
	k.taken.keys = atom.Reuse(&k.taken.trim, k.taken.keys)
	k.spare, k.taken = k.taken, removals[K]{}
}

func (k *Key[K]) drop() {
	k.live, k.keys, k.pending.Of, k.lost.Of, k.ends = nil, nil, nil, nil, nil
	k.gone, k.spare = removals[K]{}, removals[K]{}
}

func (k *Key[K]) in(r elem.Pointer) *K { return (*K)(k.of.keyField.Of(r)) }

func (k *Key[K]) compare(r elem.Pointer) {
	if key := *k.in(r); key != key {
		return // Apply refuses it
	}
}

func (k *Key[K]) comparable(r elem.Pointer) (key any, err error) {
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

func (k *Key[K]) register(number int, r elem.Pointer) (any, error) {
	key := *k.in(r)
	if key != key {
		return key, ErrNotEqual
	}
	if _, ok := k.pending.Of[key]; ok {
		return key, ErrKey
	}
	k.pending.Set(key, number)
	return nil, nil
}

func (k *Key[K]) unregister(number int, r elem.Pointer, slot uint32) {
	key := *k.in(r)
	if i, ok := k.pending.Of[key]; ok && i == number {
		delete(k.pending.Of, key)
	}
	k.lose(key, slot)
}

// lose notes the slot of the row or addition that had a key until now, if rows are to be removed by
// their keys.
func (k *Key[K]) lose(key K, slot uint32) {
	if len(k.taken.keys) > 0 {
		k.ends = append(k.ends, ended[K]{key, slot})
	}
}

// recall completes lost. A dead row stays noted until a removal takes it.
func (k *Key[K]) recall() {
	for _, e := range k.ends {
		if last, ok := k.lost.Of[e.key]; ok {
			if s, _ := k.of.state(last); s == swept {
				continue
			}
		}
		k.lost.Set(e.key, e.slot)
	}
	clear(k.ends)
	k.ends = k.ends[:0]
}

func (k *Key[K]) enter(r elem.Pointer, slot uint32) (any, error) {
	key := *k.in(r)
	if key != key {
		return key, ErrNotEqual
	}
	if _, ok := k.live[key]; ok {
		return key, ErrKey
	}
	k.live[key] = slot
	return nil, nil
}

func (k *Key[K]) leave(r elem.Pointer) { delete(k.live, *k.in(r)) }

func (k *Key[K]) find(number int) (any, int, int, int) {
	key, live, pending, lost := k.taken.keys[number], none, none, none
	if i, ok := k.pending.Of[key]; ok {
		pending = i
	}
	if s, ok := k.live[key]; ok {
		live = int(k.of.slots[s].row)
	} else {
		k.recall()
		if s, ok := k.lost.Of[key]; ok {
			lost = int(s)
		}
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

func (k *Key[K]) same(row int, r elem.Pointer) {
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

func (k *Key[K]) gather(row int, to elem.Pointer) { *k.in(to) = k.keys[row] }

func (k *Key[K]) carry(from, to elem.Pointer) { *k.in(to) = *k.in(from) }

func (k *Key[K]) move(gone []int32) {
	at := len(k.keys) - len(gone)
	last := k.keys[at:]
	for i, row := range gone {
		k.keys[row] = last[len(last)-1-i]
	}
	clear(last)
	k.keys = k.keys[:at]
}

func (k *Key[K]) wipe(rows []int32) {
	var zero K
	for _, row := range rows {
		k.keys[row] = zero
	}
}

func (k *Key[K]) add(rows elem.Memory, names []name) {
	for i, n := range names {
		key, row := *k.in(k.of.stage.elem.At(rows.P, i)), int(k.of.slots[n.slot].row)
		if row == len(k.keys) {
			k.keys = append(k.keys, key)
		} else {
			k.keys[row] = key
		}
	}
}
