package sched

import "fmt"

// MaxTasks is the largest number of tasks in an execution.
const MaxTasks = 64

// TooMany is the panic of a Go for which an execution has no room, also if tasks have ended.
var TooMany = fmt.Sprintf("sched: an execution has more than %d tasks", MaxTasks)

// Strategy picks the task that goes on.
type Strategy interface {
	// Start begins an execution. It returns false if the strategy has no more executions to offer.
	Start() bool
	// Spawned tells the strategy of a new task. Ids count up from 0.
	Spawned(id int)
	// Yielded tells the strategy that a task asks for others to go first. enabled are the tasks
	// that could go on, including the caller. The next Pick, if there is a choice, is among the
	// others.
	Yielded(id int, enabled uint64)
	// Pick returns one of the tasks in enabled, of which there are at least two. cur is the task
	// that has just run, or -1 if no task has run yet. cur is in enabled unless it blocked, ended
	// or yielded.
	Pick(enabled uint64, cur int) int
}

// Waiter is the condition for which a blocked task waits.
type Waiter interface {
	// Ready reports whether the task can go on. It must not synchronize.
	Ready() bool
}

// Exec is one execution of a program.
type Exec struct {
	Limit int          // the number of steps after which the execution counts as endless
	Check func() error // called after every step, unless nil
	Log   bool         // whether to record Story
	Plain bool         // whether Plain and After are scheduling points

	Steps int    // steps so far
	Trace []byte // the picks among two or more tasks
	Mark  uint64 // a hash of the steps
	Story []Step // the steps, with Log
	Fault *Failure

	strategy Strategy
	timed    Timed // the strategy, if it keeps time
	machine  machine
	tasks    []*task
	cur      *task
	enabled  uint64
	waiting  uint64 // tasks in Block; those that can go on are also enabled
	ended    uint64
	own      uint64 // tasks that the driver added, not other tasks
	every    bool   // Run waits for all tasks, not just own
	quiet    bool   // operations are no scheduling points
	clock    int64
}

// task is one of the tasks of an execution.
type task struct {
	id     int
	bit    uint64
	begun  bool // it has run
	name   string
	body   func()
	co     *coroutine // the coroutine or goroutine that runs it
	gr     *goroutine
	waiter Waiter
	stamp  *int64 // set when the task passes its next scheduling point
	doing  Step   // the last scheduling point
}

// active is the execution in progress. Only Start and Stop change it.
var active *Exec

// started counts the executions that were started.
var started int

// New returns an execution that has not started. goroutines selects goroutines instead of
// coroutines, which tasks that call runtime.Goexit need. Race builds always use goroutines.
func New(goroutines bool) *Exec {
	x := &Exec{}
	if Race || goroutines {
		x.machine = newGoroutines()
	} else {
		x.machine = newCoroutines()
	}
	return x
}

// Use sets the strategy from the next Start on.
func (x *Exec) Use(s Strategy) {
	x.strategy = s
	x.timed, _ = s.(Timed)
}

// Tasks returns the number of tasks so far.
func (x *Exec) Tasks() int { return len(x.tasks) }

// Start begins an execution with the caller as its driver. Until Stop, the caller's operations are
// no scheduling points, and [Go] adds tasks that wait for [Exec.Run]. Start returns false if the
// strategy has no more executions to offer.
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
	started++
	return true
}

// clear frees the machine's part of the tasks that have ended or never began.
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

// Close ends the coroutines or goroutines of tasks. Only those of tasks that an execution left
// behind remain.
func (x *Exec) Close() {
	x.clear()
	x.machine.close()
}

// Stop ends the execution.
//
//go:norace
func (x *Exec) Stop() { active = nil }

// Run runs the tasks until those that the driver added have ended, or with every until all have. It
// returns the failure that stopped the execution, or nil. After nil, tasks may be added and Run
// called again.
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

// over reports whether all tasks for which Run waits have ended.
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
		panic(TooMany)
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
