package hashmap

import (
	"reflect"
	"runtime"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/hash"
)

// inline is a map from words to words: open addressing with linear probing in a table of places,
// each of which holds a key and its value side by side, so that most operations touch one cache
// line. It is the layout for keys and values of up to 8 bytes.
//
// A place holds the hash of its key, which is a bijection. Its value is a whole word, mixed with a
// number of the map, and has no bit to spare for a mark. So a value that looks like a mark is in a
// side table. See [tables] for the rest.
type inline struct {
	tables
	hash hash.Word
	salt uint64
}

// inlineTable is a table of an [inline].
type inlineTable struct {
	head   table
	blocks []place
}

// inlined returns the table that begins with t, or nil for nil.
func inlined(t *table) *inlineTable { return (*inlineTable)(ref(t)) }

func (m *inline) first() *inlineTable                { return inlined(m.root.Load()) }
func (m *inline) settled() *inlineTable              { return inlined(m.tables.settled()) }
func (m *inline) follow(t *inlineTable) *inlineTable { return inlined(m.tables.follow(&t.head)) }
func (t *inlineTable) after() *inlineTable           { return inlined(t.head.next.Load()) }

// make implements mover.
func (m *inline) make(blocks int) *table {
	t := &inlineTable{blocks: make([]place, blocks)}
	t.head.memory = ref(&t.blocks[0])
	return &t.head
}

// place is a key and its value.
type place struct{ key, val atom.Uint64 }

// The keys of a place that are not the hash of a key.
const (
	none   = 0
	closed = ^uint64(0)
)

// The marks: what a place has instead of a value.
const (
	noWord    = iota // the key has no value
	movedWord        // the key is in the next table
	sideWord         // the value is in the side table
	marks
)

// newInline returns an empty map with room for some keys. The seed decides its hashes and salt.
func newInline(seed uint64, keys int, s sizes) *inline {
	h := hash.NewWord(seed)
	m := &inline{hash: h, salt: h.Of(seed)}
	m.equal = func(a, b ref) bool { return *(*uint64)(a) == *(*uint64)(b) }
	m.keepKey = kept[uint64]
	// The two extra places are for the keys whose hashes are none and closed.
	m.tables.start(keys, s, 1, 2, int(reflect.TypeFor[place]().Size()), m)
	return m
}

// spot returns the index of a hash's home, and the key field of a place that has the key.
func (m *inline) spot(t *inlineTable, w uint64) (at int, key uint64) {
	if w+1 <= 1 {
		return len(t.blocks) - 2 + int(w&1), 1
	}
	return int(w >> t.head.shift), w
}

// hashAt returns the hash of the key at index i, whose place has the given key field.
func (m *inline) hashAt(t *inlineTable, i int, key uint64) uint64 {
	if extra := i - (len(t.blocks) - 2); extra >= 0 {
		return -uint64(extra)
	}
	return key
}

// find returns the place of a key, the place's key field and its index. If the key has no place,
// find returns the end of its probe sequence, where the field is none or closed. If the sequence is
// the whole table, find returns closed and a nil place.
func (m *inline) find(t *inlineTable, w uint64) (p *place, key uint64, at int) {
	at, want := m.spot(t, w)
	mask := len(t.blocks) - 3
	for range t.blocks {
		p = &t.blocks[at]
		switch key = p.key.Load(); key {
		case want, none, closed:
			return p, key, at
		}
		at = (at + 1) & mask
	}
	return nil, closed, at
}

// load returns the value of a key.
func (m *inline) load(k uint64) (v uint64, ok bool) { return m.loadFrom(m.first(), k) }

// loadFrom is load that begins in a table which may no longer be the root.
func (m *inline) loadFrom(t *inlineTable, k uint64) (v uint64, ok bool) {
	w := m.hash.Of(k)
	for {
		p, key, _ := m.find(t, w)
		if key == none {
			return 0, false
		}
		if key != closed {
			switch v := p.val.Load(); v {
			case noWord:
				return 0, false
			case sideWord:
				v, ok, found := t.head.sideTableOf(w).look(hidden(&k))
				if runtime.KeepAlive(&k); found {
					return wordAt(v), ok
				}
				continue
			case movedWord:
			default:
				return v ^ m.salt, true
			}
		}
		if t = t.after(); t == nil { // the probe sequence is the whole table
			return 0, false
		}
	}
}

// locate returns the place of a key in a table and its index. If puts is set, a key without a place
// gets one. A nil place means that the key has none here. Then ended reports that it has none in
// any table; otherwise the caller goes on to the next table.
func (m *inline) locate(t *inlineTable, w uint64, puts bool) (p *place, at int, ended bool) {
	for {
		p, key, at := m.find(t, w)
		switch {
		case key == closed:
			return nil, 0, !puts && t.head.next.Load() == nil
		case key != none:
			return p, at, false
		case !puts:
			return nil, 0, true
		case t.head.next.Load() != nil:
			p.key.CompareAndSwap(none, closed) // (table.I5)
		case m.tables.reserve(&t.head, at):
			_, key = m.spot(t, w)
			if p.key.CompareAndSwap(none, key) {
				return p, at, false
			}
			t.head.release(at)
		}
	}
}

// store makes v the value of a key.
func (m *inline) store(k, v uint64) {
	w, e := m.hash.Of(k), v^m.salt
	t := m.first()
	if p, at, _ := m.locate(t, w, true); p != nil && e >= marks {
		switch was := p.val.Load(); {
		case was >= marks:
			if p.val.CompareAndSwap(was, e) {
				return
			}
		case was == noWord:
			if t.head.putSeq(at, currentSeq); p.val.CompareAndSwap(noWord, e) {
				t.head.count(1)
				return
			}
		}
	}
	adjustFrom(m, inlineCursor{m: m, t: t, w: w}, k, true, func(uint64, bool) (uint64, Op) { return v, Update })
}

// remove removes the value of a key.
func (m *inline) remove(k uint64) (v uint64, ok bool) {
	w, t := m.hash.Of(k), m.first()
	p, key, _ := m.find(t, w)
	if key == none {
		return 0, false
	}
	if key != closed {
		was := p.val.Load()
		if was == noWord { // the key has a place and no value
			return 0, false
		}
		if was >= marks && p.val.CompareAndSwap(was, noWord) {
			t.head.count(-1)
			return was ^ m.salt, true
		}
	}
	adjustFrom(m, inlineCursor{m: m, t: t, w: w}, k, false, func(old uint64, there bool) (uint64, Op) {
		v, ok = old, there
		return 0, Delete
	})
	return v, ok
}

// adjust does to a key what f returns for its value, as adjustFrom does.
func (m *inline) adjust(k uint64, puts bool, f change[uint64]) {
	adjustFrom(m, m.begin(k), k, puts, f)
}

func (m *inline) compute(k uint64, f change[ref]) { compute(m, k, f) }

// apply is adjust for a key that is put in with a sequence number. It begins in a table.
func (m *inline) apply(t *inlineTable, w, k uint64, seq uint32, f change[uint64]) {
	adjustFrom(m, inlineCursor{m: m, t: t, w: w, seq: seq}, k, true, f)
}

// all ranges over keys and values. It begins when no keys are being moved. A key that is in the map
// all the time comes once.
func (m *inline) all(yield func(k, v uint64) bool) {
	t := m.settled()
	var taken [64]uint8
	for lo := 0; lo < len(t.blocks); lo += len(taken) {
		some := t.blocks[lo:min(lo+len(taken), len(t.blocks))]
		for _, i := range taken[:takenOf(some, &taken)] {
			if k, v, ok := m.entry(t, lo+int(i)); ok && !yield(k, v) {
				return
			}
		}
	}
}

// takenOf writes the indices of the places that have keys, and returns their number. It has no
// branch on a key field, because the processor could not predict it.
func takenOf(some []place, taken *[64]uint8) (n int) {
	for i := range some {
		taken[n&63] = uint8(i)
		key, one := some[i].key.Load(), 0
		if key-1 < closed-1 {
			one = 1
		}
		n += one
	}
	return n
}

// entry returns the key of a place that has one, and its value, or ok false if it has none.
func (m *inline) entry(t *inlineTable, i int) (k, v uint64, ok bool) {
	p := &t.blocks[i]
	k = m.hash.Key(m.hashAt(t, i, p.key.Load()))
	switch v = p.val.Load(); v {
	case noWord:
		return k, 0, false
	case movedWord, sideWord:
		v, ok = m.loadFrom(t, k)
		return k, v, ok
	}
	return k, v ^ m.salt, true
}

// forgetAll deletes the keys for which f returns true, and returns their number.
func (m *inline) forgetAll(f func(k, v uint64) bool) (n int) {
	m.all(func(k, _ uint64) bool {
		if forget(m, k, func(v uint64) bool { return f(k, v) }) {
			n++
		}
		return true
	})
	return n
}

// move implements mover. It repeats the copy until the place has not changed meanwhile.
func (m *inline) move(from *table, i int, next *table) (at int, came bool) {
	t, n := inlined(from), inlined(next)
	p := &t.blocks[i]
	key := p.key.Load()
	if key == none && !p.key.CompareAndSwap(none, closed) { // (table.I4)
		key = p.key.Load()
	}
	if key == none || key == closed {
		return 0, false
	}
	var to *place
	for {
		v := p.val.Load()
		if v != noWord && to == nil {
			to, at = m.arrive(n, m.hashAt(t, i, key))
		}
		if to != nil {
			to.val.Store(v) // (table.I3)
		}
		if p.val.CompareAndSwap(v, movedWord) {
			if to != nil {
				t.head.carry(i, &n.head, at)
			}
			return at, to != nil
		}
	}
}

// arrive gives a place to a key that is moved. Only its caller has the key here (table.I3).
func (m *inline) arrive(t *inlineTable, w uint64) (p *place, at int) {
	for {
		p, key, at := m.find(t, w)
		if key != none {
			panic(full)
		}
		if _, key = m.spot(t, w); p.key.CompareAndSwap(none, key) {
			return p, at
		}
	}
}

const full = "custody: the next table of a hash map has no room" // see successor
