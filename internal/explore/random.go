package explore

import "math/bits"

// source is the splitmix64 generator (Steele, Lea, Flood: Fast splittable pseudorandom number
// generators, 2014).
type source uint64

//go:norace
func (s *source) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below returns a number in [0, n). n must be at most some thousands.
//
//go:norace
func (s *source) below(n int) int {
	hi, _ := bits.Mul64(s.next(), uint64(n))
	return int(hi)
}

// seeded is the common part of strategies with random numbers. Each execution has a seed of its
// own, by which it can be repeated.
type seeded struct {
	seeds  source // of the executions
	seed   uint64 // of this execution
	fixed  bool   // the only execution has a given seed
	random source // of this execution
	left   int    // executions still to run
}

// from returns a seeded for n executions, whose seeds follow from base.
func from(base uint64, n int) seeded { return seeded{seeds: source(base), left: n} }

// only returns a seeded for one execution, which repeats the one with that seed.
func only(seed uint64) seeded { return seeded{seed: seed, fixed: true, left: 1} }

// Start implements sched.Strategy.
func (s *seeded) Start() bool {
	if s.left <= 0 {
		return false
	}
	s.left--
	if !s.fixed {
		s.seed = s.seeds.next()
	}
	s.random = source(s.seed)
	return true
}

// walk picks every enabled task with the same probability.
type walk struct{ seeded }

func (w *walk) Spawned(int) {}

func (w *walk) Yielded(int, uint64) {}

//go:norace
func (w *walk) Pick(enabled uint64, cur int) int {
	return nth(enabled, w.random.below(bits.OnesCount64(enabled)))
}

// nth returns the position of the k-th bit that is set, counting from 0.
//
//go:norace
func nth(set uint64, k int) int {
	for range k {
		set &= set - 1
	}
	return bits.TrailingZeros64(set)
}
