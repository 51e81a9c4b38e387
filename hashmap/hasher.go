package hashmap

import (
	"hash/maphash"

	"example.com/custody/internal/atom"
)

// Hasher hashes and compares keys in its own way: for example, without regard to upper and lower case. Its methods are those of
// the interface of that name in Go 1.27's hash/maphash.
//
// Any number of goroutines call them at the same time. When Hash panics the operation has done nothing. Equal must not panic, and
// neither may use the map.
type Hasher[K any] interface {
	// Hash adds to h what makes a key what it is: keys that are equal must add the same.
	Hash(h *maphash.Hash, k K)
	// Equal says whether two keys are one. It must be an equivalence, and must say so of keys that are ==.
	Equal(a, b K) bool
}

// seed is what the hashes of a map are made with.
type seed struct{ maphash.Seed }

func newSeed() seed { return seed{maphash.MakeSeed()} }

// word returns a number that nobody can guess.
func (s seed) word() uint64 { return maphash.Comparable(s.Seed, 0) }

// hashBy returns the hash function of a map: h's, or that of Go's maps.
func hashBy[K comparable](s seed, h Hasher[K]) func(K) uint64 {
	if h == nil {
		return func(k K) uint64 { return maphash.Comparable(s.Seed, k) }
	}
	states := new(atom.Spares[maphash.Hash])
	return func(k K) uint64 {
		state := states.Take()
		if state == nil {
			state = new(maphash.Hash)
			state.SetSeed(s.Seed)
		}
		h.Hash(state, k)
		sum := state.Sum64()
		state.Reset()
		states.Give(state)
		return sum
	}
}

// equalBy returns what compares the keys of a map, or nil where it is ==.
func equalBy[K comparable](h Hasher[K]) func(a, b K) bool {
	if h == nil {
		return nil
	}
	return h.Equal
}
