package explore

import "example.com/custody/internal/sched"

// Program is the program of one execution. For every execution, the setup function gets an empty
// Program and fills it anew.
type Program struct {
	exec  *sched.Exec
	then  []func()
	judge []func() error
}

// Go adds a task. Tasks start in any order.
func (p *Program) Go(name string, body func()) { p.exec.Go(name, body) }

// Check adds an invariant, a function that reads the program's shared memory and is called after
// every step. Race builds do not call it, because its reads would be races.
func (p *Program) Check(f func() error) {
	if !sched.Race {
		p.exec.Check = f
	}
}

// Then adds a task that starts when the tasks of Go and of previous calls of Then have ended. It
// does not wait for the tasks that these have started. An execution fails unless they end, too.
func (p *Program) Then(f func()) { p.then = append(p.then, f) }

// Judge adds a judgment of the state that the execution left behind.
func (p *Program) Judge(f func() error) { p.judge = append(p.judge, f) }

// execute runs the program once. It returns false if the strategy has no more schedules.
func (p *Program) execute(setup func(*Program)) (f *sched.Failure, more bool) {
	x := p.exec
	if !x.Start() {
		return nil, false
	}
	defer x.Stop()
	p.then, p.judge = p.then[:0], p.judge[:0]
	x.Check = nil
	setup(p)
	if f := x.Run(len(p.then) == 0); f != nil {
		return f, true
	}
	for i, then := range p.then {
		x.Go("then", then)
		if f := x.Run(i == len(p.then)-1); f != nil {
			return f, true
		}
	}
	for _, judge := range p.judge {
		if err := judge(); err != nil {
			return &sched.Failure{Kind: sched.Wrong, Text: err.Error(), Err: err}, true
		}
	}
	return nil, true
}
