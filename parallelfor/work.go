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
// finished. What a handle needs for longer is in the job, which is its own.
// It is the first field of the typed it is part of.
type work struct {
	*exec
	own      exec           // for jobs without a handle
	value    unsafe.Pointer // where the value is that was scheduled
	bindings bindings       // of it
	fine     bool           // its indices are independent of each other
	code     uintptr        // of the function that the kind calls; 0 for other kinds
	form     string         // the word for a loop over that function; empty for other kinds
	plan     *plan
	copies   []*worker // of the workers, by index; each is touched by its worker only
	seated   int       // the number of workers that there was room for; 0 before the job begins
	hand     hand
	share    func(n int, f func(i int)) // parallel, made once

	_      pad.Bytes // what follows is worker 0's
	sample sample
	timed  time.Duration // when the job began, if that is timed; otherwise 0
	_      pad.Bytes
}

// reuse says whether the memory of jobs is used again. Strict builds make new copies, so that whoever
// kept one is found out; with -race they are also one for each batch.
const reuse = !safety.Strict

// takeWork returns a job of the plan's type. One that runs in a call is known to nobody else, unless others may come to run after it.
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

func (p *plan) takeSpare() *work {
	if !reuse {
		return nil
	}
	if p.spare.Load() != nil {
		if w := p.spare.Swap(nil); w != nil {
			return w
		}
	}
	return p.takeStored()
}

// giveWork takes back a job that nobody else can know of.
func (p *plan) giveWork(w *work) {
	if !reuse {
		return
	}
	j := w.exec
	if w.exec = &w.own; j != w.exec { // it was refused, so no other goroutine can reach it
		p.giveMemory(w)
		return
	}
	j.ctx, j.done = nil, nil
	j.length.view = nil
	j.observer, j.progress, j.caller = nil, nil, nil
	j.runAfterNone()
	j.single = false
	if j.limit.Load() != unlimited {
		j.failure, j.stopped = nil, 0
		j.limit.Store(unlimited)
	}
	if j.over.Load() != 0 {
		j.over.Store(0)
		j.orphan = false
	}
	j.ticket.Reset("", 0)
	p.giveMemory(w)
}

// giveMemory takes back what is not the job itself.
func (p *plan) giveMemory(w *work) {
	p.operate(w, opClear, nil, nil)
	if p.fields.varies {
		w.bindings.giveBack()
	}
	w.shrink()
	switch {
	case w.own.pool != nil && w.own.pool.bubbled: // (B2)
	case len(w.copies) > keptCopies && len(w.copies) > defaultPool.processors() || cap(w.bindings.views) > keptViews:
		p.rest.Give(w) // it is large
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
			w.hand.runs = nil
		}
	}
	w.seated = 0
}

// retire takes back the memory of a job that has finished and that a handle stands for.
func (w *work) retire() {
	j := w.exec
	j.work = nil
	if !reuse {
		return
	}
	w.exec = nil
	w.plan.giveMemory(w)
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

// enter returns a copy of the job for one worker.
func (w *work) enter(index int, first bool) *worker {
	var f *worker
	if reuse {
		f = w.copies[index]
	}
	if f == nil {
		f = &worker{Batches: Batches{hold: safety.NewScope()}, copy: w.newCopy()}
		f.worker = f
		f.state.batches = &f.Batches
		if reuse {
			w.copies[index] = f
			f.discardScope()
		}
	}
	f.work = w
	w.plan.operate(w, opFill, f.copy, nil)
	f.clean = true
	f.fine = w.fine
	f.looks = looksOnce && w.plan.fields.compares()
	f.open(w.exec, index, first)
	return f
}

// leave gives the copy back.
func (f *worker) leave() {
	if f.context != nil {
		f.endContext()
	}
	if j := f.job; f.state.index == 0 {
		executed := f.executed + f.batch + 1 - f.from
		j.work.sample.end(j.cost, j.work.timed, min(executed*j.grid.size, j.n))
	}
	f.hold.Close()
	if !reuse {
		f.job = nil
		f.hold.Discard()
		return
	}
	f.work.plan.operate(f.work, opWipe, f.copy, nil)
	f.bound = false
	f.job, f.observer = nil, nil // the memory is kept for the next job, this one and its containers are not
	if f.work.plan.fields.varies {
		f.bindings.giveBack()
		clear(f.ranges)
		if n := len(f.ranges); n > 0 && !atom.Worthwhile(cap(f.ranges), n) {
			f.ranges = nil
		}
	}
}

// discardScope has the worker's scope discarded when the garbage collector frees the worker, which
// is kept for other jobs but not for ever.
func (f *worker) discardScope() {
	if !atom.Explored { // a cleanup runs on a goroutine that the explorer does not schedule
		runtime.AddCleanup(f, (*safety.Scope).Discard, f.hold)
	}
}

// Run executes batches until there are none left for the worker. It returns early only when a body
// ends the goroutine; then it goes on when called again.
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
		if v.binder != safety.BinderOf(v.view) { // an earlier job's view was of another kind
			f.bindings.lookAgain(w.plan.fields, f.copy)
			break
		}
	}
	for i, v := range f.bindings.views {
		v.binder.Bind(safety.NewBinding(f.hold, i, v.view))
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
		if w.single {
			r.view.SetRange(0, c.Extent)
			continue
		}
		f.ranges = append(f.ranges, r)
	}
	f.bound = true
}

// renew makes another copy, which is not bound, and leaves this one to whoever still looks into it.
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

// endLoop makes a failure of whatever ended a loop early.
func (f *worker) endLoop() {
	if f.clean {
		return
	}
	value := recover()
	f.clean = true
	f.thrown(value)
	f.abandon()
}
