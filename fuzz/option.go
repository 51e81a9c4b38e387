package fuzz

import (
	"time"

	"example.com/custody/internal/lawtest"
)

// Option is an option of a suite.
type Option interface{ set(s *settings) }

// Promise is a set of promises of a container beyond the minimum, or of demands on its users.
// Promises are options of the suites. Several can be given one by one or joined with |.
type Promise uint16

const (
	// Bounded means that a queue holds exactly as many items as its capacity, and refuses another.
	Bounded Promise = 1 << iota
	// Unordered means that a queue returns its items in any order, and a multimap the values of a
	// key. Without it the items of one producer come in the order in which it enqueued them.
	Unordered
	// Linearizable means that concurrent operations have the effects and the answers of some
	// sequence of them. For a queue it means also that TryDequeue returns false only if the queue
	// is empty, and TryEnqueue only if it is full or closed: never because of contention.
	Linearizable
	// OneProducer means that at most one goroutine at a time enqueues items.
	OneProducer
	// OneConsumer means that at most one goroutine at a time dequeues items or peeks.
	OneConsumer
	// LowestFails means that the failure of a loop is that of the lowest failing index, as in the
	// sequential loop.
	LowestFails
	// Numbers means that the container holds numbers that stand for items, so it keeps no item
	// alive. The subtest retention is left out.
	Numbers
)

// The roles of goroutines that use a queue.
const (
	MPSC = OneConsumer               // many producers, one consumer
	SPMC = OneProducer               // one producer, many consumers
	SPSC = OneProducer | OneConsumer // one producer, one consumer
)

func (p Promise) set(s *settings) { s.promises |= p }

// option is an Option made of a function.
type option func(s *settings)

func (o option) set(s *settings) { o(s) }

// Capacity lists the capacities of the [Bounded] queues to test. The default has 1, powers of two
// and others. A queue must hold exactly as many items as its capacity.
func Capacity(capacities ...int) Option {
	return option(func(s *settings) { s.capacities = capacities })
}

// Seed sets the seed of the suite's random numbers, so that every run draws the same programs. The
// default is a new seed for each run. A failure prints the line that replays it.
func Seed(seed uint64) Option {
	return option(func(s *settings) { s.seed, s.seeded = seed, true })
}

// Rounds makes the suite repeat all random tests k times as often.
func Rounds(k int) Option {
	return option(func(s *settings) { s.factor = max(k, 1) })
}

// Misuses adds cases to the subtest misuse. See [Misuse].
func Misuses(table ...Misuse) Option {
	return option(func(s *settings) { s.misuses = append(s.misuses, table...) })
}

// settings are the options of one suite.
type settings struct {
	promises   Promise
	capacities []int
	seed       uint64
	seeded     bool
	factor     int
	misuses    []Misuse
	histories  int           // the number of histories of a queue to judge
	patience   time.Duration // the time within which goroutines must end
	share      int           // divides the number of repetitions
	transfers  float64       // the most that an operation may take, if bounded
	bounded    bool
}

func settingsOf(opts []Option) settings {
	s := settings{factor: 1, histories: queueHistories, patience: 20 * time.Second, share: 1}
	for _, o := range opts {
		o.set(&s)
	}
	switch {
	case s.promises&Bounded == 0:
		s.capacities = []int{0}
	case len(s.capacities) == 0:
		s.capacities = []int{1, 2, 3, 5, 8, 64}
	}
	return s
}

// has reports whether all promises in p are made.
func (s *settings) has(p Promise) bool { return s.promises&p == p }

// rounds returns the number of repetitions of a test that has normal of them without factors.
func (s *settings) rounds(normal int) int { return max(lawtest.Rounds(normal*s.factor)/s.share, 1) }
