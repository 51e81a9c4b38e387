package explore

import (
	"math"
	"math/bits"

	"example.com/custody/internal/sched"
)

// pct is probabilistic concurrency testing. Every task has a random priority, and the enabled task
// with the highest one runs. At depth-1 random picks the task that has just run falls to a priority
// below all initial ones. In a program of n tasks and k picks, one execution finds a fault that
// depends on the order of depth events with a probability of at least 1/(n k^(depth-1))
// (Burckhardt, Kothari, Musuvathi, Nagarakatte: A randomized scheduler with probabilistic
// guarantees of finding bugs, ASPLOS 2010).
//
// The low priorities are assigned to the picks at random, too, since a task that falls early may
// have to run before one that falls late. The paper counts steps where pct counts picks. A fall at
// a step where no other task could go on has no effect before the next pick.
type pct struct {
	seeded
	depth int
	picks int // k: the most picks expected in an execution

	priority [sched.MaxTasks]int64
	lowest   int64
	falls    [maxDepth]int // the picks at which the running task falls
	at       int
}

// Priorities are, from the top: the random initial ones, above 0; those of the falls, -depth+1 to
// -1; and those of tasks that yielded, of which the last is the lowest. The guarantee is for
// programs that do not yield.

// maxDepth is the greatest depth.
const maxDepth = 16

func (s *pct) Start() bool {
	if !s.seeded.Start() {
		return false
	}
	for i := range s.depth - 1 {
		s.falls[i] = s.random.below(max(s.picks, 1))
	}
	s.at = 0
	s.lowest = -maxDepth
	return true
}

// Spawned implements sched.Strategy. It gives the new task a random priority.
//
//go:norace
func (s *pct) Spawned(id int) { s.priority[id] = int64(s.random.next()>>2) + 1 }

// Yielded implements sched.Strategy. At random, the task falls below all others or gets a new
// random priority. If it always fell, it would never go on between the steps of another task. If it
// never did, tasks that yield in turn could keep one that has fallen from going on forever.
//
//go:norace
func (s *pct) Yielded(id int, enabled uint64) {
	r := s.random.next()
	if r&1 == 0 {
		s.priority[id] = int64(r>>2) + 1
		return
	}
	s.lowest--
	s.priority[id] = s.lowest
}

//go:norace
func (s *pct) Pick(enabled uint64, cur int) int {
	for i := range s.depth - 1 {
		if s.falls[i] == s.at && cur >= 0 {
			s.priority[cur] = int64(-1 - i)
		}
	}
	s.at++
	best, id := int64(math.MinInt64), 0
	for b := enabled; b != 0; b &= b - 1 {
		if i := bits.TrailingZeros64(b); s.priority[i] > best {
			best, id = s.priority[i], i
		}
	}
	return id
}

// Runs returns the number of executions with which PCT misses a fault of the given depth with a
// probability of at most delta, in a program of n tasks and k picks.
func Runs(n, k, depth int, delta float64) int {
	runs := math.Ceil(math.Log(1/delta) * float64(n) * math.Pow(float64(k), float64(depth-1)))
	return int(min(runs, math.MaxInt32)) // more than is practical
}
