package sched

import (
	"fmt"
	"math/bits"
	"unsafe"
)

// This file passes the turn on: at a scheduling point, when a task waits, and when a task ends. Its
// functions run on the goroutine of the task that has the turn, or on the driver's if no task has
// it.

// point lets the strategy choose whether the current task goes on.
//
//go:norace
func (x *Exec) point(k Kind, p unsafe.Pointer) {
	t := x.cur
	x.step(t, k, p)
	if x.waiting != 0 {
		x.refresh()
	}
	if x.enabled != t.bit {
		if id := x.pick(t.id); id != t.id {
			x.machine.hand(x, t, x.tasks[id])
		}
	}
	x.began(t)
	if t.stamp != nil {
		x.reached(t)
	}
}

// yield is a scheduling point at which other tasks go first.
//
//go:norace
func (x *Exec) yield() {
	if x.timed != nil { // the strategy knows when others go first
		x.point(OpYield, nil)
		return
	}
	t := x.cur
	x.step(t, OpYield, nil)
	if x.waiting != 0 {
		x.refresh()
	}
	if x.enabled != t.bit {
		x.strategy.Yielded(t.id, x.enabled)
		x.machine.hand(x, t, x.tasks[x.choose(x.enabled&^t.bit, t.id)])
	}
	if t.stamp != nil {
		x.reached(t)
	}
}

//go:norace
func (x *Exec) block(k Kind, p unsafe.Pointer, w Waiter) {
	t := x.cur
	t.doing.Kind, t.doing.Word = k, p
	if x.Log {
		t.doing.At = callers()
	}
	t.waiter = w
	x.waiting |= t.bit
	x.refresh()
	if x.enabled == 0 {
		x.stop(x.deadlock())
	}
	x.machine.hand(x, t, x.tasks[x.pick(t.id)])
	x.waiting &^= t.bit // the picker had just found w ready
	t.waiter = nil
	x.began(t)
}

// reached sets the stamp that Stamp registered for the task.
//
//go:norace
func (x *Exec) reached(t *task) {
	x.clock++
	*t.stamp = x.clock
	t.stamp = nil
}

// step counts a step. It stops the execution if there are too many steps or Check returns an error.
//
//go:norace
func (x *Exec) step(t *task, k Kind, p unsafe.Pointer) {
	x.Steps++
	x.Mark = (x.Mark + uint64(k)<<6 + uint64(t.id)) * 0x9e3779b97f4a7c15
	t.doing.Kind, t.doing.Word = k, p
	x.arrived(t, k, p)
	if x.Log {
		t.doing.At = callers()
		x.Story = append(x.Story, t.doing)
	}
	if x.Steps > x.Limit {
		x.stop(&Failure{Kind: Endless, Text: fmt.Sprintf("no end after %d steps", x.Limit)})
	}
	if x.Check != nil {
		if f := x.check(); f != nil {
			x.stop(f)
		}
	}
}

// check calls Check.
//
//go:norace
func (x *Exec) check() *Failure {
	x.quiet = true
	err := x.Check()
	x.quiet = false
	if err != nil {
		return &Failure{Kind: Broken, Text: err.Error(), Err: err}
	}
	return nil
}

// refresh enables the waiting tasks that can go on, and disables the other waiting tasks.
//
//go:norace
func (x *Exec) refresh() {
	for b := x.waiting; b != 0; b &= b - 1 {
		t := x.tasks[bits.TrailingZeros64(b)]
		if t.waiter.Ready() {
			if x.timed != nil && x.enabled&t.bit == 0 && x.cur != nil {
				x.timed.Woken(t.id, x.cur.id, t.doing.Kind)
			}
			x.enabled |= t.bit
		} else {
			x.enabled &^= t.bit
		}
	}
}

// pick returns the strategy's choice among the enabled tasks.
//
//go:norace
func (x *Exec) pick(cur int) int { return x.choose(x.enabled, cur) }

// choose returns the strategy's choice among the tasks in e, or the only task in e.
//
//go:norace
func (x *Exec) choose(e uint64, cur int) int {
	if e&(e-1) == 0 {
		return bits.TrailingZeros64(e)
	}
	id := x.strategy.Pick(e, cur)
	if e&(1<<id) == 0 {
		panic("sched: the strategy picked a task that cannot go on")
	}
	x.Trace = append(x.Trace, byte(id))
	return id
}

// end is called by the machine on the goroutine of a task whose body has returned, panicked or
// called Goexit. It returns the task that goes on, or nil if the execution is over or was stopped.
//
//go:norace
func (x *Exec) end(t *task, panicked any, stack string) *task {
	x.enabled &^= t.bit
	x.ended |= t.bit
	if panicked != nil {
		x.Fault = &Failure{Kind: Panic, Text: fmt.Sprint(panicked), Value: panicked, Stack: stack}
	} else if x.Check != nil {
		x.Fault = x.check()
	}
	if x.Fault != nil {
		x.Fault.Tasks = x.states()
		return nil
	}
	if x.over() {
		return nil
	}
	if x.waiting != 0 {
		x.refresh()
	}
	if x.enabled == 0 {
		x.Fault = x.deadlock()
		return nil
	}
	return x.tasks[x.pick(t.id)]
}

//go:norace
func (x *Exec) deadlock() *Failure {
	return &Failure{Kind: Deadlock, Text: "all tasks that are left wait", Tasks: x.states()}
}

// stop ends the execution with a failure in the middle of the current task, which never goes on.
//
//go:norace
func (x *Exec) stop(f *Failure) {
	f.Tasks = x.states()
	x.Fault = f
	x.machine.abandon(x, x.cur)
}
