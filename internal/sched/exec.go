package sched

import (
	"fmt"
	"math/bits"
	"unsafe"
)

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

// point lets the strategy choose whether the current task goes on.
//
//go:norace
func (x *Exec) point(k Kind, p unsafe.Pointer) {
	t := x.cur
	x.step(t, k, p)
	if x.waiting != 0 {
		x.refresh()
	}
	if x.enabled != t.bit {
		if id := x.pick(t.id); id != t.id {
			x.machine.hand(x, t, x.tasks[id])
		}
	}
	if t.stamp != nil {
		x.reached(t)
	}
}

// yield is point, where others go first.
//
//go:norace
func (x *Exec) yield() {
	t := x.cur
	x.step(t, OpYield, nil)
	if x.waiting != 0 {
		x.refresh()
	}
	if x.enabled != t.bit {
		x.strategy.Yielded(t.id, x.enabled)
		x.machine.hand(x, t, x.tasks[x.choose(x.enabled&^t.bit, t.id)])
	}
	if t.stamp != nil {
		x.reached(t)
	}
}

// reached sets the stamp that the task asked for.
//
//go:norace
func (x *Exec) reached(t *task) {
	x.clock++
	*t.stamp = x.clock
	t.stamp = nil
}

// step counts a step, and stops the execution when it has too many or Check finds something.
//
//go:norace
func (x *Exec) step(t *task, k Kind, p unsafe.Pointer) {
	x.Steps++
	x.Mark = (x.Mark + uint64(k)<<6 + uint64(t.id)) * 0x9e3779b97f4a7c15
	t.doing.Kind, t.doing.Word = k, p
	if x.Log {
		t.doing.At = callers()
		x.Story = append(x.Story, t.doing)
	}
	if x.Steps > x.Limit {
		x.stop(&Failure{Kind: Endless, Text: fmt.Sprintf("no end after %d steps", x.Limit)})
	}
	if x.Check != nil {
		if f := x.check(); f != nil {
			x.stop(f)
		}
	}
}

// check looks at the invariant.
//
//go:norace
func (x *Exec) check() *Failure {
	x.quiet = true
	err := x.Check()
	x.quiet = false
	if err != nil {
		return &Failure{Kind: Broken, Text: err.Error(), Err: err}
	}
	return nil
}

// refresh enables those of the waiting tasks that can go on, and no others of them.
//
//go:norace
func (x *Exec) refresh() {
	for b := x.waiting; b != 0; b &= b - 1 {
		t := x.tasks[bits.TrailingZeros64(b)]
		if t.waiter.Ready() {
			x.enabled |= t.bit
		} else {
			x.enabled &^= t.bit
		}
	}
}

//go:norace
func (x *Exec) block(k Kind, p unsafe.Pointer, w Waiter) {
	t := x.cur
	t.doing.Kind, t.doing.Word = k, p
	if x.Log {
		t.doing.At = callers()
	}
	t.waiter = w
	x.waiting |= t.bit
	x.refresh()
	if x.enabled == 0 {
		x.stop(x.deadlock())
	}
	x.machine.hand(x, t, x.tasks[x.pick(t.id)])
	x.waiting &^= t.bit // whoever picked it had just found it ready
	t.waiter = nil
}

// pick has the strategy choose among the enabled tasks.
//
//go:norace
func (x *Exec) pick(cur int) int { return x.choose(x.enabled, cur) }

// choose has the strategy choose among e, if it has a choice.
//
//go:norace
func (x *Exec) choose(e uint64, cur int) int {
	if e&(e-1) == 0 {
		return bits.TrailingZeros64(e)
	}
	id := x.strategy.Pick(e, cur)
	if e&(1<<id) == 0 {
		panic("sched: the strategy picked a task that cannot go on")
	}
	x.Trace = append(x.Trace, byte(id))
	return id
}

// end is called by the machine on the goroutine of a task whose body has returned, panicked or called
// Goexit. It returns the task that goes on, or nil when the execution is over or was stopped.
//
//go:norace
func (x *Exec) end(t *task, panicked any, stack string) *task {
	x.enabled &^= t.bit
	x.ended |= t.bit
	if panicked != nil {
		x.Fault = &Failure{Kind: Panic, Text: fmt.Sprint(panicked), Value: panicked, Stack: stack}
	} else if x.Check != nil {
		x.Fault = x.check()
	}
	if x.Fault != nil {
		x.Fault.Tasks = x.states()
		return nil
	}
	if x.over() {
		return nil
	}
	if x.waiting != 0 {
		x.refresh()
	}
	if x.enabled == 0 {
		x.Fault = x.deadlock()
		return nil
	}
	return x.tasks[x.pick(t.id)]
}

//go:norace
func (x *Exec) deadlock() *Failure {
	return &Failure{Kind: Deadlock, Text: "all tasks that are left wait", Tasks: x.states()}
}

// stop ends the execution with a failure, in the middle of the current task, which never goes on.
//
//go:norace
func (x *Exec) stop(f *Failure) {
	f.Tasks = x.states()
	x.Fault = f
	x.machine.abandon(x, x.cur)
}
