package hashmap

import (
	"reflect"
	"runtime"
	"strconv"

	"example.com/custody/safety"
)

// index is the keys of a map by position: places of a table that has, or had, all of them.
type index struct {
	of   places
	t    *table
	list []uint32
}

// places are the places of a table. Each layout has an implementation.
type places interface {
	// numbered appends the places of keys with values, and their sequence numbers.
	numbered(o *order, all []uint64) []uint64
	// key returns the key of a place that has had one. entry returns its value, too, or ok false if
	// it has none any more. Words are put into the room.
	key(i int, in *room) ref
	entry(i int, in *room) (k, v ref, ok bool)
	// set makes v the value, unless the key has none.
	set(i int, v ref)
	// declare tells the race detector that the value is written.
	declare(i int)
	// touch loads all places of a list from memory, at the same time.
	touch(list []uint32)
}

// room is memory for a key and a value that are words.
type room struct{ key, val uint64 }

// mostPlaces is the greatest number of places of a table whose keys have positions.
const mostPlaces = 1 << 32

// mustNumber panics with a violation if a table has more places than a list can have.
func (m *core) mustNumber(places int) {
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
func (m *core) index() *index {
	m.listing.Lock()
	defer m.listing.Unlock()
	for {
		m.in.arrange()
		var ix *index
		switch {
		case m.inline != nil:
			t := m.inline.settled()
			ix = m.listed(&t.head, &inlinePlaces{m.inline, t, m.key.Size(), m.val.Size()})
		case m.wordBoxes != nil:
			t := m.wordBoxes.boxes.settled()
			ix = m.listed(&t.head, &wordBoxPlaces{boxPlaces{&m.wordBoxes.boxes, t}, m.wordBoxes, m.val.Size()})
		default:
			t := m.valueBoxes.boxes.settled()
			ix = m.listed(&t.head, &valueBoxPlaces{boxPlaces{&m.valueBoxes.boxes, t}, m.valueBoxes})
		}
		if ix != nil {
			return ix
		}
	}
}

// listed returns the index of a table, or nil if the table has no order, because of a Clear.
//
//go:norace
func (m *core) listed(t *table, of places) *index {
	m.mustNumber(t.places)
	o := t.order.Load()
	if o == nil { // the map was cleared
		return nil
	}
	l := o.list.Load()
	if l == nil || o.stale.Load() != 0 || len(*l) != t.of.len() {
		o.stale.Store(0) // first, so that a later change is seen, or sets it again (order.I4)
		list := bySeq(of.numbered(o, make([]uint64, 0, t.of.len())), func(same []uint64) { sortKeys(same, of, m.key) })
		l = &list
		o.list.Store(l)
	}
	return &index{of, t, *l}
}

// sortKeys sorts places, the lower halves of words, by their keys. The order of keys that compare
// as equal is unspecified: among keys with one sequence number these have NaNs.
func sortKeys(all []uint64, of places, t reflect.Type) {
	compare := comparerOf(t)
	if compare == nil {
		return
	}
	rooms, keys := make([]room, len(all)), make([]placed, len(all))
	for i, x := range all {
		keys[i] = placed{of.key(int(uint32(x)), &rooms[i]), x}
	}
	sortPlaced(keys, compare)
	for i := range keys {
		all[i] = keys[i].at
	}
}

// at returns the place of the i-th key. The list is hidden from the race detector, because the
// program does not order the goroutine that makes it with those that use it.
//
//go:norace
func (ix *index) at(i int) int { return int(ix.list[i]) }

// all calls f with the keys and values of the positions begin <= i < end, until f returns false.
func (ix *index) all(begin, end int, f func(k, v ref) bool) {
	var in room
	for ; begin < end; begin += atOnce {
		some := min(begin+atOnce, end)
		ix.of.touch(ix.list[begin:some])
		for i := begin; i < some; i++ {
			place := ix.at(i)
			if k, v, ok := ix.of.entry(place, (*room)(hidden(&in))); ok && !f(k, v) {
				return
			}
		}
	}
	runtime.KeepAlive(&in)
}

// atOnce is the number of places that are loaded from memory at the same time.
const atOnce = 32
