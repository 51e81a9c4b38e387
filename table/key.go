package table

import (
	"fmt"
	"iter"
	"strconv"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// Key finds rows by a key of the caller's own, which no two rows have. It is made by [KeyOf], one at most for each table.
//
// Memory: a built-in map of the keys, and each key once more.
type Key[K comparable] struct {
	self *Key[K] // its address; another one in a copy
	of   *core
	live map[K]uint32 // slots
	keys []K          // of the rows

	lock  *atom.Mutex      // of the stage
	note  func(number int) // stages the removal of the key of that number among gone
	gone  removals[K]
	spare removals[K]

	// Of an Apply.
	taken    removals[K]
	pending  map[K]int    // the numbers of the rows that are to be added
	most     int          // how many pending has had
	lost     map[K]uint32 // the slots of rows that have ended, or do not come, if rows are to be removed by their keys
	mostLost int          // how many lost has had

	trim, trimLost atom.Trimmer // of pending and lost
}

// removals are the keys whose rows are to be removed.
type removals[K comparable] struct {
	keys []K
	trim atom.Trimmer
}

// KeyOf makes the Key of a table from the fields that key returns a pointer to. It calls key once,
// with a zero row, as [ColumnOf] calls field. The Key is made before the first row is staged.
// Making it later is a violation, and so is a second Key, or a nil key. Columns of the key's field, of
// a part of it, or of a struct that it is in, are made after the Key; they are for reading, see
// [ColumnOf].
func KeyOf[K comparable, R any](t *Table[R], key func(row *R) *K) *Key[K] {
	need(t, "a Key was to be made of")
	t.enter(callKeyOf)
	defer t.leave()
	t.guard.CheckWrite()
	var field rowField[R, K]
	if key != nil {
		field = fieldOf(t, "a Key", key)
	}
	switch what := t.guard.Container() + " was to have "; {
	case key == nil:
		panic(t.guard.Violation(safety.ErrArgument, what+"keys by a nil function", "Pass a function that returns a pointer to the field that is the key."))
	case t.key != nil:
		panic(t.guard.Violation(safety.ErrArgument, what+"a second key for each row", "Make a Key once, or have a struct of both as the key."))
	case t.stage.begun():
		panic(t.guard.Violation(safety.ErrArgument, what+"keys after rows were staged", "Make the Key before the first Add."))
	}
	bytes := field.extent()
	for _, c := range t.parts {
		if c.bytes.overlaps(bytes) {
			panic(t.guard.Violation(safety.ErrArgument, t.guard.Container()+" was to have keys by a field that "+c.guard.Container()+" has, or has a part of", "Make the Key before that column, which then is for reading."))
		}
	}
	hasPlaces[K](&t.core, "a Key")
	s := &t.stage
	k := &Key[K]{of: &t.core, live: map[K]uint32{}, pending: map[K]int{}, lost: map[K]uint32{}, lock: &s.lock}
	k.self = k
	k.note = func(number int) {
		s.batch.removeSpecially(true, ID{}, special[R]{key: number + 1})
	}
	s.keyed = true
	t.keys, t.key, t.keyAt = k, &keyOf[K, R]{k, field}, bytes
	if t.fixed > 0 {
		t.keys.settle(t.fixed)
	}
	return k
}

// Remove stages the removal of the row that has the key, and of the addition with the key that is
// staged before the call. If there is neither, or another request has removed them, the [Report] of
// the next Apply has a [Problem]. No row has a key that does not equal itself. In all else Remove
// is as [Table.Add].
func (k *Key[K]) Remove(key K) {
	k.made().guard.CheckExists()
	delete(map[K]struct{}(nil), key) // panics if the key cannot be hashed; a comparison may not find out
	k.lock.Lock()
	defer k.lock.Unlock()
	k.gone.keys = append(k.gone.keys, key)
	k.note(len(k.gone.keys) - 1)
}

// Find returns the name of the row that has the key.
func (k *Key[K]) Find(key K) (id ID, ok bool) {
	row, ok := k.RowOf(key)
	if !ok {
		return ID{}, false
	}
	return k.of.ids.At(row), true
}

// RowOf returns where the row is that has the key, until the next Apply that removes rows.
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
	k.made().ids.At(row) // looks at custody and at row
	return k.keys[row]
}

// All ranges over the keys of the rows and the names of the rows, in the order of the rows. It
// leaves out places without a row. In all else it is as [Table.All].
func (k *Key[K]) All() iter.Seq2[K, ID] {
	return func(yield func(K, ID) bool) {
		t := k.made()
		n, cuts := t.ids.Len(), t.cuts
		for row := 0; row < min(n, t.ids.Len()); row++ {
			id := t.ids.At(row)
			if _, ok := t.find(id); ok && !yield(k.keys[row], id) {
				return
			}
			t.uncut(cuts)
		}
	}
}

// keyring is the Key of a table for an Apply, whatever it and the rows are.
type keyring interface {
	// take takes what is staged, done forgets it, and drop all; the stage is locked.
	take()
	done()
	drop()
	// find returns the key of the removal of that number, the row that has the key, the number of
	// the addition with it, and, if no row has it, the slot of the row or addition that had it
	// until now. Each is none if there is no such thing.
	find(number int) (key any, row, pending, lost int)
	// forget takes the key of a row away.
	forget(row int, slot uint32)
	// settle makes room for n rows that stay where they are.
	settle(n int)
}

// keyed is what the Key of a table has to do with rows of type R.
type keyed[R any] interface {
	// compare panics if the row's key cannot be compared, and compares says whether it can, and equals itself.
	compare(r *R)
	compares(r *R) (key any, err error)
	// register notes the key of a row that is to be added, and unregister forgets it.
	register(number int, r *R) (key any, err error)
	unregister(number int, r *R, slot uint32)
	// has says whether a row has the key of one that is to be added.
	has(r *R) (key any, ok bool)
	// same panics with a violation unless the key of r is that of a row.
	same(row int, r *R)
	// gather fills the field of a row. carry copies the field from a row to another.
	gather(row int, to *R)
	carry(from, to *R)
	// rebuild does what moves says, and has rows from row at on.
	rebuild(moves []move, at int, rows []R, names []name)
	// refill does what rebuild does with rows that stay where they are.
	refill(ended, filled []int32, rows []R, names []name)
}

func (k *Key[K]) take() { k.taken, k.gone, k.spare = k.gone, k.spare, removals[K]{} }

func (k *Key[K]) done() {
	clear(k.taken.keys)
	empty(&k.lost, &k.mostLost, &k.trimLost)
	empty(&k.pending, &k.most, &k.trim)
	k.taken.keys = atom.Reuse(&k.taken.trim, k.taken.keys)
	k.spare, k.taken = k.taken, removals[K]{}
}

// empty empties a map. It replaces a map that is too large to be kept, because a map never shrinks
// and clearing it costs as much as when it was full. most is the most elements that the map has
// had.
func empty[K comparable, V any](m *map[K]V, most *int, trim *atom.Trimmer) {
	n := len(*m)
	*most = max(*most, n)
	if trim.Keeps(*most, n) {
		clear(*m)
		return
	}
	*m, *most = map[K]V{}, 0
}

func (k *Key[K]) drop() {
	k.live, k.keys, k.gone, k.spare, k.pending, k.lost = nil, nil, removals[K]{}, removals[K]{}, nil, nil
}

func (k *Key[K]) compares(own K) (key any, err error) {
	key = own
	defer func() {
		if recover() != nil { // from here on nothing else panics
			err = ErrNotComparable
		}
	}()
	if own != own {
		err = ErrNotEqual
	}
	return key, err
}

func (k *Key[K]) register(number int, key K) (any, error) {
	if key != key {
		return key, ErrNotEqual
	}
	if _, ok := k.pending[key]; ok {
		return key, ErrKey
	}
	k.pending[key] = number
	k.most = max(k.most, len(k.pending))
	return nil, nil
}

func (k *Key[K]) unregister(number int, key K, slot uint32) {
	if i, ok := k.pending[key]; ok && i == number {
		delete(k.pending, key)
	}
	k.lose(key, slot)
}

// lose notes the slot of the row or addition that had a key until now, if rows are to be removed by
// their keys. A dead row stays noted until a removal takes it.
func (k *Key[K]) lose(key K, slot uint32) {
	if len(k.taken.keys) == 0 {
		return
	}
	if last, ok := k.lost[key]; ok {
		if s, _ := k.of.state(last); s == swept {
			return
		}
	}
	k.lost[key] = slot
}

func (k *Key[K]) has(key K) (any, bool) {
	_, ok := k.live[key]
	if ok {
		return key, true
	}
	return nil, false
}

func (k *Key[K]) find(number int) (any, int, int, int) {
	key, live, pending := k.taken.keys[number], none, none
	if i, ok := k.pending[key]; ok {
		pending = i
	}
	if s, ok := k.live[key]; ok {
		live = int(k.of.slots[s].row)
	}
	lost := none
	if s, ok := k.lost[key]; ok && live < 0 {
		lost = int(s)
	}
	if live >= 0 || pending >= 0 {
		return nil, live, pending, lost // a problem needs no key
	}
	return key, none, none, lost
}

func (k *Key[K]) forget(row int, slot uint32) {
	key := k.keys[row]
	delete(k.live, key)
	k.lose(key, slot)
}

// follow does what moves says, and forgets the keys from row at on.
func (k *Key[K]) follow(moves []move, at int) {
	for _, m := range moves {
		k.keys[m.to] = k.keys[m.from]
	}
	clear(k.keys[at:])
	k.keys = k.keys[:at]
}

// keyOf is a Key, and how rows have theirs.
type keyOf[K comparable, R any] struct {
	of    *Key[K]
	field rowField[R, K]
}

func (k *keyOf[K, R]) gather(row int, to *R) { *k.field.in(to) = k.of.keys[row] }

func (k *keyOf[K, R]) same(row int, r *R) {
	if is, other := k.of.keys[row], *k.field.in(r); is != other {
		g := &k.of.of.guard
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

func (k *keyOf[K, R]) carry(from, to *R) { *k.field.in(to) = *k.field.in(from) }

func (k *keyOf[K, R]) compare(r *R) {
	if key := *k.field.in(r); key != key {
		return // it is refused when it is to be added
	}
}

func (k *keyOf[K, R]) compares(r *R) (key any, err error) { return k.of.compares(*k.field.in(r)) }

func (k *keyOf[K, R]) register(number int, r *R) (any, error) {
	return k.of.register(number, *k.field.in(r))
}

func (k *keyOf[K, R]) unregister(number int, r *R, slot uint32) {
	k.of.unregister(number, *k.field.in(r), slot)
}

func (k *keyOf[K, R]) has(r *R) (any, bool) { return k.of.has(*k.field.in(r)) }

func (k *keyOf[K, R]) rebuild(moves []move, at int, rows []R, names []name) {
	k.of.follow(moves, at)
	for i := range rows {
		key := *k.field.in(&rows[i])
		k.of.keys = append(k.of.keys, key)
		k.of.live[key] = names[i].slot
	}
}
