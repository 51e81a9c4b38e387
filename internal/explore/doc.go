// Package explore runs small concurrent programs through schedules that it chooses, and judges every one.
//
// Go's atomics are sequentially consistent, and a program without data races behaves as if its goroutines
// took turns. So all orders of the atomic operations, together with the absence of races, are the whole of
// what can happen. A [Program] is run again and again, by default on coroutines, each time in another
// order; in race builds on goroutines, where the detector sees exactly the happens-before edges that the
// program itself makes.
//
//	Program   the tasks of one execution, and what must hold
//	Plan      which schedules: Random, PCT, PCTTo, Exhaustive; ParsePlan for one that is repeated
//	Find      runs a program by plans, and returns the first failure
//	Run       Find as a test: kept schedules first; a failure is told, with the line that repeats it
//	History   the operations of an execution, for judging it linearizable
//
// Programs must be deterministic but for the schedule: no clock, no random numbers of their own, no ranging
// over maps, no select between ready channels. Everything they synchronise with comes from package atom
// built with the tag custody_explore, or calls package sched itself. One exploration runs at a time in a
// process, and other goroutines must leave explored packages alone while it does.
package explore
