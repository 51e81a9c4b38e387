// Package sched is a scheduler that runs one goroutine at a time and decides itself which.
//
// A program that is explored consists of tasks. A task runs until its next scheduling point: an atomic
// operation, a lock, a wait, a yield, or the start of another task. There the strategy picks the task that
// goes on. The same picks give the same run, so a run is a list of numbers, its trace, and can be
// repeated.
//
//	Exec       one execution: the tasks, who may run, the trace
//	Strategy   who picks
//	Failure    why an execution was stopped
//	machine    what switches between tasks: coroutines, or goroutines when the race detector watches
//
// Package atom calls Point, Yield, Block and Go when built with the tag custody_explore; nothing in an ordinary
// build imports this package. Only one execution exists at a time in a process. Operations of goroutines
// that are not its tasks must not happen while it lasts: the scheduler cannot tell them from the task
// that is running.
//
// Invariants:
//
//	(I1) Between Start and the end of an execution exactly one goroutine runs: the one that drives it, or
//	     the task cur.
//	(I2) What a waiting task waits for is asked before every pick. It is among the enabled ones exactly when it
//	     could go on at once, so no wake-up is lost by the scheduler itself, and no pick is spent on a task that
//	     would wait again.
//	(I3) With the race detector the scheduler makes no happens-before edge between tasks: its code is not
//	     instrumented and its hand-over is hidden. All edges are those of the program. The start of an
//	     execution happens before the tasks that it is given, and they happen before its end.
//	(I4) A task that an execution leaves behind, because it was stopped, never runs again.
package sched
