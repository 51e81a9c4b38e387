package parallelfor

import (
	"errors"
	"unsafe"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// kind executes the cells of a kind of job. body is the function of those that have one.
type kind[J any] interface {
	// run executes the indices [begin, end).
	run(job *J, body any, begin, end int) error
	// perIndex says that the indices of a cell are independent calls.
	perIndex() bool
}

// work is a job of type J.
type work[J any] struct {
	job
	value J     // the job as it was scheduled
	image image // of value
	body  any
	kind  kind[J]
	plan  *plan[J]
}

// plan is what the driver knows about a type of job, and the memory that its jobs use again.
type plan[J any] struct {
	layout *layout
	name   string
	mu     atom.Mutex
	works  []*work[J]
	frames []*worker[J]
}

// reuse says whether the memory of jobs is used again. Strict builds make new copies, so that whoever
// kept one is found out; with -race they are also one for each cell.
const reuse = !safety.Strict

// take returns a job for the plan's type.
func (p *plan[J]) takeWork() *work[J] {
	if reuse {
		p.mu.Lock()
		if k := len(p.works); k > 0 {
			w := p.works[k-1]
			p.works[k-1] = nil // a Handle may have it for long
			p.works = p.works[:k-1]
			p.mu.Unlock()
			return w
		}
		p.mu.Unlock()
	}
	w := &work[J]{plan: p}
	w.typed = w
	w.cond = atom.NewCond(&w.mu)
	w.inParallel = w.parallel
	return w
}

// giveWork takes back a job that nobody else can know of.
func (p *plan[J]) giveWork(w *work[J]) {
	if !reuse {
		return
	}
	var zero J
	w.value = zero
	w.body, w.kind, w.ctx, w.done = nil, nil, nil, nil
	w.after = nil
	w.single = false
	w.failure = nil
	w.over.Store(0)
	if p.layout.slices {
		w.image.clear()
	}
	w.ticket.Reset("", 0)
	p.mu.Lock()
	p.works = append(p.works, w)
	p.mu.Unlock()
}

// fill copies the job's value into w and finds its views.
func (w *work[J]) fill(value *J) {
	w.value = *value
	if w.plan.layout.slices || len(w.image.views)+len(w.image.workers) == 0 {
		w.image.clear()
		w.image.collect(w.plan.layout, unsafe.Pointer(&w.value))
	}
}

// worker is one worker's copy of a job of type J.
type worker[J any] struct {
	value  *J
	image  image      // of value
	ranges []rangeRef // the views that this job restricts
	work   *work[J]
	hold   *safety.Lease
	state  workerState

	index   int
	cell    int  // the cell that is being executed
	next    int  // the cell that would go on the current run; -1 before the first
	claimed int  // the end of what was taken
	clean   bool // no body is being executed
	bound   bool
}

// enter implements typedJob.
func (w *work[J]) enter(index int, first bool) frame {
	p := w.plan
	var f *worker[J]
	if reuse {
		p.mu.Lock()
		if k := len(p.frames); k > 0 {
			f = p.frames[k-1]
			p.frames = p.frames[:k-1]
		}
		p.mu.Unlock()
	}
	if f == nil {
		f = &worker[J]{value: new(J), hold: safety.NewLease()}
	}
	f.work = w
	f.index = index
	f.next = -1
	f.clean = true
	f.state.index, f.state.workers = index, w.workers
	f.hold.Open(&w.ticket, index, first)
	return f
}

// leave implements frame.
func (f *worker[J]) leave() {
	f.hold.Close()
	if !reuse {
		f.hold.Discard()
		return
	}
	var zero J
	*f.value = zero
	f.bound = false
	p := f.work.plan
	if p.layout.slices {
		f.image.clear()
		clear(f.ranges)
	}
	f.work = nil
	p.mu.Lock()
	p.frames = append(p.frames, f)
	p.mu.Unlock()
}

func (f *worker[J]) lease() *safety.Lease { return f.hold }

// Run implements frame.
func (f *worker[J]) Run() {
	for {
		begin, end, ok := f.work.hand.take(f.index)
		if !ok {
			return
		}
		f.span(begin, end)
	}
}

// bind copies the job and binds the copy's views. It runs where a panic fails the cell, since views
// are anybody's code.
func (f *worker[J]) bind() {
	w := f.work
	*f.value = w.value
	l := w.plan.layout
	if l.slices || len(f.image.views)+len(f.image.workers) == 0 {
		f.image.clear()
		f.image.collect(l, unsafe.Pointer(f.value))
	}
	for i, v := range f.image.views {
		v.Bind(safety.NewBinding(f.hold, i, v))
	}
	for _, p := range f.image.workers {
		p.state = &f.state
	}
	f.ranges = f.ranges[:0]
	for _, r := range f.image.ranges {
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

// span implements frame.
func (f *worker[J]) span(begin, end int) {
	w := f.work
	f.cell = begin
	f.clean = false
	defer f.endSpan()
	for c := begin; c < end && int64(c) < w.limit.Load() && !w.cancelled(); c++ {
		f.cell = c
		if !f.bound {
			f.bind()
		}
		f.hold.Next(f.image.accesses)
		if c != f.next {
			for _, r := range f.image.runs {
				r.BeginRun(c)
			}
		}
		f.next = c + 1
		for _, v := range f.image.cells {
			v.BeginCell(c)
		}
		lo, hi := w.bounds(c)
		var err error
		if safety.Strict && w.kind.perIndex() {
			err = f.each(lo, hi)
		} else {
			f.restrict(lo, hi)
			err = w.kind.run(f.value, w.body, lo, hi)
		}
		if err != nil {
			w.fail(f.failed(c, err))
			break
		}
		if f.hold.Busy() {
			f.endChildren()
			break
		}
	}
	f.clean = true
}

// each executes the indices of a cell one by one, with the write range of that one index.
func (f *worker[J]) each(lo, hi int) error {
	for i := lo; i < hi; i++ {
		f.restrict(i, i+1)
		if err := f.work.kind.run(f.value, f.work.body, i, i+1); err != nil {
			return err
		}
	}
	return nil
}

func (f *worker[J]) restrict(lo, hi int) {
	for i := range f.ranges {
		f.ranges[i].view.SetRange(lo, hi)
	}
}

// endSpan makes a failure of whatever ended a span early.
func (f *worker[J]) endSpan() {
	if f.clean {
		return
	}
	value := recover()
	f.clean = true
	if err, ok := value.(error); ok {
		f.keep(err)
	}
	f.work.fail(f.work.caught(f.cell, value))
	f.hold.Next(f.image.accesses)
	if f.hold.Busy() {
		f.endChildren()
	}
}

// failed makes a failure of an error that a body returned.
func (f *worker[J]) failed(cell int, err error) *failure {
	f.keep(err)
	if a, ok := err.(*safety.Access); ok {
		err = a.Violation()
	}
	return &failure{cell: cell, err: err}
}

// keep makes sure that a violation of one of the copy's views, which the error may wrap, stays what it is:
// the violation is made now, and the worker goes on with another copy.
func (f *worker[J]) keep(err error) {
	var a *safety.Access
	if errors.As(err, &a) {
		a.Freeze()
		f.value, f.image, f.bound = new(J), image{}, false
	}
}

// endChildren completes the jobs that the cell scheduled and left; that is a failure of the cell, unless
// it has failed already.
func (f *worker[J]) endChildren() {
	name := ""
	for _, t := range f.hold.Children() {
		name = t.Job()
		j := t.Owner.(*job)
		j.idle() // not by working on it: a body that ended the goroutine here would leave the others behind
		j.giveBack()
	}
	w := f.work
	v := safety.NewViolation(safety.ErrNotCompleted, "a body of job "+w.name+" ended its cell while job "+name+", which it had scheduled, was not completed",
		"Call Complete on the handle before Execute returns; or schedule the job outside, after the loop.")
	v.Job, v.OtherJob = w.name, name
	w.fail(&failure{cell: f.cell, violation: v})
}
