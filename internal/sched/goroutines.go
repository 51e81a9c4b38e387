package sched

import "unsafe"

// goroutines runs each task on a goroutine of its own. The running goroutine passes the turn on
// through a channel, hidden from the race detector.
type goroutines struct {
	idle  []*goroutine
	over  chan struct{}
	edges byte // its address is the point at which tasks release and drive acquires
}

type goroutine struct {
	task
	machine *goroutines
	exec    *Exec
	turn    chan struct{}
	gone    bool // a body called Goexit
}

func newGoroutines() *goroutines { return &goroutines{over: make(chan struct{}, 1)} }

//go:norace
func (m *goroutines) task() *task {
	var g *goroutine
	if k := len(m.idle); k > 0 {
		g = m.idle[k-1]
		m.idle = m.idle[:k-1]
	} else {
		g = &goroutine{machine: m, turn: make(chan struct{}, 1)}
		g.task.gr = g
		// Starting it at its first turn would show the detector an edge from the previous task.
		go g.live()
	}
	Release(unsafe.Pointer(&g.turn)) // everything before Go happens before the task
	return &g.task
}

//go:norace
func (m *goroutines) drive(x *Exec, first int) {
	for _, t := range x.tasks {
		if t.bit&x.own != 0 && !t.begun {
			Release(unsafe.Pointer(&t.gr.turn)) // so does everything before Run
		}
	}
	m.give(x, x.tasks[first])
	hide()
	<-m.over
	show()
	Acquire(unsafe.Pointer(&m.edges))
}

// give passes the turn to a task.
//
//go:norace
func (m *goroutines) give(x *Exec, t *task) {
	x.cur = t
	t.begun = true
	g := t.gr
	g.exec = x
	hide()
	g.turn <- struct{}{}
	show()
}

//go:norace
func (m *goroutines) hand(x *Exec, from, to *task) {
	m.give(x, to)
	hide()
	<-from.gr.turn
	show()
}

//go:norace
func (m *goroutines) abandon(x *Exec, t *task) {
	hide()
	m.over <- struct{}{}
	select {}
}

//go:norace
func (m *goroutines) free(t *task) {
	if !t.gr.gone {
		m.idle = append(m.idle, t.gr)
	}
}

// live is the loop of a goroutine. Each time the goroutine gets the turn, it runs a body.
//
//go:norace
func (g *goroutine) live() {
	defer g.exited()
	for {
		hide()
		<-g.turn
		show()
		if g.exec == nil {
			break
		}
		Acquire(unsafe.Pointer(&g.turn))
		v, stack := call(g.body)
		g.pass(v, stack)
	}
}

// exited passes the turn on after a body has called Goexit.
//
//go:norace
func (g *goroutine) exited() {
	if g.exec == nil {
		return
	}
	g.gone = true
	g.pass(nil, "")
}

// pass passes the turn on when the task has ended.
//
//go:norace
func (g *goroutine) pass(panicked any, stack string) {
	Release(unsafe.Pointer(&g.machine.edges))
	x := g.exec
	if next := x.end(&g.task, panicked, stack); next != nil {
		g.machine.give(x, next)
		return
	}
	hide()
	g.machine.over <- struct{}{}
	show()
}

//go:norace
func (m *goroutines) close() {
	for _, g := range m.idle {
		g.exec = nil
		hide()
		g.turn <- struct{}{}
		show()
	}
	m.idle = nil
}
