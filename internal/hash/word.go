package hash

import "math/bits"

// Word is a bijection of words: those of [NewWord]. The upper bits of what it returns depend on all bits of the key, as its
// users want them.
//
// It is fold and multiply, twice, by odd numbers that the seed decides: folding brings differences down, and multiplying moves
// them up again. Of multiply-shift hashing see Dietzfelbinger, Hagerup, Katajainen and Penttonen, A Reliable
// Randomized Algorithm for the Closest-Pair Problem (1997); one multiplication alone keeps strided keys strided.
type Word struct {
	salt, up, again uint64
	unup, unagain   uint64
}

// NewWord returns the bijection that belongs to a seed.
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

// mixer returns a source of numbers that belong to a seed: Steele, Lea and Flood's SplitMix (2014).
func mixer(seed uint64) func() uint64 {
	return func() uint64 {
		seed += 0x9e3779b97f4a7c15
		x := seed
		x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
		x = (x ^ x>>27) * 0x94d049bb133111eb
		return x ^ x>>31
	}
}

// plentiful says whether the bits of a multiplier are mixed well enough: in each of its bytes some are set and some not.
func plentiful(m uint64) bool {
	for b := 0; b < 64; b += 8 {
		if n := bits.OnesCount8(uint8(m >> b)); n < 2 || n > 6 {
			return false
		}
	}
	return true
}

// inverse returns the number by which to multiply after an odd m to undo that. Each step doubles how many bits are right
// (Newton), and m is its own inverse in the last three.
func inverse(m uint64) uint64 {
	x := m
	for range 5 {
		x *= 2 - m*x
	}
	return x
}

// firstFold is not half of a word, so that the halves of a pair of equal numbers do not cancel each other.
const firstFold = 29

// Of returns the hash of a key.
func (h *Word) Of(key uint64) uint64 {
	x := key ^ h.salt
	x = (x ^ x>>firstFold) * h.up
	return (x ^ x>>32) * h.again
}

// Key returns the key that has a hash.
func (h *Word) Key(hash uint64) uint64 {
	x := hash * h.unagain
	x = (x ^ x>>32) * h.unup
	return x ^ x>>firstFold ^ x>>(2*firstFold) ^ h.salt
}
