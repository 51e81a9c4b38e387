//go:build custody_explore

package queue

import (
	"slices"
	"testing"

	"example.com/custody/internal/explore"
	"example.com/custody/internal/sched"
	"example.com/custody/internal/spec"
)

var all = doing{op: spec.All}

// looked are plays in which a task ranges over all items.
var looked = []play{
	{name: "All", capacity: 2, filled: 1, tasks: [][]doing{{all}, {put, take}, {take, put}}},
	{name: "All, where a lap ends", capacity: 3, laps: 1, filled: 2, tasks: [][]doing{{all}, {take, put}, {put, take}}},
	{name: "All of batches", capacity: 3, tasks: [][]doing{{all}, {putTwo, takeTwo}, {takeTwo, put}}},
	{name: "All, and another look", capacity: 2, filled: 2, tasks: [][]doing{{all}, {peek, all}, {take, put}}},
	{name: "All beside Len", capacity: 2, filled: 1, tasks: [][]doing{{all}, {take}, {count, put}}},
	{name: "All beside who finds nothing", capacity: 2, filled: 1, tasks: [][]doing{{all}, {take}, {take, put}}},
	{name: "All beside Close", capacity: 2, filled: 1, tasks: [][]doing{{all, all}, {put, take}, {finish, put}}},
}

// The items that All gives are those of one moment.
func TestExploreAll(t *testing.T) {
	for _, s := range looked {
		t.Run("Ring, "+s.name, func(t *testing.T) {
			explore.Run(t, explore.Options{}, s.program(newExploredRing), searching(2000)...)
		})
		s.capacity, s.laps = 0, 0
		t.Run("Queue, "+s.name, func(t *testing.T) {
			explore.Run(t, explore.Options{}, s.program(newExploredQueue), searching(2000)...)
		})
	}
}

func newExploredRing(capacity int, laps uint64) subject {
	r := NewRing[int](capacity)
	r.start(laps)
	r.holds = true // so an emptied place holds 0, which no task puts in
	return r
}

func newExploredQueue(int, uint64) subject {
	q := newQueue[int](1, 2)
	q.guard.Init(q, 0)
	q.holds = true
	return unbounded{q}
}

func newExploredSPSC(capacity int, laps uint64) subject {
	q := NewSPSC[int](capacity)
	q.start(laps)
	q.producer.holds, q.consumer.holds = true, true
	return ends{&q.producer, &q.consumer, q}
}

// An item is read as it was put in, and only while its place belongs to the task that reads, in
// schedules down to single accesses of memory. The explorer finds errors here that else need a
// race.
func TestExplorePlainAccesses(t *testing.T) {
	if sched.Race {
		t.Skip("the race detector sees it by itself")
	}
	for name, kind := range map[string]struct {
		plays []play
		fresh func(capacity int, laps uint64) subject
	}{
		"Ring":  {slices.Concat(plays, looked), newExploredRing},
		"Queue": {slices.Concat(endless, looked), newExploredQueue},
		"SPSC":  {paired, newExploredSPSC},
	} {
		for _, s := range kind.plays {
			if name == "Queue" {
				s.capacity, s.laps = 0, 0
			}
			t.Run(name+", "+s.name, func(t *testing.T) {
				explore.Run(t, explore.Options{Plain: true}, s.program(kind.fresh), explore.Exhaustive(1, 30_000), explore.PCT(3, 1000), explore.Random(1000))
			})
		}
	}
}
