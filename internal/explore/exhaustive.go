package explore

import (
	"math/bits"

	"example.com/custody/internal/sched"
)

// search goes through all schedules in which a task that could go on is interrupted at most bound times,
// depth first. A task that yields is not interrupted: others go first (as CHESS does it: Musuvathi, Qadeer:
// Iterative context bounding for systematic testing of multithreaded programs, PLDI 2007; Fair stateless
// model checking, PLDI 2008).
type search struct {
	bound int
	left  int // executions that may still be made; the rest is not searched
	path  []fork
	at    int
	begun bool
	cut   bool // the search ended because left did
	amiss bool // the program is not deterministic: what was picked before could not be picked again

	// Fairness: two tasks that yield to each other must not do so for ever while a third could go on. A task
	// that yields again goes on only after those that could, and did not, since it yielded before.
	ran   [sched.MaxTasks]uint64 // who has gone on since the task yielded
	first [sched.MaxTasks]uint64 // who goes before it
	tasks int
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

// faithful says whether the execution that has ended went as those before it had.
func (s *search) faithful() bool { return !s.amiss && s.at == len(s.path) }

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
	s.tasks = 0
	return true
}

//go:norace
func (s *search) Spawned(id int) {
	s.ran[id], s.first[id] = ^uint64(0), 0
	s.tasks = id + 1
}

//go:norace
func (s *search) Yielded(id int, enabled uint64) {
	s.first[id] |= enabled &^ s.ran[id] &^ (1 << id)
	s.ran[id] = 0
}

// fair returns those of the enabled tasks that no other enabled one must go before.
//
//go:norace
func (s *search) fair(enabled uint64) uint64 {
	may := enabled
	for b := enabled; b != 0; b &= b - 1 {
		if id := bits.TrailingZeros64(b); s.first[id]&enabled != 0 {
			may &^= 1 << id
		}
	}
	if may == 0 {
		return enabled
	}
	return may
}

// went notes that a task goes on.
//
//go:norace
func (s *search) went(id int) int {
	for i := range s.tasks {
		s.ran[i] |= 1 << id
		s.first[i] &^= 1 << id
	}
	return id
}

//go:norace
func (s *search) Pick(enabled uint64, cur int) int {
	if s.at < len(s.path) {
		s.at++
		if id := s.path[s.at-1].chosen; enabled&(1<<id) != 0 {
			return s.went(id)
		}
		s.amiss = true
		return s.went(bits.TrailingZeros64(enabled))
	}
	enabled = s.fair(enabled)
	f := fork{stay: -1}
	if n := len(s.path); n > 0 {
		f.used = s.path[n-1].cost()
	}
	if cur >= 0 && enabled&(1<<cur) != 0 {
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
	return s.went(f.chosen)
}
