package hashmap

import (
	"hash/maphash"
	"reflect"

	"example.com/custody/internal/hash"
	"example.com/custody/internal/word"
)

// keys is how keys are hashed and compared.
type keys[K comparable] struct {
	words bool // keys are words
	word  hash.Word
	by    func(K) uint64      // where they are not
	equal func(a, b K) bool   // nil: ==
	again func(seed) *keys[K] // returns another way to hash them; nil: there is none
}

// newKeys returns how keys are hashed with a seed: by h, or as ==  compares them.
func newKeys[K comparable](s seed, h Hasher[K]) *keys[K] {
	if h != nil {
		by := hashingBy(s, h)
		return &keys[K]{by: by.hash, equal: by.equal}
	}
	k := &keys[K]{words: word.Identifies(reflect.TypeFor[K]()), again: func(s seed) *keys[K] { return newKeys[K](s, nil) }}
	if k.words {
		k.word = hash.NewWord(s.word())
	} else {
		k.by = func(k K) uint64 { return maphash.Comparable(s.Seed, k) }
	}
	return k
}

// of returns the hash of a key.
func (h *keys[K]) of(k K) uint64 {
	if h.words {
		return h.word.Of(word.Of(k))
	}
	return h.by(k)
}

// same says whether two keys are one.
func (h *keys[K]) same(a, b K) bool {
	if h.equal != nil {
		return h.equal(a, b)
	}
	return a == b
}
