package explore

import "math/bits"

// search goes through all schedules in which a task that could go on is interrupted at most bound times,
// depth first. A task that yields is not interrupted: others go first (as CHESS does it: Musuvathi, Qadeer: Iterative
// context bounding for systematic testing of multithreaded programs, PLDI 2007).
type search struct {
	bound int
	left  int // executions that may still be made; the rest is not searched
	path  []fork
	at    int
	begun bool
	cut   bool // the search ended because left did
}

// fork is a point where there was a choice.
type fork struct {
	chosen int
	todo   uint64 // what else is to be tried
	stay   int    // choosing this one is no interruption; -1: nothing is
	used   int    // interruptions before
}

func (f *fork) cost() int {
	if f.stay >= 0 && f.chosen != f.stay {
		return f.used + 1
	}
	return f.used
}

func (s *search) Start() bool {
	if s.begun {
		for len(s.path) > 0 && s.path[len(s.path)-1].todo == 0 {
			s.path = s.path[:len(s.path)-1]
		}
		if len(s.path) == 0 {
			return false
		}
		f := &s.path[len(s.path)-1]
		f.chosen = bits.TrailingZeros64(f.todo)
		f.todo &= f.todo - 1
	}
	if s.left == 0 {
		s.cut = true
		return false
	}
	s.left--
	s.begun = true
	s.at = 0
	return true
}

func (s *search) Spawned(int) {}

//go:norace
func (s *search) Pick(enabled uint64, cur int, yielded bool) int {
	if s.at < len(s.path) {
		s.at++
		return s.path[s.at-1].chosen
	}
	f := fork{stay: -1}
	if n := len(s.path); n > 0 {
		f.used = s.path[n-1].cost()
	}
	if yielded {
		enabled &^= 1 << cur
	} else if cur >= 0 && enabled&(1<<cur) != 0 {
		f.stay = cur
	}
	f.chosen = bits.TrailingZeros64(enabled)
	if f.stay >= 0 {
		f.chosen = f.stay
	}
	if f.stay < 0 || f.used < s.bound {
		f.todo = enabled &^ (1 << f.chosen)
	}
	s.path = append(s.path, f)
	s.at++
	return f.chosen
}
