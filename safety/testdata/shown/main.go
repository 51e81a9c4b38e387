//go:build race

// Command shown does what has a race, or has none, by what this package shows the race detector,
// for the test that builds it with -race. It prints of each program whether the detector has
// reported one: "race" or "right".
package main

import (
	"fmt"
	"runtime"
	"sync"
	"time"

	"example.com/custody/safety"
)

var programs = []struct {
	name string
	run  func()
}{
	{"two goroutines of a batch use its lane", func() { lanes(false, false) }},
	{"two goroutines of a batch use its lane one after the other", func() { lanes(false, true) }},
	{"two batches use the lane of their worker", func() { lanes(true, false) }},
	{"a job inherits", func() { inherits(true, true) }},
	{"a job does not inherit", func() { inherits(true, false) }},
	{"a job inherits that is not Ordered", func() { inherits(false, true) }},
}

func main() {
	for _, p := range programs {
		before := runtime.RaceErrors()
		p.run()
		verdict := "right"
		if runtime.RaceErrors() > before {
			verdict = "race"
		}
		fmt.Println(p.name + ": " + verdict)
	}
}

// box is a container.
type box struct{ guard safety.Guard }

func newBox() *box {
	b := new(box)
	b.guard.Init(b, 0)
	return b
}

// view is a view of a box.
type view struct{ safety.Hold }

// hint is how one goroutine waits for another without being ordered with it, as far as the detector
// sees.
type hint struct{ given bool }

//go:norace
func (h *hint) give() { h.given = true }

//go:norace
func (h *hint) wait() {
	for !h.given {
		time.Sleep(200 * time.Microsecond)
	}
}

// scheduled returns the ticket of a job that has the box.
func scheduled(b *box, m safety.Mode, ordered bool) *safety.Ticket {
	t := new(safety.Ticket)
	t.Reset("job", safety.Caller(0))
	v := &view{b.guard.Hold(m, nil)}
	t.ClaimOf(safety.FieldOf(v, "V"))
	t.Ordered = ordered
	if v := t.Open(safety.CurrentScope(), 1, false); v != nil {
		panic(v)
	}
	t.Start(safety.Phase{Workers: 1, N: 1, Batches: 1, BatchSize: 1})
	return t
}

func ended(t *safety.Ticket) {
	t.Seal(1, false, nil)
	t.Return()
}

// lanes has two goroutines use a lane, in one batch of a worker or in two.
func lanes(batches, ordered bool) {
	b := newBox()
	t := scheduled(b, safety.Append, false)
	l := safety.NewScope()
	l.Open(t, 0, true)
	bound := func(batch int) *view {
		l.Next(nil, batch)
		v := &view{b.guard.Hold(safety.Append, nil)}
		v.Bind(safety.NewBinding(l, 0, v))
		return v
	}
	first := bound(0)
	second := &view{first.Hold}
	var all sync.WaitGroup
	var through hint
	told := make(chan bool, 1)
	all.Go(func() {
		first.Hold.CheckLane()
		told <- true
		through.give()
	})
	through.wait()
	if batches {
		second = bound(1)
	}
	all.Go(func() {
		if ordered {
			<-told
		}
		second.Hold.CheckLane()
	})
	all.Wait()
	l.Close()
	l.Discard()
	ended(t)
}

// inherits has two jobs write a variable, the second when the first has returned what it held.
func inherits(ordered, inherit bool) {
	b, shared := newBox(), 0
	var through hint
	var all sync.WaitGroup
	all.Go(func() {
		t := scheduled(b, safety.Write, false)
		shared++
		ended(t)
		through.give()
	})
	all.Go(func() {
		through.wait()
		t := scheduled(b, safety.Write, ordered)
		if inherit {
			t.Inherit()
		}
		shared++
		ended(t)
	})
	all.Wait()
}
