package hashmap

import (
	"example.com/custody/internal/hash"
	"example.com/custody/internal/word"
)

// keys is how keys are hashed and compared.
type keys[K comparable] struct {
	hashing[K]
	again func(seed) *keys[K] // returns another way to hash them; nil: there is none
}

// newKeys returns how keys are hashed with a seed: by h, or as ==  compares them.
func newKeys[K comparable](s seed, h Hasher[K]) *keys[K] {
	k := &keys[K]{hashing: hashingBy(s, h)}
	if h == nil {
		k.again = func(s seed) *keys[K] { return newKeys[K](s, nil) }
	}
	return k
}

// of returns the hash of a key.
func (h *keys[K]) of(k K) uint64 {
	switch h.seed.How {
	case hash.AsWord:
		return h.seed.Word.Of(word.Of(k))
	case hash.Given:
		return h.hash(k)
	}
	return hash.Key(&h.seed, k)
}

// same says whether two keys are one.
func (h *keys[K]) same(a, b K) bool {
	if h.equal != nil {
		return h.equal(a, b)
	}
	return a == b
}
