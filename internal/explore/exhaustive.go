package explore

import (
	"math/bits"

	"example.com/custody/internal/sched"
)

// search visits all schedules in which a task that could go on is interrupted at most bound times,
// depth first. A task that yields is not interrupted: others go first. Both are as in CHESS
// (Musuvathi, Qadeer: Iterative context bounding for systematic testing of multithreaded programs,
// PLDI 2007; Fair stateless model checking, PLDI 2008).
type search struct {
	bound int
	left  int // the number of executions before the search is cut
	path  []fork
	at    int
	begun bool
	cut   bool // the search ended because left was 0
	amiss bool // the program is not deterministic: a task of path could not be picked again

	// Fairness: two tasks that yield to each other must not do so forever while a third could go
	// on. When a task yields again, the enabled tasks that have not gone on since its previous
	// yield go before it.
	ran   [sched.MaxTasks]uint64 // the tasks that have gone on since the task yielded
	first [sched.MaxTasks]uint64 // the tasks that go before the task
	tasks int
}

// fork is a point with a choice.
type fork struct {
	chosen int
	todo   uint64 // the tasks still to try
	stay   int    // the task that could go on: another choice interrupts it; -1: none
	used   int    // interruptions before this point
}

// cost returns the number of interruptions up to this point and including it.
func (f *fork) cost() int {
	if f.stay >= 0 && f.chosen != f.stay {
		return f.used + 1
	}
	return f.used
}

// faithful reports whether the execution that has ended followed path.
func (s *search) faithful() bool { return !s.amiss && s.at == len(s.path) }

// Start implements sched.Strategy. It goes back to the last fork with a task still to try.
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

// fair returns the enabled tasks that need not wait for another enabled one.
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

// went records that a task goes on.
//
//go:norace
func (s *search) went(id int) int {
	for i := range s.tasks {
		s.ran[i] |= 1 << id
		s.first[i] &^= 1 << id
	}
	return id
}

// Pick implements sched.Strategy. It follows path to its end, and then adds forks.
//
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
