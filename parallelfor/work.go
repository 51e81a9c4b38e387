package parallelfor

import (
	"context"
	"runtime"
	"time"
	"unsafe"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/pad"
	"example.com/custody/safety"
)

// work is a job with the memory of all its workers, which is used again as soon as the job has
// finished. What a handle needs for longer is in the exec.
type work struct {
	*exec
	running
	_            pad.Bytes
	own          exec // for jobs without a handle
	_            pad.Bytes
	value        unsafe.Pointer // the typed, which begins with the value that was scheduled
	bindings     bindings       // what the value has
	code         uintptr        // as in about
	form         string         // as in about
	plan         *plan
	copies       []*worker // by the index of the worker; each is touched by its worker only
	seated       int       // the number of workers that there was room for; 0 before the job begins
	distribution distribution
	share        func(n int, f func(i int)) // the method parallel; nil until a container needs it
	seal, sealOf string                     // the name of its loops, for the name sealOf
	forking      *forking                   // the recursion, if the job is one and has not run

	last       *exec     // of the last job with a handle, if that may be used again
	generation uint32    // of that job
	era        int       // the atom.Execution of that job
	procs      int       // GOMAXPROCS when a short job was timed last; to ask takes a lock
	_          pad.Bytes // the fields below are worker 0's
	sample     sample
	timed      time.Duration // when the job began, if that is timed; otherwise 0
	_          pad.Bytes
}

// running is the part of a job that is needed until the job has finished. It is in the job's work.
type running struct {
	grid
	settings
	work     *work
	done     <-chan struct{} // the Done channel of ctx
	ctx      context.Context
	cost     *cost
	place    place
	within   party            // the party whose waits waitList.enter has noted
	called   atom.HiddenInt64 // the time at which sleeping workers were woken for a kept job, or 0
	lateWork time.Duration    // what the job counts in its pool's lateWork
	contexts *contexts

	after         []*exec  // the jobs that this one runs after
	few           [2]*exec // the memory that after begins with
	dependents    []*exec  // the jobs that run after this one
	fewDependents [2]*exec // the memory that dependents begins with
	nextReady     *exec    // the next on a list of jobs that can begin; see beginAll
}

// typed is what depends on the type of a job: its value and its kind.
type typed[J any] struct {
	value J
	kind  kind[J]
}

// kind is the part of [Kind] that executes batches. It has no name, so a compiler generates less.
type kind[J any] = interface {
	Loop(job *J, r *Batches) error
}

// operation is an operation that depends on the type of a job.
type operation uint8

const (
	opNew   operation = iota // returns a new typed
	opCopy                   // returns memory for a copy of the value, on cache lines of its own
	opFill                   // sets the copy at p to the value
	opWipe                   // sets the copy at p to zero
	opClear                  // sets the value to zero
	opLoop                   // has the kind execute batches with the copy at p
)

// operateOn performs an operation on what a job of type J has at its value. A compiler generates it
// for each type, so it is one small function.
func operateOn[J any](value unsafe.Pointer, what operation, p unsafe.Pointer, r *Batches) (unsafe.Pointer, error) {
	t := (*typed[J])(value)
	switch what {
	case opNew:
		return unsafe.Pointer(new(typed[J])), nil
	case opCopy:
		return unsafe.Pointer(&new(struct {
			_    pad.Bytes
			copy J
			_    pad.Bytes
		}).copy), nil
	case opFill:
		*(*J)(p) = t.value
	case opWipe:
		var zero J
		*(*J)(p) = zero
	case opClear:
		var zero J
		t.value, t.kind = zero, nil
	case opLoop:
		return nil, t.kind.Loop((*J)(p), r)
	}
	return nil, nil
}

// newWork returns a job of the plan's type.
func (p *plan) newWork() *work {
	w := new(work) // and no literal, all of which the race detector would see written
	w.plan, w.work = p, w
	w.value, _ = p.operate(nil, opNew, nil, nil)
	return w
}

// newCopy returns memory for a copy of the job's value.
func (w *work) newCopy() unsafe.Pointer {
	at, _ := w.plan.operate(w.value, opCopy, nil, nil)
	return at
}

// worker is one worker's copy of a job, and its way through the batches.
type worker struct {
	_ pad.Bytes
	Batches
	stop     int             // where the next batch begins; beyond end if each index has a range
	claimed  int             // batches up to here are the worker's
	follows  int             // the batch that would continue the span of views; -1 before the first
	rest     int             // checked builds: as claimed, once batch 0 has been compared
	quick    int             // batches up to here ask for nothing but that the views are moved
	given    bool            // the worker was given its batches, and takes no others
	asked    bool            // Next was called since the kind's loop was called
	drained  bool            // there are no batches left
	looks    bool            // checked builds: plain fields are compared after batch 0
	bound    bool            // the views of the copy are bound
	clean    bool            // no loop of the kind is being executed
	executed int             // batches of the spans before the current one
	from     int             // where the current span of batches began
	on       *poolWorker     // the worker goroutine of a pool that executes; nil for others
	observer *workerObserver // the observer of this worker; nil if the job is not observed
	job      *exec
	work     *work
	scope    *safety.Scope
	copy     unsafe.Pointer
	bindings bindings      // what the copy has
	windows  []slidingView // the views that this job restricts by moving their windows
	ranges   []rangeRef    // the other views that this job restricts
	context  *batchContext // of the current batch; nil until the body asks for it
	_        pad.Bytes
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
//
//go:norace
func (w *work) enter(index int, first bool) *worker {
	var f *worker
	if reuse {
		f = w.copies[index]
	}
	if f == nil {
		f = &worker{scope: safety.NewScope(), copy: w.newCopy()}
		f.state.batches, f.of = &f.Batches, f.seat()
		if reuse {
			w.copies[index] = f
			if !atom.Explored { // a cleanup runs on a goroutine that the explorer does not schedule
				runtime.AddCleanup(f, (*safety.Scope).Discard, f.scope)
			}
		}
	}
	f.work = w
	w.plan.operate(w.value, opFill, f.copy, nil)
	f.clean = true
	f.looks = looksOnce && w.first == 0 && w.plan.fields.compares()
	f.open(w.exec, index, first)
	return f
}

// leave ends the worker's time in the job, and forgets the job's value and containers. For worker 0
// it notes the cost of an index.
//
//go:norace
func (f *worker) leave() {
	w := f.work
	if f.context != nil {
		f.endContext()
	}
	if f.state.index == 0 {
		executed := f.executed + f.batch + 1 - f.from
		n, beside, grows := min(executed*w.grid.size, w.n), time.Duration(0), int64(growsLoops)
		if c := w.forking; c != nil {
			w.forking = nil
			n, grows = 0, growsForks
			if root := c.forkers[0].Load(); root != nil {
				n, beside = w.n, root.beside
			}
		}
		if n > 0 && w.timed != 0 {
			w.sample.end(w.cost, now()-w.timed+beside, n, w.n, grows)
		}
	}
	f.scope.Close()
	if !reuse {
		f.job = nil
		f.scope.Discard()
		return
	}
	w.plan.operate(w.value, opWipe, f.copy, nil)
	f.bound = false
	f.job, f.observer, f.on = nil, nil, nil
	if w.plan.fields.varies {
		f.bindings.giveBack()
		f.windows, f.ranges = spare(f.windows), spare(f.ranges)
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
	for i := range f.bindings.views {
		v := &f.bindings.views[i]
		v.Binder.Bind(safety.NewBinding(f.scope, i, v.View))
	}
	for _, p := range f.bindings.workers {
		p.state = &f.state
	}
	f.windows, f.ranges = f.windows[:0], f.ranges[:0]
	for _, r := range f.bindings.ranges {
		c := w.ticket.Claimed(r.claim)
		if c.Unrestricted {
			continue
		}
		if w.unit == jobUnit {
			r.view.SetRange(0, c.Extent)
			continue
		}
		if r.slide != nil && !atom.Race { // SetRange declares the elements to the race detector
			window, size := r.slide.Slide()
			f.windows = append(f.windows, slidingView{window, size, r.view})
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
	w.plan.operate(w.value, opFill, f.copy, nil)
}

// loop calls the kind's loop once. That executes batches until none is left, one fails, or the loop
// is to be called again with another copy.
func (f *worker) loop() {
	f.clean, f.asked, f.quick = false, false, 0
	defer f.endLoop()
	_, err := f.work.plan.operate(f.work.value, opLoop, f.copy, &f.Batches)
	switch {
	case err != nil:
		f.failed(err)
		f.abandon()
	case !f.asked:
		f.misled()
	}
	f.clean = true
}

// endLoop fails the current batch if the kind's loop panicked, or ended the goroutine.
func (f *worker) endLoop() {
	if f.clean {
		return
	}
	value := recover()
	f.clean = true
	f.thrown(value)
	f.abandon()
}

// parallel calls f(0) to f(n-1) for a container that is being sealed, on the job's workers.
func (w *work) parallel(n int, f func(i int)) {
	if w.workers == 1 {
		for i := range n {
			f(i)
		}
		return
	}
	if w.sealOf != w.name {
		w.seal, w.sealOf = "seal of "+w.name, w.name
	}
	For(n, sealing{f}, (*sealing).execute, Batch(1), Workers(w.workers), Name(w.seal))
}

// sealing is a job whose bodies seal a container. They capture nothing, so none is allocated.
type sealing struct {
	Part func(i int) `custody:"unguarded"`
}

func (s *sealing) execute(i int) { s.Part(i) }
