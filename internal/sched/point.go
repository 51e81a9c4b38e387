package sched

import "unsafe"

// Exploring says whether the caller runs under an execution.
//
//go:norace
func Exploring() bool { return active != nil }

// Current returns the number of the task that calls; outside tasks it is -1.
//
//go:norace
func Current() int {
	if x := active; x != nil && x.cur != nil {
		return x.cur.id
	}
	return -1
}

// Now returns a number greater than all that it returned before in this execution. It is no scheduling
// point. Outside executions it is 0.
//
//go:norace
func Now() int64 {
	x := active
	if x == nil {
		return 0
	}
	x.clock++
	return x.clock
}

// Stamp sets *at, now 0, to [Now] when the calling task has passed its next scheduling point. That is when
// an operation that is called now begins, for others: what a task does before its next point cannot
// be told from doing it after. Outside tasks it does nothing. A later Stamp of the task, and Stamp(nil),
// takes the place of one that still waits.
//
//go:norace
func Stamp(at *int64) {
	if x := active; x != nil && x.cur != nil {
		x.cur.stamp = at
	}
}

// Point is a scheduling point, before an operation on the word at p.
//
//go:norace
func Point(k Kind, p unsafe.Pointer) {
	if x := active; x != nil && !x.quiet {
		x.point(k, p)
	}
}

// Plain is a scheduling point, before a plain access to memory that other tasks access, too. It is
// one only in executions with Exec.Plain.
//
//go:norace
func Plain() {
	if x := active; x != nil && x.Plain && !x.quiet {
		x.point(OpPlain, nil)
	}
}

// After is a scheduling point behind an operation on the word at p, before the plain accesses that
// may follow. It is one only in executions with Exec.Plain.
//
//go:norace
func After(p unsafe.Pointer) {
	if x := active; x != nil && x.Plain && !x.quiet {
		x.point(OpAfter, p)
	}
}

// Yield is a scheduling point at which other tasks that can run go first.
//
//go:norace
func Yield() {
	if x := active; x != nil && !x.quiet {
		x.yield()
	}
}

// Block waits until w is ready. The caller has passed a scheduling point just before. When it returns w
// is ready, and stays so until the caller changes it or passes another point.
//
//go:norace
func Block(k Kind, p unsafe.Pointer, w Waiter) {
	x := active
	if w.Ready() {
		return
	}
	if x == nil || x.quiet {
		panic("sched: " + k.String() + " would wait for ever: no other task runs now")
	}
	x.block(k, p, w)
}

// Go starts f as a task of the execution, if the caller is under one.
//
//go:norace
func Go(f func()) bool {
	x := active
	if x == nil {
		return false
	}
	if !x.quiet && x.cur.stamp != nil {
		x.reached(x.cur)
	}
	x.add("", f)
	if !x.quiet {
		x.point(OpGo, nil)
	}
	return true
}
