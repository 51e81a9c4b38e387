package hashmap

import (
	"reflect"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/hash"
)

// words is a map from words to words for any number of goroutines: open addressing with linear probing in a table of places,
// each of which holds a key and its value side by side, so that most operations touch one cache line.
//
// The key of a place is the hash of the key, by a bijection. Its value is a whole word, mixed with a number of the map's own,
// with no bit to spare for a mark: one that happens to be a mark lies aside. See [tables] for the rest.
type words struct {
	typed[place, uint64, uint64]
	hash hash.Word
	salt uint64
}

// What the key of a place is that is not the hash of a key.
const (
	none   = 0
	closed = ^uint64(0)
)

// What the value of a place is that is not a value.
const (
	noWord    = iota // the key has none
	movedWord        // it is in the next table
	laidWord         // it lies aside
	marks
)

// newWords returns an empty map with room for some keys. The seed decides what it does with hashes and values.
func newWords(seed uint64, keys int, s sizes) *words {
	h := hash.NewWord(seed)
	m := &words{hash: h, salt: h.Of(seed)}
	m.tables.start(keys, s, 1, 2, int(reflect.TypeFor[place]().Size()), m) // two keys have hashes that mean something else
	return m
}

// spot returns where the run of a key begins, and what its place has for a key.
func (m *words) spot(t *wordTable, w uint64) (at int, key uint64) {
	if w+1 <= 1 {
		return len(t.blocks) - 2 + int(w&1), 1
	}
	return int(w >> t.head.shift), w
}

// hashAt returns the hash of the key of a place.
func (m *words) hashAt(t *wordTable, i int, key uint64) uint64 {
	if extra := i - (len(t.blocks) - 2); extra >= 0 {
		return -uint64(extra)
	}
	return key
}

// find returns the place of a key and its index or, where it has none, what its run ends with: none, with the place, or closed. A
// run that is the whole table ends with closed.
func (m *words) find(t *wordTable, w uint64) (p *place, key uint64, at int) {
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
func (m *words) load(k uint64) (v uint64, ok bool) { return m.loadFrom(m.first(), k) }

// loadFrom is load for who begins in a table that may be the root no more.
func (m *words) loadFrom(t *wordTable, k uint64) (v uint64, ok bool) {
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
			case laidWord:
				if v, ok, aside := t.recordsOf(w).look(k, sameWord); aside {
					return v, ok
				}
				continue
			case movedWord:
			default:
				return v ^ m.salt, true
			}
		}
		if t = t.after(); t == nil { // the run is the whole table
			return 0, false
		}
	}
}

func sameWord(a, b uint64) bool { return a == b }

// lay returns the place of a key in a table and its index, and gives it one if it has none and is to have one. It returns nil where
// the key has none and gets none: then, with ended, it is in no table, and otherwise the next table is where to look.
func (m *words) lay(t *wordTable, w uint64, puts bool) (p *place, at int, ended bool) {
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
			p.key.CompareAndSwap(none, closed) // (I5)
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
func (m *words) store(k, v uint64) {
	w, e := m.hash.Of(k), v^m.salt
	for t := m.first(); ; t = m.follow(t) {
		p, at, _ := m.lay(t, w, true)
		if p == nil {
			continue
		}
		for {
			was := p.val.Load()
			if was == movedWord {
				break
			}
			if was == laidWord || e < marks {
				adjustAside(m, m.begin(k), k, true, func(uint64, bool) (uint64, action) { return v, put })
				return
			}
			if was == noWord {
				t.head.enter(at, young)
			}
			if p.val.CompareAndSwap(was, e) {
				if was == noWord {
					t.head.count(1)
				}
				return
			}
		}
	}
}

// remove takes the value of a key away.
func (m *words) remove(k uint64) (v uint64, ok bool) {
	w := m.hash.Of(k)
	for t := m.first(); ; t = m.follow(t) {
		p, _, ended := m.lay(t, w, false)
		if ended {
			return 0, false
		}
		for p != nil {
			was := p.val.Load()
			switch {
			case was == noWord:
				return 0, false
			case was == laidWord:
				adjustAside(m, m.begin(k), k, false, func(old uint64, there bool) (uint64, action) {
					v, ok = old, there
					return 0, drop
				})
				return v, ok
			case was == movedWord:
				p = nil
			case p.val.CompareAndSwap(was, noWord):
				t.head.count(-1)
				return was ^ m.salt, true
			}
		}
	}
}

// all ranges over keys and values. It begins when no keys are being moved. A key that is there all the time comes once.
func (m *words) all(yield func(k, v uint64) bool) {
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

// takenOf writes which of some places have keys, and returns how many. Whether one has nobody can foretell, so it is computed and not
// branched on.
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

// entry returns the key of a place that has one, and its value. False says that it has none.
func (m *words) entry(t *wordTable, i int) (k, v uint64, ok bool) {
	p := &t.blocks[i]
	k = m.hash.Key(m.hashAt(t, i, p.key.Load()))
	switch v = p.val.Load(); v {
	case noWord:
		return k, 0, false
	case movedWord, laidWord:
		v, ok = m.loadFrom(t, k)
		return k, v, ok
	}
	return k, v ^ m.salt, true
}

// forgetAll deletes the keys for which f returns true, and returns how many.
func (m *words) forgetAll(f func(k, v uint64) bool) (n int) {
	m.all(func(k, _ uint64) bool {
		if forget(m, k, func(v uint64) bool { return f(k, v) }) {
			n++
		}
		return true
	})
	return n
}

// move implements mover.
func (m *words) move(from *table, i int, next *table) (at int, came bool) {
	t, n := tableOf[place, uint64, uint64](from), tableOf[place, uint64, uint64](next)
	p := &t.blocks[i]
	key, has := keyOrClose(&p.key)
	if !has {
		return 0, false
	}
	var to *place
	for {
		v := p.val.Load()
		if v != noWord && to == nil {
			to, at = m.arrive(n, m.hashAt(t, i, key))
		}
		if to != nil {
			to.val.Store(v) // (I3)
		}
		if p.val.CompareAndSwap(v, movedWord) {
			return at, to != nil
		}
	}
}

// arrive gives a key that is moved a place. Nobody else has the key here.
func (m *words) arrive(t *wordTable, w uint64) (p *place, at int) {
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

// wordCursor implements cursor.
type wordCursor struct {
	m   *words
	t   *wordTable
	w   uint64
	p   *place // nil: the key has none
	at  int    // its index
	was uint64 // what it has said
	age uint32 // what the key's is to be, if it is put in
}

func (m *words) begin(k uint64) wordCursor {
	return wordCursor{m: m, t: m.first(), w: m.hash.Of(k)}
}

//lint:ignore U1000 those who have a seeker call it
func (m *words) seek(c wordCursor, puts bool) wordCursor {
	for ; ; c.t = m.follow(c.t) {
		p, at, ended := m.lay(c.t, c.w, puts)
		c.p, c.at, c.was = p, at, noWord
		if ended {
			return c
		}
		if p == nil {
			continue
		}
		if c.was = p.val.Load(); c.was != movedWord {
			return c
		}
	}
}

func (c wordCursor) said() (v uint64, s state) {
	switch c.was {
	case noWord:
		return 0, absent
	case laidWord:
		return 0, laid
	}
	return c.was ^ c.m.salt, there
}

// put has the place say a word.
func (c wordCursor) put(e uint64) bool {
	if c.was == noWord {
		c.t.head.enter(c.at, c.age)
	}
	return c.p.val.CompareAndSwap(c.was, e)
}

func (c wordCursor) fits(v uint64) bool                { return v^c.m.salt >= marks }
func (c wordCursor) set(v uint64) bool                 { return c.put(v ^ c.m.salt) }
func (c wordCursor) unset() bool                       { return c.p.val.CompareAndSwap(c.was, noWord) }
func (c wordCursor) lay() bool                         { return c.put(laidWord) }
func (c wordCursor) records() *records[uint64, uint64] { return c.t.recordsOf(c.w) }
func (c wordCursor) counted(n int64)                   { c.t.head.count(n) }
func (c wordCursor) same(a, b uint64) bool             { return a == b }
func (c wordCursor) alike(a, b uint64) bool            { return a == b }
func (c wordCursor) cycle() error                      { return c.m.tables.cycle() }

// place is a key and its value.
type place struct{ key, val atom.Uint64 }
