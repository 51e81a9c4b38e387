package hash

import "math/bits"

// Word is a bijection of words, which [NewWord] returns for a seed. The upper bits of a hash depend
// on all bits of the key, because the maps index by them.
//
// Word folds and multiplies twice, by odd numbers that the seed decides: a fold brings differences
// down, and a multiplication moves them up again. For multiply-shift hashing see Dietzfelbinger,
// Hagerup, Katajainen and Penttonen, A Reliable Randomized Algorithm for the Closest-Pair Problem
// (1997). A single multiplication would leave strided keys strided.
type Word struct {
	salt, up, again uint64
	unup, unagain   uint64
}

// NewWord returns the bijection of a seed.
func NewWord(seed uint64) Word {
	next := mixer(seed)
	odd := func() uint64 {
		for {
			if m := next() | 1<<63 | 1; plentiful(m) {
				return m
			}
		}
	}
	h := Word{salt: next(), up: odd(), again: odd()}
	h.unup, h.unagain = inverse(h.up), inverse(h.again)
	return h
}

// mixer returns a generator of the numbers of a seed: SplitMix, by Steele, Lea and Flood (2014).
func mixer(seed uint64) func() uint64 {
	return func() uint64 {
		seed += 0x9e3779b97f4a7c15
		x := seed
		x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
		x = (x ^ x>>27) * 0x94d049bb133111eb
		return x ^ x>>31
	}
}

// plentiful reports whether the bits of a multiplier are mixed well enough: each of its bytes has 2
// to 6 bits set.
func plentiful(m uint64) bool {
	for b := 0; b < 64; b += 8 {
		if n := bits.OnesCount8(uint8(m >> b)); n < 2 || n > 6 {
			return false
		}
	}
	return true
}

// inverse returns the number by which to multiply to undo a multiplication by m, which is odd. Each
// step of Newton's method doubles the number of correct bits. The lowest 3 bits are correct at the
// start, because m is its own inverse modulo 8.
func inverse(m uint64) uint64 {
	x := m
	for range 5 {
		x *= 2 - m*x
	}
	return x
}

// firstFold is not half of a word, so that the halves of a pair of equal numbers do not cancel.
const firstFold = 29

// Of returns the hash of a key.
func (h *Word) Of(key uint64) uint64 {
	x := key ^ h.salt
	x = (x ^ x>>firstFold) * h.up
	return (x ^ x>>32) * h.again
}

// Key returns the key that has the given hash.
func (h *Word) Key(hash uint64) uint64 {
	x := hash * h.unagain
	x = (x ^ x>>32) * h.unup
	return x ^ x>>firstFold ^ x>>(2*firstFold) ^ h.salt
}
