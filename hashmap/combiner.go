package hashmap

import (
	"math"
	"math/bits"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/hash"
	"example.com/custody/internal/pad"
	"example.com/custody/internal/word"
	"example.com/custody/safety"
)

// combiner finds the entry that a worker has appended for a key in the current span, so that what
// comes next is put into that. It forgets the entries when another view of the job has appended. So
// the entries take effect in their order, and the seal finds few for a key. Values of different
// spans are not put together: a span may not count, if a batch fails.
//
// It pays if keys come again. So after a few keys, and whenever there are twice as many, the worker
// goes on only if keys came again as often as in even draws from manyKeys, or as new ones came.
// Otherwise it appends for a while, each time for twice as long, and begins anew.
//
// A lane has one combiner for all views and their copies. It forgets the entries of another view.
type combiner struct {
	by    *merging  // of the view that the entries are of
	seed  hash.Seed // of keys
	ends  int       // the length of the lane after the last entry; -1 before the first of a span
	pause int       // how many entries are appended the next time that keys do not come again
	recall

	free  *recalled // the slot for the entry that the caller of entryFor appends
	fresh recalled  // what the slot gets
	trim  atom.Trimmer
	_     pad.Bytes
}

// entryFor returns the entry that what comes next for a key is to be put into. If there is none, it
// returns nil, and the caller appends an entry. If then known is set, the caller calls added.
func (w *appending) entryFor(by *safety.Hold, k ref) (e ref, known bool) {
	if safety.Strict {
		by.Check()
	}
	if !by.Live() {
		return nil, false
	}
	c := w.combiner()
	if n := w.lane.Len(); n != c.ends || w.by != c.by { // another span or view came between
		c.forget()
		c.ends, c.by = n, w.by
	}
	var h uint64
	x := recalled{tag: unsure}
	switch c.seed.How {
	case hash.AsText:
		text := *(*string)(k)
		h = c.seed.Text.Of(text)
		if len(text) <= hash.Short {
			x.word, x.tag = hash.ShortText(text), uint32(len(text))
		}
	case hash.AsWord:
		h = c.seed.Word.Of(word.At(k, w.of.size))
		x.word, x.tag = h, 0
	default:
		h = w.of.by(&c.seed, k)
	}
	x.tag |= uint32(h>>32) &^ unsure
	for at := h >> c.shift; ; at++ {
		s := &c.slots[at&uint64(len(c.slots)-1)]
		if s.number < c.since {
			c.free, c.fresh = s, x
			return nil, true
		}
		if s.tag != x.tag || s.word != x.word {
			continue
		}
		if x.tag&unsure != unsure || w.of.same(s.entry, k) { // an entry begins with its key
			c.again++
			return s.entry, false
		}
	}
}

// combiner returns the combiner of the lane.
func (w *appending) combiner() *combiner {
	if w.lane.Memo == nil {
		w.lane.Memo = ref(w.of.combiner(w.of.seedOf(), w.nested))
	}
	return (*combiner)(w.lane.Memo)
}

// added notes the entry that was appended after entryFor has returned known.
func (w *appending) added(e ref) {
	c := w.combiner()
	c.ends++
	c.fresh.entry = e
	if !c.add(c.free, c.fresh) {
		w.lane.Rest = c.ends + c.pause
		c.ends, c.pause = -1, min(2*c.pause, 1<<28)
	}
}

// empty forgets all, keeps nothing alive, and gives up slots that are seldom needed.
func (c *combiner) empty() {
	if !c.trim.Keeps(len(c.slots), int(c.last)) {
		c.slots = nil
	}
	clear(c.slots)
	*c = combiner{recall: recall{slots: c.slots, shift: c.shift}, trim: c.trim}
}

// recall is a table of entries by the hashes of their keys: open addressing with linear probing.
type recall struct {
	slots []recalled // a power of two of them
	shift uint       // what hashes are shifted by
	last  uint32     // the number of the last entry
	since uint32     // the number of the first entry that is not forgotten
	again int        // how often the keys of these came again
	most  int        // how many there may be until it is seen whether that pays
}

// recalled is a slot. It is free if its entry was forgotten.
type recalled struct {
	entry  ref
	word   uint64 // tells keys of one tag apart, unless that says unsure
	tag    uint32 // the upper bits of the hash, and a short text's length, a word's 0, or unsure
	number uint32 // of the entry; 0 before the first
}

const (
	unsure     = 15 // keys of the tag are compared
	leastSlots = 64
	mostSlots  = 1 << 18
	fewKeys    = leastSlots * 3 // three quarters of a power of two
	manyKeys   = 1 << 16
	leastPause = 2048
)

// forget makes all slots free.
func (t *recall) forget() {
	if len(t.slots) == 0 {
		t.resize(leastSlots)
	} else if t.last > math.MaxUint32/2 { // before the numbers are used up
		clear(t.slots)
		t.last = 0
	}
	t.since, t.again, t.most = t.last+1, 0, leastSlots/4*3
}

// add puts an entry into a free slot. It returns false if there are enough: see combiner.
func (t *recall) add(s *recalled, x recalled) bool {
	t.last++
	x.number = t.last
	*s = x
	n := int(t.last-t.since) + 1
	if n < t.most {
		return true
	}
	seen := uint64(n + t.again) // of k keys seen*seen/(2*k) are expected to come again
	if n == mostSlots/4*3 || n >= fewKeys && t.again < n && seen*seen > 2*uint64(t.again)*manyKeys {
		return false
	}
	if t.most = 2 * n; t.most > len(t.slots)/4*3 {
		t.resize(2 * len(t.slots))
	}
	return true
}

// resize moves the entries that are not forgotten to a table of n slots.
func (t *recall) resize(n int) {
	old := t.slots
	t.slots, t.shift = make([]recalled, n), uint(64-bits.Len(uint(n-1)))
	for _, x := range old {
		if x.number < t.since {
			continue
		}
		at := uint64(x.tag) << 32 >> t.shift
		for t.slots[at&uint64(n-1)].number != 0 {
			at++
		}
		t.slots[at&uint64(n-1)] = x
	}
}
