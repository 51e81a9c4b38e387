// Package explore runs small concurrent programs in schedules that it chooses, and judges each
// execution.
//
// Go's atomics are sequentially consistent, and a program without data races behaves as if its
// goroutines took turns. So the orders of the atomic operations, together with the absence of
// races, cover everything that can happen. A [Program] is run again and again, each time in another
// order. By default its tasks run on coroutines. In race builds they run on goroutines, where the
// detector sees exactly the happens-before edges of the program itself.
//
//	Program   the tasks of one execution, and what must hold
//	Plan      the schedules: Random, PCT, PCTTo, Exhaustive; ParsePlan for repeating one schedule
//	Find      runs a program by plans, and returns the first failure
//	Run       is Find as a test: runs kept schedules first, and reports a failure with the line
//	          that repeats it
//	History   the operations of an execution, for judging whether it is linearizable
//	Time      runs a [Load] on a [Machine] whose processors have clocks and caches
//	Conflicts are the cache lines at which two operations meet
//
// Apart from the schedule, programs must be deterministic: no clock, no random numbers of their
// own, no ranging over maps, no select between ready channels. All their synchronization comes from
// package atom, built with the tag custody_explore, or from package sched itself. A process has
// only one exploration at a time, during which other goroutines must not use explored packages.
package explore
