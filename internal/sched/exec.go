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
	// Pick returns one of the tasks in enabled, which are two or more. cur is the task that has just run:
	// it is among the enabled ones unless it blocked or ended. yielded says that it asked for others to run.
	Pick(enabled uint64, cur int, yielded bool) int
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
	Log   bool         // whether to keep Steps

	Steps int    // taken so far
	Trace []byte // who was picked where there was a choice
	Story []Step // what every step was, with Log
	Fault *Failure

	strategy Strategy
	machine  machine
	tasks    []*task
	cur      *task
	enabled  uint64
	blocked  uint64
	ended    uint64
	quiet    bool // operations are no scheduling points
	clock    int64
}

// task is one of the tasks of an execution.
type task struct {
	id     int
	bit    uint64
	name   string
	body   func()
	co     *coroutine // what it runs on, one of the two
	gr     *goroutine
	waiter Waiter
	doing  Step // the last scheduling point
}

// active is the execution that is going on. Only Start and the end of an execution change it.
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
	x.Steps, x.Trace, x.Story, x.Fault = 0, x.Trace[:0], x.Story[:0], nil
	x.clear()
	if cap(x.Trace) < x.Limit {
		x.Trace = make([]byte, 0, x.Limit)
	}
	x.cur = nil
	x.quiet = true
	x.clock = 0
	active = x
	return true
}

// clear gives back what the tasks that have ended ran on.
func (x *Exec) clear() {
	for _, t := range x.tasks {
		if t.bit&x.ended != 0 {
			x.machine.free(t)
		}
	}
	x.tasks = x.tasks[:0]
	x.enabled, x.blocked, x.ended = 0, 0, 0
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

// Run runs the tasks until all have ended, and returns why it could not. Then tasks may be added and Run
// be called again.
//
//go:norace
func (x *Exec) Run() *Failure {
	if x.enabled == 0 {
		return x.Fault
	}
	x.quiet = false
	x.machine.drive(x, x.pick(-1, false))
	x.quiet = true
	x.cur = nil
	return x.Fault
}

// Go adds a task.
//
//go:norace
func (x *Exec) Go(name string, body func()) {
	if len(x.tasks) == MaxTasks {
		panic(fmt.Sprintf("sched: an execution has more than %d tasks", MaxTasks))
	}
	t := x.machine.task()
	t.id = len(x.tasks)
	t.bit = 1 << t.id
	t.name, t.body, t.waiter = name, body, nil
	t.doing = Step{Task: t.id}
	x.tasks = append(x.tasks, t)
	x.enabled |= t.bit
	x.strategy.Spawned(t.id)
}

// Now returns a number greater than all that it returned before in this execution. It is no scheduling
// point. Outside executions it is 0.
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

// Exploring says whether the caller runs under an execution.
//
//go:norace
func Exploring() bool { return active != nil }

// Current returns the number of the task that calls; outside tasks it is -1.
//
//go:norace
func Current() int {
	if x := active; x != nil && x.cur != nil {
		return x.cur.id
	}
	return -1
}

// Point is a scheduling point, before an operation on the word at p.
//
//go:norace
func Point(k Kind, p unsafe.Pointer) {
	if x := active; x != nil && !x.quiet {
		x.point(k, p, false)
	}
}

// Yield is a scheduling point at which other tasks that can run go first.
//
//go:norace
func Yield() {
	if x := active; x != nil && !x.quiet {
		x.point(OpYield, nil, true)
	}
}

// Block waits until w is ready. The caller has passed a scheduling point just before. When it returns w
// is still ready.
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

// Go starts f as a task of the execution, if the caller is under one.
//
//go:norace
func Go(f func()) bool {
	x := active
	if x == nil {
		return false
	}
	x.Go("", f)
	if !x.quiet {
		x.point(OpGo, nil, false)
	}
	return true
}

//go:norace
func (x *Exec) point(k Kind, p unsafe.Pointer, yielded bool) {
	t := x.cur
	x.step(t, k, p)
	if x.blocked != 0 {
		x.refresh()
	}
	if x.enabled == t.bit {
		return
	}
	if id := x.pick(t.id, yielded); id != t.id {
		x.machine.hand(x, t, x.tasks[id])
	}
}

// step counts a step, and stops the execution when it has too many or Check finds something.
//
//go:norace
func (x *Exec) step(t *task, k Kind, p unsafe.Pointer) {
	x.Steps++
	t.doing.Kind, t.doing.Word = k, p
	if x.Log {
		t.doing.At = callers()
		x.Story = append(x.Story, t.doing)
	}
	if x.Steps > x.Limit {
		x.stop(&Failure{Kind: Endless, Text: fmt.Sprintf("no end after %d steps", x.Limit)})
	}
	if x.Check != nil {
		x.quiet = true
		err := x.Check()
		x.quiet = false
		if err != nil {
			x.stop(&Failure{Kind: Broken, Text: err.Error(), Err: err})
		}
	}
}

// refresh enables the blocked tasks that can go on.
//
//go:norace
func (x *Exec) refresh() {
	for b := x.blocked; b != 0; b &= b - 1 {
		t := x.tasks[bits.TrailingZeros64(b)]
		if t.waiter.Ready() {
			x.blocked &^= t.bit
			x.enabled |= t.bit
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
	for {
		x.enabled &^= t.bit
		x.blocked |= t.bit
		x.refresh()
		if x.enabled == 0 {
			x.stop(&Failure{Kind: Deadlock, Text: "all tasks wait"})
		}
		if id := x.pick(t.id, false); id != t.id {
			x.machine.hand(x, t, x.tasks[id])
		}
		if w.Ready() { // another task that waited for the same may have been faster
			break
		}
	}
	t.waiter = nil
}

// pick has the strategy choose among the enabled tasks.
//
//go:norace
func (x *Exec) pick(cur int, yielded bool) int {
	e := x.enabled
	if e&(e-1) == 0 {
		return bits.TrailingZeros64(e)
	}
	if yielded {
		if rest := e &^ (1 << cur); rest&(rest-1) == 0 {
			return bits.TrailingZeros64(rest)
		}
	}
	id := x.strategy.Pick(e, cur, yielded)
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
		x.Fault = &Failure{Kind: Panic, Text: fmt.Sprint(panicked), Value: panicked, Stack: stack, Tasks: x.states()}
		return nil
	}
	if x.blocked != 0 {
		x.refresh()
	}
	switch {
	case x.enabled != 0:
		return x.tasks[x.pick(t.id, false)]
	case x.blocked != 0:
		x.Fault = &Failure{Kind: Deadlock, Text: "all tasks that are left wait", Tasks: x.states()}
	}
	return nil
}

// stop ends the execution with a failure, in the middle of the current task, which never goes on.
//
//go:norace
func (x *Exec) stop(f *Failure) {
	f.Tasks = x.states()
	x.Fault = f
	x.machine.abandon(x, x.cur)
}
