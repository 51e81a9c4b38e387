package sched

import "unsafe"

// Exploring reports whether an execution is in progress.
//
//go:norace
func Exploring() bool { return active != nil }

// Execution returns the number of the execution in progress, or 0 outside executions.
//
//go:norace
func Execution() int {
	if active == nil {
		return 0
	}
	return started
}

// Current returns the number of the calling task, or -1 outside tasks.
//
//go:norace
func Current() int {
	if x := active; x != nil && x.cur != nil {
		return x.cur.id
	}
	return -1
}

// Now returns a number greater than all that it has returned in this execution. It is no scheduling
// point. Outside executions it returns 0.
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

// Stamp sets *at, which is 0 now, to [Now] when the calling task passes its next scheduling point.
// For other tasks, an operation that the task calls now begins at that moment: nothing that the
// task does before it can be distinguished from doing it after. Outside tasks Stamp does nothing. A
// later Stamp of the task, or Stamp(nil), replaces one that is still waiting.
//
//go:norace
func Stamp(at *int64) {
	if x := active; x != nil && x.cur != nil {
		x.cur.stamp = at
	}
}

// Point is a scheduling point before an operation on the word at p.
//
//go:norace
func Point(k Kind, p unsafe.Pointer) {
	if x := active; x != nil && !x.quiet {
		x.point(k, p)
	}
}

// lineSize is that of the cache lines of a simulated machine.
const lineSize = 64

// Plain is a scheduling point before a plain access, which may be a change, to size bytes at p that
// other tasks access, too. It has an effect only in executions with Exec.Plain, and in those with
// clocks, where it is one for each cache line.
//
//go:norace
func Plain(change bool, p unsafe.Pointer, size uintptr) {
	x := active
	switch {
	case x == nil || x.quiet || size == 0:
	case x.timed != nil:
		k := OpLoad
		if change {
			k = OpPlain
		}
		for at := uintptr(0); at < size; at += lineSize - (uintptr(p)+at)%lineSize {
			x.point(k, unsafe.Add(p, at))
		}
	case x.Plain:
		x.point(OpPlain, nil)
	}
}

// After is a scheduling point after an operation on the word at p, before the plain accesses that
// may follow. It has an effect only in executions with Exec.Plain.
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

// Block waits until w is ready. The caller must have passed a scheduling point just before. When
// Block returns, w is ready and stays so until the caller changes it or passes another point.
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

// Go starts f as a task of the execution, and reports whether there is one.
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
