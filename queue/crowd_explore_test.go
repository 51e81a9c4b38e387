//go:build custody_explore

package queue

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/explore"
	"example.com/custody/internal/lawtest"
	"example.com/custody/internal/sched"
	"example.com/custody/internal/spec"
	"example.com/custody/safety"
)

var (
	twoPut  = doing{op: spec.EnqueueAll, n: 2, window: true}
	twoTake = doing{op: spec.DequeueInto, n: 2, window: true}
)

// crowds are plays in which two tasks use the same end of an SPSC, which is a violation.
var crowds = []play{
	{name: "producers", capacity: 4, tasks: [][]doing{{put, put}, {put, put}, {take}}},
	{name: "producers, where a lap ends", capacity: 3, laps: 1, filled: 2, tasks: [][]doing{{put, put}, {put}, {take, take}}},
	{name: "producers, capacity 1", capacity: 1, tasks: [][]doing{{put, put}, {put}, {take, take}}},
	{name: "producers of batches", capacity: 3, tasks: [][]doing{{putTwo, put}, {put, putTwo}, {takeTwo, take}}},
	{name: "producers, closed", capacity: 3, tasks: [][]doing{{put, put}, {put, finish}, {take}}},
	{name: "a producer with a window", capacity: 3, tasks: [][]doing{{twoPut, put}, {put}, {take}}},
	{name: "consumers", capacity: 4, filled: 4, tasks: [][]doing{{take, take}, {take, take}, {put}}},
	{name: "consumers, where a lap ends", capacity: 3, laps: 1, filled: 3, tasks: [][]doing{{take, take}, {take}, {put, put}}},
	{name: "consumers, capacity 1", capacity: 1, filled: 1, tasks: [][]doing{{take, take}, {take}, {put, put}}},
	{name: "consumers of batches", capacity: 3, filled: 3, tasks: [][]doing{{takeTwo, take}, {take, takeTwo}, {putTwo, put}}},
	{name: "a consumer with a window", capacity: 3, filled: 2, tasks: [][]doing{{twoTake, take}, {take}, {put}}},
	{name: "both", capacity: 3, filled: 1, tasks: [][]doing{{put, take}, {take, put}}},
}

// If two tasks use an end at the same time, one of them panics, in schedules down to single
// accesses of memory. Otherwise every item comes once, as if the tasks had taken turns.
func TestExploreACrowdAtOneEnd(t *testing.T) {
	if sched.Race {
		t.Skip("it is a race")
	}
	for _, s := range crowds {
		t.Run(s.name, func(t *testing.T) {
			told := 0
			s.crowd = &told
			stats := explore.Run(t, explore.Options{Plain: true}, s.program(func(capacity int, laps uint64) subject {
				q := NewSPSC[int](capacity)
				q.start(laps)
				return ends{&q.producer, &q.consumer, q}
			}), explore.Exhaustive(2, 300_000), explore.PCT(3, 8000), explore.Random(4000))
			if told == 0 || told == stats.Schedules {
				t.Error("they were told in", told, "of", stats.Schedules)
			}
		})
	}
}

// Of two tasks that wait at an end, one gets its item or its room, and the second panics or gets
// its own too. Neither sleeps for ever.
func TestExploreTwoThatWaitAtOneEnd(t *testing.T) {
	if sched.Race {
		t.Skip("it is a race")
	}
	for _, consumers := range []bool{false, true} {
		t.Run(fmt.Sprint("consumers ", consumers), func(t *testing.T) {
			told := 0
			explore.Run(t, explore.Options{Plain: true}, func(p *explore.Program) {
				q := NewSPSC[int](1)
				wait := func() error { return q.producer.Enqueue(context.Background(), 1) }
				other := func() bool { _, ok := q.consumer.TryDequeue(); return ok }
				if consumers {
					wait = func() error { _, err := q.consumer.Dequeue(context.Background()); return err }
					other = func() bool { return q.producer.TryEnqueue(1) }
				} else {
					q.producer.TryEnqueue(1)
				}
				there := q.Len()
				var wrong [2]error
				var over atom.Uint32
				others := 0
				for i := range wrong {
					p.Go(fmt.Sprint("waiter ", i), func() {
						wrong[i] = lawtest.Failure(wait)
						over.Add(1)
					})
				}
				p.Go("other end", func() {
					for over.Load() < 2 {
						if other() {
							others++
						}
						atom.Yield()
					}
				})
				p.Judge(func() error {
					done := 0
					for _, err := range wrong {
						switch {
						case err == nil:
							done++
						case errors.Is(err, safety.ErrConflict):
							told++
						default:
							return err
						}
					}
					if consumers {
						done, others = others, done
					}
					if done == 0 || q.Len() != there+done-others {
						return fmt.Errorf("%d were put in, %d taken, and %d are left", there+done, others, q.Len())
					}
					return nil
				})
			}, explore.Exhaustive(2, 300_000), explore.PCT(3, 4000), explore.Random(4000))
			if told == 0 {
				t.Error("they never met")
			}
		})
	}
}
