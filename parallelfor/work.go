package parallelfor

import (
	"runtime"
	"slices"
	"time"
	"unsafe"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/pad"
	"example.com/custody/safety"
)

// work is a job with the memory of all its workers, which is used again as soon as the job has
// finished. What a handle needs for longer is in the exec. work is the first field of a typed.
type work struct {
	*exec
	own          exec           // for jobs without a handle
	value        unsafe.Pointer // to the value that was scheduled
	bindings     bindings       // of the value
	code         uintptr        // of the function that the kind calls; 0 for other kinds
	form         string         // the word for a loop over that function; empty for other kinds
	plan         *plan
	copies       []*worker // of the workers, by index; each is touched by its worker only
	seated       int       // the number of workers that there was room for; 0 before the job begins
	distribution distribution
	share        func(n int, f func(i int)) // the method parallel; nil until a container needs it

	_      pad.Bytes // the fields below are worker 0's
	sample sample
	timed  time.Duration // when the job began, if that is timed; otherwise 0
	_      pad.Bytes
}

// reuse reports whether the memory of jobs is used again. Strict builds make new copies, so that a
// goroutine that kept one is found out; with -race there is also one for each batch.
const reuse = !safety.Strict

// takeWork returns a job of the plan's type. how is called for a job that is run in a call.
func (p *plan) takeWork(how mode, opts []Option) *work {
	switch {
	case how == called && ordered(opts):
		how = awaited
	case how == called && keeps:
		how = kept
	}
	w := p.takeSpare()
	if w == nil {
		w = p.newWork()
		w.own.ready()
	}
	w.exec = &w.own
	if how < called {
		w.exec = new(exec)
		w.exec.ready()
	}
	w.work = w
	w.mode = how
	return w
}

// giveWork takes back the memory of a job that was refused, that is finishing, or that no other
// goroutine can reach.
func (p *plan) giveWork(w *work) {
	if !reuse {
		return
	}
	j := w.exec
	if w.exec = &w.own; j == w.exec { // otherwise the garbage collector ends j
		j.ctx, j.done = nil, nil
		j.length.view = nil
		j.observer, j.progress, j.around = nil, nil, nil
		if j.after != nil {
			j.after, j.few = nil, [2]*exec{}
		}
		if j.limit.Load() != unlimited {
			j.failure, j.stopped = nil, 0
			j.limit.Store(unlimited)
		}
		if j.finished() {
			j.over.Store(0)
			j.state.Store(0)
		}
		j.ticket.Reset("", 0)
	}
	p.giveMemory(w)
}

// giveMemory takes back the memory of a job, except its exec.
func (p *plan) giveMemory(w *work) {
	p.operate(w, opClear, nil, nil)
	if p.fields.varies {
		w.bindings.giveBack()
	}
	w.shrink()
	switch {
	case w.own.pool != nil && w.own.pool.bubbled: // (B2)
	case len(w.copies) > keptCopies && len(w.copies) > defaultPool.processors() || cap(w.bindings.views) > keptViews:
		p.rest.Give(w)
	case !p.spare.CompareAndSwap(nil, w):
		p.storeWork(w)
	}
}

// A job with memory for more workers or views than these is left to the garbage collector between
// jobs, unless as many workers as GOMAXPROCS need it.
const (
	keptCopies = 16
	keptViews  = 256
)

// shrink releases memory of workers if there is memory for more than four times as many as the job
// had. What is left is enough for 16 workers and for GOMAXPROCS.
func (w *work) shrink() {
	if n := w.seated; n > 0 && len(w.copies) > max(keptCopies, 4*n) {
		if kept := max(keptCopies, n, defaultPool.processors()); len(w.copies) > kept {
			w.copies = slices.Clone(w.copies[:kept])
			w.distribution.spans = nil
		}
	}
	w.seated = 0
}

// worker is one worker's copy of a job.
type worker struct {
	_ pad.Bytes
	Batches
	copy  unsafe.Pointer
	work  *work
	clean bool // no loop of the kind is being executed
	_     pad.Bytes
}

// seats makes room for n workers, before the first enters.
func (w *work) seats(n int) {
	if w.observer != nil {
		w.observer.seats(n)
	}
	for len(w.copies) < n {
		w.copies = append(w.copies, nil)
	}
	w.seated = n
}

// enter returns the copy of the job for the worker of that index. first reports whether the worker
// has not entered before; only the engine of race builds has a worker enter again.
func (w *work) enter(index int, first bool) *worker {
	var f *worker
	if reuse {
		f = w.copies[index]
	}
	if f == nil {
		f = &worker{Batches: Batches{scope: safety.NewScope()}, copy: w.newCopy()}
		f.worker = f
		f.state.batches = &f.Batches
		if reuse {
			w.copies[index] = f
			if !atom.Explored { // a cleanup runs on a goroutine that the explorer does not schedule
				runtime.AddCleanup(f, (*safety.Scope).Discard, f.scope)
			}
		}
	}
	f.work = w
	w.plan.operate(w, opFill, f.copy, nil)
	f.clean = true
	f.looks = looksOnce && w.plan.fields.compares()
	f.open(w.exec, index, first)
	return f
}

// leave ends the worker's time in the job, and forgets the job's value and containers.
func (f *worker) leave() {
	w := f.work
	if f.context != nil {
		f.endContext()
	}
	if f.state.index == 0 {
		executed := f.executed + f.batch + 1 - f.from
		w.sample.end(w.cost, w.timed, min(executed*w.grid.size, w.n))
	}
	f.scope.Close()
	if !reuse {
		f.job = nil
		f.scope.Discard()
		return
	}
	w.plan.operate(w, opWipe, f.copy, nil)
	f.bound = false
	f.job, f.observer, f.on = nil, nil, nil
	if w.plan.fields.varies {
		f.bindings.giveBack()
		clear(f.ranges)
		if n := len(f.ranges); n > 0 && !atom.Worthwhile(cap(f.ranges), n) {
			f.ranges = nil
		}
	}
}

// Run executes batches until none is left for the worker. If a body ends the goroutine, Run goes on
// when it is called again.
func (f *worker) Run() {
	if f.observer != nil {
		f.runObserved()
		return
	}
	for !f.drained {
		f.loop()
	}
}

// bind binds the copy's views. It runs where a panic fails the batch, because the Bind of a view
// may be any package's code.
func (f *worker) bind() {
	w := f.work
	f.bindings.look(w.plan.fields, f.copy)
	for _, v := range f.bindings.views {
		if v.binder != safety.BinderOf(v.view) { // the view of an earlier job was of another kind
			f.bindings.lookAgain(w.plan.fields, f.copy)
			break
		}
	}
	for i, v := range f.bindings.views {
		v.binder.Bind(safety.NewBinding(f.scope, i, v.view))
	}
	for _, p := range f.bindings.workers {
		p.state = &f.state
	}
	f.ranges = f.ranges[:0]
	for _, r := range f.bindings.ranges {
		c := w.ticket.Claimed(r.claim)
		if c.Unrestricted {
			continue
		}
		if w.unit == jobUnit {
			r.view.SetRange(0, c.Extent)
			continue
		}
		f.ranges = append(f.ranges, r)
	}
	f.bound = true
}

// renew makes another copy, which is not bound. A goroutine that has kept a pointer into the
// present copy goes on with that.
func (f *worker) renew() {
	w := f.work
	f.copy, f.bindings, f.bound = w.newCopy(), bindings{}, false
	w.plan.operate(w, opFill, f.copy, nil)
}

// loop executes batches until there are none left, or one fails.
func (f *worker) loop() {
	f.clean, f.asked = false, false
	defer f.endLoop()
	_, err := f.work.plan.operate(f.work, opLoop, f.copy, &f.Batches)
	switch {
	case err != nil:
		f.failed(err)
		f.abandon()
	case !f.asked:
		f.misled()
	}
	f.clean = true
}

// endLoop makes a failure of a panic or a Goexit that ended a loop.
func (f *worker) endLoop() {
	if f.clean {
		return
	}
	value := recover()
	f.clean = true
	f.thrown(value)
	f.abandon()
}
