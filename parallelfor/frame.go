package parallelfor

import (
	"unsafe"

	"example.com/custody/internal/pad"
	"example.com/custody/safety"
)

// work is a job of type J, with the memory of all its workers: it is used again together, as soon as the job has
// finished. What a handle needs for longer is in the job: one that a handle stands for is never used again.
type work[J any] struct {
	*job
	own    job   // for jobs without a handle
	value  J     // the job as it was scheduled
	image  image // of value
	kind   Kind[J]
	plan   *plan[J]
	copies []*worker[J] // of the workers, by index; each is touched by its worker only
}

// reuse says whether the memory of jobs is used again. Strict builds make new copies, so that whoever
// kept one is found out; with -race they are also one for each cell.
const reuse = !safety.Strict

// takeWork returns a job of the plan's type. here says that the caller runs it and waits for it.
func (p *plan[J]) takeWork(here bool) *work[J] {
	w := p.takeSpare()
	if w == nil {
		w = &work[J]{plan: p}
		w.own.ready()
	}
	w.job = &w.own
	if !here {
		w.job = new(job)
		w.ready()
		w.hand.runs, w.own.hand.runs = w.own.hand.runs, nil
	}
	w.typed = w
	w.here = here
	w.kept = keeps && here
	return w
}

func (p *plan[J]) takeSpare() *work[J] {
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
func (p *plan[J]) giveWork(w *work[J]) {
	if !reuse {
		return
	}
	j := w.job
	j.ctx, j.done = nil, nil
	j.watch, j.progress = nil, nil
	j.after = nil
	j.single, j.kept, j.open = false, false, false
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
func (p *plan[J]) giveMemory(w *work[J]) {
	var zero J
	w.value = zero
	w.kind = nil
	if p.layout.slices {
		w.image.clear()
	}
	if !p.spare.CompareAndSwap(nil, w) {
		p.storeWork(w)
	}
}

// retire implements typedJob.
func (w *work[J]) retire() {
	if !reuse {
		return
	}
	j := w.job
	w.job = nil
	w.own.hand.runs, j.hand.runs = j.hand.runs, nil
	j.typed = nil
	w.plan.giveMemory(w)
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
	_ pad.Bytes
	Cells
	value *J
	work  *work[J]
	clean bool // no loop of the kind is being executed
	_     pad.Bytes
}

// newCopy returns room for a copy of a job, which is written in every cell, on lines of its own.
func newCopy[J any]() *J {
	return &new(struct {
		_    pad.Bytes
		copy J
		_    pad.Bytes
	}).copy
}

// seats implements typedJob.
func (w *work[J]) seats(n int) {
	if w.watch != nil {
		w.watch.seats(n)
	}
	for len(w.copies) < n {
		w.copies = append(w.copies, nil)
	}
}

// enter implements typedJob.
func (w *work[J]) enter(index int, first bool) frame {
	var f *worker[J]
	if reuse {
		f = w.copies[index]
	}
	if f == nil {
		f = &worker[J]{Cells: Cells{hold: safety.NewLease()}, value: newCopy[J]()}
		f.copier = f
		if reuse {
			w.copies[index] = f
		}
	}
	f.work = w
	*f.value = w.value
	f.clean = true
	f.fine = w.kind.PerIndex()
	f.open(w.job, index, first)
	return f
}

// leave implements frame.
func (f *worker[J]) leave() {
	f.account()
	f.hold.Close()
	if !reuse {
		f.hold.Discard()
		return
	}
	var zero J
	*f.value = zero
	f.bound = false
	f.job, f.eye = nil, nil // the memory is kept for the next job, this one and its containers are not
	if f.work.plan.layout.slices {
		f.image.clear()
		clear(f.ranges)
	}
}

func (f *worker[J]) lease() *safety.Lease { return f.hold }

// Run implements frame.
func (f *worker[J]) Run() {
	if f.eye != nil {
		f.runWatched()
		return
	}
	for !f.drained {
		f.loop()
	}
}

// bind implements copier. It runs where a panic fails the cell, since views are anybody's code.
func (f *worker[J]) bind() {
	w := f.work
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

// renew implements copier.
func (f *worker[J]) renew() {
	f.value, f.image, f.bound = newCopy[J](), image{}, false
	*f.value = f.work.value
}

// loop executes cells until there are none left, or one fails.
func (f *worker[J]) loop() {
	f.clean, f.asked = false, false
	defer f.endLoop()
	err := f.work.kind.Loop(f.value, &f.Cells)
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
func (f *worker[J]) endLoop() {
	if f.clean {
		return
	}
	value := recover()
	f.clean = true
	f.thrown(value)
	f.abandon()
}
