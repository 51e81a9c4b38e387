package explore

import "example.com/custody/internal/sched"

// Program is what is run in one execution. The function that sets it up gets it empty for every execution
// and makes everything anew.
type Program struct {
	exec  *sched.Exec
	then  []func()
	judge []func() error
}

// Go adds a task. Tasks start in any order.
func (p *Program) Go(name string, body func()) { p.exec.Go(name, body) }

// Check has an invariant looked at after every step, by reading what the program shares. Race builds do
// not look, because looking would itself be a race.
func (p *Program) Check(f func() error) {
	if !sched.Race {
		p.exec.Check = f
	}
}

// Then adds a task that starts when those added by Go, and by Then before, have ended. When it is the last, the
// tasks that others have started must end too.
func (p *Program) Then(f func()) { p.then = append(p.then, f) }

// Judge adds a judgement of what the execution left behind.
func (p *Program) Judge(f func() error) { p.judge = append(p.judge, f) }

// execute runs the program once; it reports false when the strategy has no more schedules.
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
