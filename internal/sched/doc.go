// Package sched is a scheduler that runs one goroutine at a time and chooses itself which.
//
// A program that is explored consists of tasks. A task runs until its next scheduling point: an
// atomic operation, a lock, a wait, a yield, or the start of another task. There the strategy picks
// the task that goes on. The same picks give the same run, so a run is a list of numbers, its
// trace, and can be repeated.
//
//	Exec       one execution: its tasks, which of them can run, its trace
//	Strategy   picks the task that goes on
//	Failure    why an execution was stopped
//	machine    switches between tasks: coroutines, or goroutines for the race detector
//
// Package atom calls Point, Yield, Block and Go when it is built with the tag custody_explore.
// Nothing in an ordinary build imports this package. A process has only one execution at a time.
// While it lasts, goroutines that are not its tasks must not execute such operations: the scheduler
// cannot distinguish them from the task that is running.
//
// # Invariants
//
//	(I1) Between Start and the end of an execution exactly one goroutine runs: the driver or the task
//	     cur.
//	(I2) The scheduler asks every Waiter before every pick. A waiting task is enabled exactly if it
//	     could go on at once, so the scheduler loses no wake-up, and picks no task that would wait
//	     again.
//	(I3) With the race detector the scheduler adds no happens-before edge between tasks: its code is
//	     not instrumented and its hand-over is hidden. All edges are those of the program. The start
//	     of an execution happens before the tasks that it is given, and they happen before its end.
//	(I4) A task that an execution leaves behind because it was stopped never runs again.
package sched
