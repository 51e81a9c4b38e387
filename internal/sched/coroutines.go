package sched

import "iter"

// coroutines runs each task as a coroutine of the driver's goroutine. A switch is two jumps and
// does not involve Go's scheduler. The race detector would see every jump as synchronization.
type coroutines struct {
	exec *Exec
	next *task // the task that goes on when the running coroutine yields; nil ends drive
	idle []*coroutine
}

type coroutine struct {
	task
	resume func() (struct{}, bool)
	stop   func()
	yield  func(struct{}) bool
}

func newCoroutines() *coroutines { return &coroutines{} }

func (m *coroutines) task() *task {
	if k := len(m.idle); k > 0 {
		c := m.idle[k-1]
		m.idle = m.idle[:k-1]
		return &c.task
	}
	c := new(coroutine)
	c.task.co = c
	c.resume, c.stop = iter.Pull(func(yield func(struct{}) bool) { m.live(c, yield) })
	return &c.task
}

// live is the loop of a coroutine. Each time the coroutine is resumed after the end of a body, it
// runs the next one.
func (m *coroutines) live(c *coroutine, yield func(struct{}) bool) {
	c.yield = yield
	through := true
	defer func() {
		if !through { // iter.Pull ends the driver's goroutine as well
			m.exec.Fault = &Failure{Kind: Panic, Text: m.exec.Name(c.id) + " called runtime.Goexit, for which tasks must be goroutines"}
		}
	}()
	for ok := true; ok; ok = yield(struct{}{}) {
		through = false
		v, stack := call(c.body)
		through = true
		m.next = m.exec.end(&c.task, v, stack)
	}
}

func (m *coroutines) drive(x *Exec, first int) {
	m.exec = x
	for t := x.tasks[first]; t != nil; t = m.next {
		m.next = nil
		x.cur = t
		t.begun = true
		t.co.resume()
	}
}

func (m *coroutines) hand(x *Exec, from, to *task) {
	m.next = to
	from.co.yield(struct{}{})
}

func (m *coroutines) abandon(x *Exec, t *task) {
	m.next = nil
	t.co.yield(struct{}{})
	panic("sched: a task that was abandoned went on")
}

func (m *coroutines) free(t *task) { m.idle = append(m.idle, t.co) }

func (m *coroutines) close() {
	for _, c := range m.idle {
		c.stop()
	}
	m.idle = nil
}
