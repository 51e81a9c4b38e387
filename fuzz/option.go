package fuzz

import (
	"time"

	"example.com/custody/internal/lawtest"
)

// Option tells a suite about the container, or how to run.
type Option interface{ set(s *settings) }

// Promise is what a container promises beyond the least, or asks of those who use it. Promises are
// options of the suites; several can be given one by one or joined with |.
type Promise uint16

const (
	// Bounded: a queue holds as many items as its capacity says, and refuses one more.
	Bounded Promise = 1 << iota
	// Unordered: a queue gives its items in any order. Without it the items of one producer come in the
	// order in which they were put in.
	Unordered
	// Linearizable: operations that run beside each other have the effects and the answers of some
	// sequence of them. For a queue this means too that false is never said for want of luck: TryDequeue
	// says it of an empty queue only, TryEnqueue of a full one.
	Linearizable
	// OneProducer: at most one goroutine at a time puts items into the queue.
	OneProducer
	// OneConsumer: at most one goroutine at a time takes items out of the queue or looks at its head.
	OneConsumer
	// LowestFails: of several bodies of a loop that fail, the failure that surfaces is that of the lowest
	// index, as in the sequential loop.
	LowestFails
	// Numbers: the container holds numbers that stand for items, so that there is nothing that it could let go of. The subtest
	// retention is left out.
	Numbers
)

// The roles that queues ask of goroutines.
const (
	MPSC = OneConsumer               // many producers, one consumer
	SPMC = OneProducer               // one producer, many consumers
	SPSC = OneProducer | OneConsumer // one producer, one consumer
)

func (p Promise) set(s *settings) { s.promises |= p }

// option is an option that is a function.
type option func(s *settings)

func (o option) set(s *settings) { o(s) }

// Capacity lists the capacities with which a [Bounded] queue is made. Without it they are 1, powers of
// two and others. The queue must hold exactly as many items.
func Capacity(capacities ...int) Option {
	return option(func(s *settings) { s.capacities = capacities })
}

// Seed makes the suite draw the same programs and schedules' randomness in every run. Without it they are
// fresh, and a failure prints the line that replays them.
func Seed(seed uint64) Option {
	return option(func(s *settings) { s.seed, s.seeded = seed, true })
}

// Rounds makes the suite repeat everything random k times as often.
func Rounds(k int) Option {
	return option(func(s *settings) { s.factor = max(k, 1) })
}

// Misuses adds cases to the suite's subtest misuse. See [Misuse].
func Misuses(table ...Misuse) Option {
	return option(func(s *settings) { s.misuses = append(s.misuses, table...) })
}

// settings is what the options of one suite say.
type settings struct {
	promises   Promise
	capacities []int
	seed       uint64
	seeded     bool
	factor     int
	misuses    []Misuse
	histories  int           // of a queue that are judged
	patience   time.Duration // how long goroutines that should end may take
	share      int           // of what is repeated one in so many is enough
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

// has says whether all of p is promised.
func (s *settings) has(p Promise) bool { return s.promises&p == p }

// rounds says how often to repeat what normally is repeated the given number of times.
func (s *settings) rounds(normal int) int { return max(lawtest.Rounds(normal*s.factor)/s.share, 1) }
