package hashmap

import (
	"reflect"
	"strconv"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// index is the keys of a map by position: places of a table that has, or had, all of them.
type index[K comparable, V any] struct {
	of   places[K, V]
	t    *table
	list []uint32
}

// places are the places of a table. Each layout has an implementation.
type places[K comparable, V any] interface {
	// numbered appends the places of keys with values, and their sequence numbers.
	numbered(o *order, all []uint64) []uint64
	// key returns the key of a place that has one. entry returns its value, too, or ok false if it
	// has none any more.
	key(i int) K
	entry(i int) (k K, v V, ok bool)
	// set makes v the value, unless the key has none.
	set(i int, v V)
	// declare tells the race detector that the value is written.
	declare(i int)
	// touch loads all places of a list from memory, at the same time.
	touch(list []uint32)
}

// mostPlaces is the greatest number of places of a table whose keys have positions.
const mostPlaces = 1 << 32

// mustNumber panics with a violation if a table has more places than a list can have.
func (m *Map[K, V]) mustNumber(places int) {
	if uint64(places) > mostPlaces {
		panic(m.guard.Violation(safety.ErrArgument, "the keys of "+m.guard.Container()+", which has a table of "+strconv.Itoa(places)+" places, were to have positions",
			"Keys have positions, and come in an order, in maps of up to 1<<32 places, which is 2,000 million keys or more. Use several maps."))
	}
}

// index returns the keys by position. If no goroutine puts keys in or deletes some meanwhile, these
// are all keys.
//
// Cost: nothing if no keys were put in or deleted since the last call; otherwise a pass over the
// table, and a sort of the keys with equal sequence numbers.
//
//go:norace
func (m *Map[K, V]) index() *index[K, V] {
	m.phases.listing.Lock()
	defer m.phases.listing.Unlock()
	for {
		m.in.arrange()
		var ix *index[K, V]
		switch {
		case m.inline != nil:
			t := m.inline.settled()
			ix = m.listed(&t.head, &inlinePlaces[K, V]{m.inline, t})
		case m.wordBoxes != nil:
			t := m.wordBoxes.boxes.settled()
			ix = m.listed(&t.head, &wordBoxPlaces[K, V]{boxPlaces[K, atom.Uint64, uint64]{&m.wordBoxes.boxes, t}, m.wordBoxes})
		default:
			t := m.valueBoxes.boxes.settled()
			ix = m.listed(&t.head, &valueBoxPlaces[K, V]{boxPlaces[K, V, V]{&m.valueBoxes.boxes, t}, m.valueBoxes})
		}
		if ix != nil {
			return ix
		}
	}
}

// listed returns the index of a table, or nil if the table has no order, because of a Clear.
//
//go:norace
func (m *Map[K, V]) listed(t *table, of places[K, V]) *index[K, V] {
	m.mustNumber(t.places)
	o := t.order.Load()
	if o == nil { // the map was cleared
		return nil
	}
	l := o.list.Load()
	if l == nil || o.stale.Load() != 0 || len(*l) != t.of.len() {
		o.stale.Store(0) // first, so that a later change is seen, or sets it again (order.I4)
		list := bySeq(of.numbered(o, make([]uint64, 0, t.of.len())), func(same []uint64) { sortKeys(same, of.key) })
		l = &list
		o.list.Store(l)
	}
	return &index[K, V]{of, t, *l}
}

// sortKeys sorts places, the lower halves of words, by their keys. The order of keys that compare
// as equal is unspecified: among keys with one sequence number these have NaNs.
func sortKeys[K any](all []uint64, key func(i int) K) {
	compare := comparerOf(reflect.TypeFor[K]())
	if compare == nil {
		return
	}
	keys := make([]K, len(all))
	for i, x := range all {
		keys[i] = key(int(uint32(x)))
	}
	sortByKeys(keys, all, compare)
}

// at returns the place of the i-th key. The list is hidden from the race detector, because the
// program does not order the goroutine that makes it with those that use it.
//
//go:norace
func (ix *index[K, V]) at(i int) int { return int(ix.list[i]) }

// all calls f with the keys and values of the positions begin <= i < end, until f returns false.
func (ix *index[K, V]) all(begin, end int, f func(k K, v V) bool) {
	for ; begin < end; begin += atOnce {
		some := min(begin+atOnce, end)
		ix.of.touch(ix.list[begin:some])
		for i := begin; i < some; i++ {
			if k, v, ok := ix.of.entry(ix.at(i)); ok && !f(k, v) {
				return
			}
		}
	}
}

// atOnce is the number of places that are loaded from memory at the same time.
const atOnce = 32
