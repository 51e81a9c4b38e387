package hashmap

import "math/bits"

const (
	leastIndex = 8
	farAway    = 256 // a distance from home that no good hash function leads to
)

// tagIndex finds the numbers of keys by their tags (part.I1). Several keys may have one tag.
type tagIndex struct {
	places []uint64
	shift  uint // from a tag to its home
	taken  int
}

// home returns the place where a search for a tag begins.
func (t *tagIndex) home(tag uint32) int { return int(tag >> (t.shift & 31)) }

// seek returns the first place from at on that has the tag, and the number there, or the first free
// place and -1. The index has places.
func (t *tagIndex) seek(tag uint32, at int) (place, number int) {
	for ; ; at++ {
		at &= len(t.places) - 1
		if x := t.places[at]; x == 0 || uint32(x>>32) == tag {
			return at, int(uint32(x)) - 1
		}
	}
}

// gap returns the first free place from at on.
func (t *tagIndex) gap(at int) int {
	for t.places[at] != 0 {
		at = (at + 1) & (len(t.places) - 1)
	}
	return at
}

// put adds the number of a key with a tag, and returns the distance from the tag's home. at is the
// home, or the place where a search for the tag has ended.
func (t *tagIndex) put(tag uint32, number, at int) (distance int) {
	if t.taken*3 >= len(t.places)*2 {
		t.resize(max(leastIndex, 2*len(t.places)))
		at = t.home(tag)
	}
	at = t.gap(at)
	t.places[at] = uint64(tag)<<32 | uint64(number+1)
	t.taken++
	return (at - t.home(tag)) & (len(t.places) - 1)
}

// add puts a tag into an index with places, unless it is there, and reports whether it was not.
func (t *tagIndex) add(tag uint32) bool {
	at, number := t.seek(tag, t.home(tag))
	if number < 0 {
		t.put(tag, 0, at)
	}
	return number < 0
}

// resize gives the index so many places, a power of two above 1.
func (t *tagIndex) resize(places int) {
	old := t.places
	t.places, t.shift = make([]uint64, places), uint(32-bits.Len(uint(places-1)))
	for _, x := range old {
		if x != 0 {
			t.places[t.gap(t.home(uint32(x>>32)))] = x
		}
	}
}

// remove removes the number of a key, and moves up entries that may lie nearer to their homes.
func (t *tagIndex) remove(tag uint32, number int) {
	mask := len(t.places) - 1
	hole := t.home(tag)
	for t.places[hole] != uint64(tag)<<32|uint64(number+1) {
		hole = (hole + 1) & mask
	}
	for at := hole; ; {
		at = (at + 1) & mask
		x := t.places[at]
		if x == 0 {
			break
		}
		if home := t.home(uint32(x >> 32)); (at-home)&mask >= (at-hole)&mask {
			t.places[hole] = x
			hole = at
		}
	}
	t.places[hole] = 0
	t.taken--
}
