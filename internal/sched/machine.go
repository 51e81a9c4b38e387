package sched

import "runtime/debug"

// machine switches between tasks.
type machine interface {
	// task returns a task to be filled in, with something to run on.
	task() *task
	// drive runs tasks, beginning with the given one, until the execution is over or was stopped.
	drive(x *Exec, first int)
	// hand lets to go on instead of from, which calls, and returns when it is from's turn again.
	hand(x *Exec, from, to *task)
	// abandon ends drive and never returns. The running task calls.
	abandon(x *Exec, t *task)
	// free takes back a task that has ended, when the execution is over.
	free(t *task)
	// close ends what idle tasks run on.
	close()
}

// call calls the body of a task and returns what it panicked with. It does not return when the body calls
// Goexit.
func call(body func()) (panicked any, stack string) {
	defer func() {
		if panicked = recover(); panicked != nil {
			stack = string(debug.Stack())
		}
	}()
	body()
	return nil, ""
}
