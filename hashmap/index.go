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

// places are those of a table, of a kind of map.
type places[K comparable, V any] interface {
	// aged returns the places that have keys with values, and their ages, behind all.
	numbered(o *order, all []uint64) []uint64
	// key returns the key of a place that has one, and entry its value, too; false says that it has none any more.
	key(i int) K
	entry(i int) (k K, v V, ok bool)
	// set makes v the value, unless the key has none.
	set(i int, v V)
	// declare tells the race detector that the value is written.
	declare(i int)
	// touch looks at all places of a list, so that who uses them next need not wait for each.
	touch(list []uint32)
}

// mostPlaces is how many places a table may have whose keys have positions.
const mostPlaces = 1 << 32

// number panics if a table has more places than can be numbered.
func (m *Map[K, V]) number(places int) {
	if uint64(places) > mostPlaces {
		panic(m.guard.Violation(safety.ErrArgument, "the keys of "+m.guard.Container()+", which has a table of "+strconv.Itoa(places)+" places, were to have positions",
			"Keys have positions, and come in an order, in maps of up to 1<<32 places, which is 2,000 million keys or more. Use several maps."))
	}
}

// index returns the keys that are there. When nobody puts keys in or deletes some meanwhile these are all.
//
// Cost: nothing when none were put in or deleted since it was asked for last; otherwise a pass over the table, and a sort of those of
// the same age.
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

// listed returns the places of a table by age, or nil if it has no order.
//
//go:norace
func (m *Map[K, V]) listed(t *table, of places[K, V]) *index[K, V] {
	m.number(t.places)
	o := t.order.Load()
	if o == nil { // the map was cleared
		return nil
	}
	l := o.list.Load()
	if l == nil || o.stale.Load() != 0 || len(*l) != t.of.len() {
		o.stale.Store(0) // first, so that who comes after it is seen or says it again (I4 of order)
		list := bySeq(of.numbered(o, make([]uint64, 0, t.of.len())), func(same []uint64) { sortKeys(same, of.key) })
		l = &list
		o.list.Store(l)
	}
	return &index[K, V]{of, t, *l}
}

// sortKeys sorts places, the lower halves of words, by their keys. Those that their order calls equal come as they may: of one age no others
// are than NaNs, and what holds them.
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

// at returns the place of the i-th key. The list is one that the race detector does not see: who makes it is not ordered with who
// uses it, as far as the program is concerned.
//
//go:norace
func (ix *index[K, V]) at(i int) int { return int(ix.list[i]) }

// all calls f with the keys from one position up to another, and their values, until it says false.
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

// atOnce is how many places are fetched from memory at the same time.
const atOnce = 32
