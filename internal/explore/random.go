package explore

import "math/bits"

// source is the splitmix64 generator (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
type source uint64

//go:norace
func (s *source) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below returns a number in [0, n), n at most some thousands.
//
//go:norace
func (s *source) below(n int) int {
	hi, _ := bits.Mul64(s.next(), uint64(n))
	return int(hi)
}

// walk picks every task that can run with the same probability.
type walk struct {
	seeds  source // one seed for each execution
	seed   uint64 // of this execution
	fixed  bool   // one execution, with seed
	random source
	left   int
}

func (w *walk) Start() bool {
	if w.left <= 0 {
		return false
	}
	w.left--
	if !w.fixed {
		w.seed = w.seeds.next()
	}
	w.random = source(w.seed)
	return true
}

func (w *walk) Spawned(int) {}

func (w *walk) Yielded(int, uint64) {}

//go:norace
func (w *walk) Pick(enabled uint64, cur int) int {
	return nth(enabled, w.random.below(bits.OnesCount64(enabled)))
}

// nth returns the k-th of the bits that are set.
//
//go:norace
func nth(set uint64, k int) int {
	for range k {
		set &= set - 1
	}
	return bits.TrailingZeros64(set)
}
