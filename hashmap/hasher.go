package hashmap

import (
	"hash/maphash"
	"math/rand/v2"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/elem"
	"example.com/custody/safety"
)

// Hasher hashes and compares keys in its own way: for example, without regard to upper and lower
// case. Its methods are those of the interface of that name in Go 1.27's hash/maphash.
//
// Any number of goroutines call the two methods at the same time, also when a job is sealed. If one
// of them panics, or Hash ends its goroutine, the operation that called it has done nothing, and a
// job that put keys in fails. Equal must not end its goroutine. When a job is sealed, a method that
// waits for the job is a violation ([safety.ErrWaitCycle]), which is recognised on the goroutine
// that calls the method, not on goroutines that the method starts.
//
// The methods must not use the map, nor any other map that has a Hasher, nor run jobs. Where such a
// call would never end it is a violation, whose text names the method that was called and the
// operation that called the Hasher. For this check, making a view of a map with a Hasher looks at
// the stack while a Hasher of any map is being asked on any goroutine, which takes some
// microseconds and allocates.
//
// Cost: two to three times that of keys without a Hasher. Where keys can be brought to one form
// first, as by strings.ToLower, that is cheaper.
type Hasher[K any] interface {
	// Hash adds to h what identifies a key: keys that are equal must add the same.
	Hash(h *maphash.Hash, k K)
	// Equal reports whether two keys are equal. It must be an equivalence, and must return true for
	// keys that are ==.
	Equal(a, b K) bool
}

// seed is the source of the hashes of a map.
type seed struct{ maphash.Seed }

func newSeed() seed { return seed{maphash.MakeSeed()} }

// word returns a number that cannot be guessed.
func (s seed) word() uint64 { return maphash.Comparable(s.Seed, 0) }

// mustCompare panics if a key cannot be compared. == stops at the first difference, so a NaN may
// hide a part that cannot be compared; a look-up in one of Go's maps finds it. mustCompare is
// inlined, and costs nothing for keys that are always equal to themselves.
func mustCompare[K comparable](k K) {
	if k != k {
		_ = map[K]bool(nil)[k]
	}
}

// custom is a [Hasher] with the seed of a map and the memory that it hashes with.
type custom struct {
	sum    func(h *maphash.Hash, k ref)
	same   func(a, b ref) bool
	none   func(keys ref, n int, k ref) bool
	seed   maphash.Seed
	states atom.Spares[maphash.Hash]
	guard  *safety.Guard // of the map
}

// customOf returns h without its type.
func customOf[K comparable](h Hasher[K]) *custom {
	return &custom{
		sum:  func(x *maphash.Hash, k ref) { h.Hash(x, *(*K)(k)) },
		same: func(a, b ref) bool { return h.Equal(*(*K)(a), *(*K)(b)) },
		none: func(keys ref, n int, k ref) bool {
			for _, x := range elem.Slice[ref](keys, n) {
				if h.Equal(*(*K)(x), *(*K)(k)) {
					return false
				}
			}
			return true
		},
	}
}

// of returns the custom of a map with a seed and a guard, or nil for nil.
func (c *custom) of(s seed, g *safety.Guard) *custom {
	if c == nil {
		return nil
	}
	return &custom{sum: c.sum, same: c.same, none: c.none, seed: s.Seed, guard: g}
}

// hash returns the hash of a key.
func (c *custom) hash(k ref) uint64 {
	n := asking.counter()
	defer n.leave()
	c.enter(n, 1)
	state := c.states.Take()
	if state == nil {
		state = new(maphash.Hash)
		state.SetSeed(c.seed)
	}
	c.sum(state, k)
	sum := state.Sum64()
	state.Reset()
	c.states.Give(state)
	return sum
}

// equal reports whether two keys are one.
func (c *custom) equal(a, b ref) bool {
	n := asking.counter()
	defer n.leave()
	c.enter(n, 0)
	return c.match(a, b)
}

// match is equal for a search, which compares many keys, waits for nothing and has called count.
func (c *custom) match(a, b ref) bool { return c.same(a, b) }

// matchNone is match for the n keys at keys: it reports whether k is none of them.
func (c *custom) matchNone(keys *ref, n int, k ref) bool { return c.none(hidden(ref(keys)), n, k) }

// count counts a search as one call, in the counter that it returns.
func (c *custom) count() *callCount {
	n := asking.counter()
	n.enter()
	return n
}

// enter counts a call in n. If n counts many calls, or by chance if calls are not counted, it looks
// at the stack. It panics with a violation if deep calls are there, which have called each other,
// beside own ones, for which enter is called.
func (c *custom) enter(n *callCount, own int) {
	if n.enter() > mostCalls || !counted && rand.Uint32()%looks == 0 {
		mustEnd(c.guard, own, deep)
	}
}
