package sched

import "fmt"

// MaxTasks is how many tasks an execution can have in its life.
const MaxTasks = 64

// Strategy picks who goes on.
type Strategy interface {
	// Start begins an execution. It reports false when the strategy has no more executions to offer.
	Start() bool
	// Spawned tells of a new task. Ids count up from 0.
	Spawned(id int)
	// Yielded tells that a task asks for others to go first. enabled are those that could go on, the task
	// among them. The pick that follows, if there is a choice, is among the others.
	Yielded(id int, enabled uint64)
	// Pick returns one of the tasks in enabled, which are two or more. cur is the task that has just run; it is
	// among the enabled ones unless it blocked, ended or yielded. It is -1 when no task has run yet.
	Pick(enabled uint64, cur int) int
}

// Waiter is what a blocked task waits for.
type Waiter interface {
	// Ready says whether the task can go on. It must not synchronise.
	Ready() bool
}

// Exec is one execution of a program.
type Exec struct {
	Limit int          // steps after which it counts as one that never ends
	Check func() error // looked at after every step; nil: nothing is
	Log   bool         // whether to keep Story
	Plain bool         // plain accesses can be told apart: Plain and After are scheduling points

	Steps int    // taken so far
	Trace []byte // who was picked where there was a choice
	Mark  uint64 // differs, most probably, when the tasks did other steps
	Story []Step // what every step was, with Log
	Fault *Failure

	strategy Strategy
	machine  machine
	tasks    []*task
	cur      *task
	enabled  uint64
	waiting  uint64 // those in Block; the ones that can go on are enabled, too
	ended    uint64
	own      uint64 // those that the driver added, not other tasks
	every    bool   // Run is over when all tasks have ended, not just its own
	quiet    bool   // operations are no scheduling points
	clock    int64
}

// task is one of the tasks of an execution.
type task struct {
	id     int
	bit    uint64
	begun  bool // it has had the turn
	name   string
	body   func()
	co     *coroutine // what it runs on, one of the two
	gr     *goroutine
	waiter Waiter
	stamp  *int64 // to be set when it passes its next scheduling point
	doing  Step   // the last scheduling point
}

// active is the execution that is going on. Only Start and Stop change it.
var active *Exec

// New returns an execution that is not started. goroutines chooses them instead of coroutines, which is
// necessary for tasks that call runtime.Goexit; race builds always use them.
func New(goroutines bool) *Exec {
	x := &Exec{}
	if Race || goroutines {
		x.machine = newGoroutines()
	} else {
		x.machine = newCoroutines()
	}
	return x
}

// Use sets who picks from the next Start on.
func (x *Exec) Use(s Strategy) { x.strategy = s }

// Tasks returns how many tasks there have been.
func (x *Exec) Tasks() int { return len(x.tasks) }

// Start begins an execution with the caller driving it: from here to Stop, operations of the caller are no
// scheduling points, and [Go] makes tasks that wait for [Exec.Run]. It reports false when the strategy has no
// more to offer.
//
//go:norace
func (x *Exec) Start() bool {
	if active != nil {
		panic("sched: one execution was started inside another")
	}
	if !x.strategy.Start() {
		return false
	}
	x.Steps, x.Trace, x.Mark, x.Story, x.Fault = 0, x.Trace[:0], 0, x.Story[:0], nil
	x.clear()
	x.cur = nil
	x.quiet = true
	x.clock = 0
	active = x
	return true
}

// clear gives back what the tasks ran on that have ended or never began.
func (x *Exec) clear() {
	for _, t := range x.tasks {
		if t.bit&x.ended != 0 || !t.begun {
			t.body, t.waiter, t.stamp = nil, nil, nil
			x.machine.free(t)
		}
	}
	x.tasks = x.tasks[:0]
	x.enabled, x.waiting, x.ended, x.own = 0, 0, 0, 0
}

// Close ends what tasks have run on. Only tasks that an execution left behind stay.
func (x *Exec) Close() {
	x.clear()
	x.machine.close()
}

// Stop ends the execution.
//
//go:norace
func (x *Exec) Stop() { active = nil }

// Run runs the tasks until those that the driver added have ended, and with every also those that were
// started by [Go]. It returns why it could not. Then tasks may be added and Run be called again.
//
//go:norace
func (x *Exec) Run(every bool) *Failure {
	x.every = every
	if x.over() {
		return x.Fault
	}
	x.refresh()
	if x.enabled == 0 {
		x.Fault = x.deadlock()
		return x.Fault
	}
	x.quiet = false
	x.machine.drive(x, x.pick(-1))
	x.quiet = true
	x.cur = nil
	return x.Fault
}

// over says whether all have ended that Run waits for.
//
//go:norace
func (x *Exec) over() bool {
	if x.every {
		return x.enabled|x.waiting == 0
	}
	return x.own&^x.ended == 0
}

// Go adds a task.
//
//go:norace
func (x *Exec) Go(name string, body func()) { x.own |= x.add(name, body).bit }

//go:norace
func (x *Exec) add(name string, body func()) *task {
	if len(x.tasks) == MaxTasks {
		panic(fmt.Sprintf("sched: an execution has more than %d tasks", MaxTasks))
	}
	t := x.machine.task()
	t.id = len(x.tasks)
	t.bit = 1 << t.id
	t.begun = false
	t.name, t.body, t.waiter, t.stamp = name, body, nil, nil
	t.doing = Step{Task: t.id}
	x.tasks = append(x.tasks, t)
	x.enabled |= t.bit
	x.strategy.Spawned(t.id)
	return t
}
