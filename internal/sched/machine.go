package sched

import "runtime/debug"

// machine switches between tasks.
type machine interface {
	// task returns a task for the caller to fill in, with a coroutine or goroutine to run on.
	task() *task
	// drive runs tasks, beginning with first, until the execution is over or is stopped.
	drive(x *Exec, first int)
	// hand passes the turn from the caller's task, from, to the task to. It returns when from has
	// the turn again.
	hand(x *Exec, from, to *task)
	// abandon ends drive. The running task t calls it, and it never returns.
	abandon(x *Exec, t *task)
	// free takes back a task that has ended or never began, when the execution is over.
	free(t *task)
	// close ends the coroutines or goroutines of idle tasks.
	close()
}

// call calls the body of a task and returns the value and stack of its panic. It does not return if
// the body calls Goexit.
func call(body func()) (panicked any, stack string) {
	defer func() {
		if panicked = recover(); panicked != nil {
			stack = string(debug.Stack())
		}
	}()
	body()
	return nil, ""
}
