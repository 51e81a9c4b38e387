package sched

import (
	"time"
	"unsafe"
)

// Timed is a strategy that gives every task a processor and a clock of its own.
type Timed interface {
	Strategy
	// Arrived tells the strategy which operation a task does when it goes on: one on the word at p,
	// unless that is nil.
	Arrived(id int, k Kind, p unsafe.Pointer)
	// Began tells the strategy that the task goes on. It is called by the task.
	Began(id int)
	// Woken tells the strategy that a task that waits in an operation of a kind can go on, since an
	// operation of another task.
	Woken(id, by int, k Kind)
	// Spend lets the time of a task pass.
	Spend(id int, d time.Duration)
	// Now returns the time of a task.
	Now(id int) time.Duration
}

// Clock returns the time of the calling task since the execution began. It reports false unless the
// execution has a Timed strategy.
//
//go:norace
func Clock() (now time.Duration, ok bool) {
	x := active
	if x == nil || x.timed == nil {
		return 0, false
	}
	if x.cur == nil {
		return 0, true
	}
	return x.timed.Now(x.cur.id), true
}

// Spend lets time pass for the calling task, and reports whether it has a clock. It is no
// scheduling point.
//
//go:norace
func Spend(d time.Duration) bool {
	x := active
	if x == nil || x.timed == nil {
		return false
	}
	if x.cur != nil {
		x.timed.Spend(x.cur.id, d)
	}
	return true
}

// GoAfter is Go for a task that starts later, if tasks have clocks, and at any time otherwise.
//
//go:norace
func GoAfter(d time.Duration, f func()) bool {
	x := active
	if x == nil {
		return false
	}
	if x.timed == nil {
		return Go(f)
	}
	x.timed.Spend(x.add("", f).id, d)
	return true
}

// arrived is called when the current task comes to a scheduling point.
//
//go:norace
func (x *Exec) arrived(t *task, k Kind, p unsafe.Pointer) {
	if x.timed != nil {
		x.timed.Arrived(t.id, k, p)
	}
}

// began is called when a task goes on behind a scheduling point.
//
//go:norace
func (x *Exec) began(t *task) {
	if x.timed != nil {
		x.timed.Began(t.id)
	}
}
