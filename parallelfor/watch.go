package parallelfor

import (
	"context"
	"runtime/pprof"
	"runtime/trace"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/pad"
)

// This file is how a job is seen from outside while it runs: by the function of [Progress], a [Graph] that
// records it, the execution tracer, and the profiler ([Labels]).
//
// A job that nobody wants to see has no watch, and looks for one once, when it is scheduled. Each worker of one
// that has a watch keeps an eye of its own, in memory of its own, and tells it when it enters, turns to a batch,
// and leaves.
//
// Invariants:
//
//	(I1) Watching decides nothing: who takes which batch does not depend on it.
//	(I2) Watching orders nothing, as the race detector sees it, but what the function of Progress does with
//	     what comes after the job. So it hides no race of the jobs.
//	(I3) An eye is used by one worker at a time; others look only at what it counts as done, and at the rest
//	     when all workers have left.

// switchboard is what is on for all jobs, in one word to ask for.
type switchboard struct {
	on     atom.HiddenUint64 // recordJobs and labelJobs
	mu     atom.HiddenMutex
	graphs atom.HiddenPointer[[]*Graph] // that record; replaced as a whole
}

var switches switchboard

const (
	recordJobs = 1 << iota
	labelJobs
)

// flip switches one of them. The switchboard is locked.
//
//go:norace
func (s *switchboard) flip(bit uint64, on bool) {
	v := s.on.Load() &^ bit
	if on {
		v |= bit
	}
	s.on.Store(v)
}

// Labels switches on, or off again, that workers run the jobs scheduled from now on under a label
// for the profiler (package runtime/pprof): key "job", value the job's name. So a CPU profile says
// for each sample which job it belongs to, and go tool pprof -tagfocus shows one of them alone. It
// is off at first.
//
// The labels of the context of [ForErr] and its like stay in place beside it. Those of a caller
// that passes no context cannot be known: after the job that goroutine has none. While it is off it
// costs a job one load.
//
//go:norace
func Labels(on bool) {
	s := &switches
	s.mu.Lock()
	s.flip(labelJobs, on)
	s.mu.Unlock()
}

// watched says whether anybody wants to see the job.
func (j *exec) watched() bool {
	return j.progress != nil || switches.on.Load() != 0 || trace.IsEnabled()
}

// watch is what is seen of one job.
type watch struct {
	job     *exec
	eyes    []eye // of the workers, by index
	graphs  []*Graph
	record  *record // nil when no graph wants it
	reports *reports
	task    *trace.Task
	traced  context.Context // with the task
	labels  context.Context // with the labels; nil when there are to be none
}

// newWatch returns the watch of a job that was admitted. It is called by whoever schedules the job.
//
//go:norace
func newWatch(j *exec) *watch {
	w := &watch{job: j}
	if j.progress != nil {
		w.reports = newReports(j.progress)
	}
	on := switches.on.Load()
	if on&recordJobs != 0 {
		w.graphs = *switches.graphs.Load()
		w.record = newRecord(j)
	}
	atom.Hide() // keeps (I2)
	defer atom.Show()
	if trace.IsEnabled() {
		w.traced, w.task = trace.NewTask(j.ctx, j.name)
	}
	if on&labelJobs != 0 {
		w.labels = pprof.WithLabels(j.ctx, pprof.Labels("job", j.name))
	}
	return w
}

// seats makes room for n workers, before the first enters.
func (w *watch) seats(n int) {
	w.eyes = make([]eye, n)
	for i := range w.eyes {
		w.eyes[i] = eye{watch: w, worker: i, batch: -1}
	}
}

// eye is what one worker shows of its part of the job.
type eye struct {
	watch      *watch
	worker     int
	done       atom.Stamp // indices of batches that it has executed
	batch      int        // that it executes; -1 when none
	begin, end int        // its indices
	since      int64      // when it began
	parts      []part
	pace       pace
	_          pad.Bytes
}

// eyeOf returns the eye of the worker, or nil when nobody wants to see the job.
func (j *exec) eyeOf(worker int) *eye {
	if j.watch == nil {
		return nil
	}
	return &j.watch.eyes[worker]
}

// runWatched is Run when somebody sees it.
func (f *worker) runWatched() {
	defer f.eye.leave(f.on, f.eye.enter(f.on))
	for !f.drained {
		f.loop()
	}
}

// enter begins a part: what a worker does on one goroutine, between entering the job and leaving it. t tells
// residents apart, and is nil for others.
//
//go:norace
func (e *eye) enter(t *resident) *trace.Region {
	w := e.watch
	if w.record != nil {
		e.parts = append(e.parts, part{worker: e.worker, resident: t, from: clock()})
	}
	e.label()
	if w.task == nil {
		return nil
	}
	atom.Hide()
	defer atom.Show()
	return trace.StartRegion(w.traced, "batches of "+w.job.name)
}

// leave ends what enter began, on the same goroutine.
//
//go:norace
func (e *eye) leave(t *resident, r *trace.Region) {
	w := e.watch
	e.conclude()
	if w.record != nil {
		e.parts[len(e.parts)-1].to = clock()
	}
	atom.Hide()
	defer atom.Show()
	if r != nil {
		r.End()
	}
	if w.labels != nil {
		pprof.SetGoroutineLabels(w.outside(t))
	}
}

// turn ends the batch before and begins the given one, of the indices [begin, end).
//
//go:norace
func (e *eye) turn(batch, begin, end int) {
	w := e.watch
	e.conclude()
	e.label() // a nested job that ran here may have left its own
	e.batch, e.begin, e.end = batch, begin, end
	if w.record != nil {
		e.since = clock()
	}
}

// conclude ends the current batch, if there is one.
//
//go:norace
func (e *eye) conclude() {
	c := e.batch
	if c < 0 {
		return
	}
	e.batch = -1
	e.done.Store(e.done.Load() + uintptr(e.end-e.begin))
	if e.watch.record != nil {
		p := &e.parts[len(e.parts)-1]
		p.spans = append(p.spans, span{batch: c, begin: e.begin, end: e.end, from: e.since, to: clock()})
	}
	if e.watch.reports != nil {
		e.watch.glance(e, c)
	}
}

// label puts the calling goroutine under the job's labels.
func (e *eye) label() {
	if l := e.watch.labels; l != nil {
		atom.Hide()
		pprof.SetGoroutineLabels(l)
		atom.Show()
	}
}

// outside returns the labels that hold on a goroutine that was a worker: a resident's are none, a caller's those
// of the body that it is in, or of its context.
func (w *watch) outside(t *resident) context.Context {
	if t != nil {
		return context.Background()
	}
	if o := w.job.outer(); o != nil && o.watch != nil && o.watch.labels != nil {
		return o.watch.labels
	}
	return w.job.ctx
}

// ending comes when all batches are done that will be, before the containers are sealed.
func (j *exec) ending() {
	if j.watch != nil && j.watch.reports != nil {
		j.watch.last()
	}
}

// end comes when the containers are sealed, before the job has finished. All workers have left; what remains is the record, for jobs that run after.
func (w *watch) end() {
	if w.task != nil {
		atom.Hide()
		w.task.End()
		atom.Show()
	}
	if w.record != nil {
		w.record.close(w)
		for _, g := range w.graphs {
			g.add(w.record)
		}
	}
	w.eyes, w.graphs, w.reports, w.task, w.traced, w.labels = nil, nil, nil, nil, nil, nil
}

// clock returns the time since the program began, in nanoseconds.
func clock() int64 { return int64(now()) }
