package parallelfor

import (
	"context"
	"runtime/pprof"
	"runtime/trace"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/pad"
)

// This file observes a job while it runs: for the function of [Progress], for each [Graph] that
// records it, for the execution tracer, and for the profiler ([Labels]).
//
// A job looks for these once, while it is scheduled. If there is none, its observer is nil, and
// each of the other calls is a comparison with nil:
//
//	begin        the job has been admitted
//	start, stop  a worker enters the job on a goroutine, and leaves it
//	beginBatch   a worker ends its batch and begins another
//	batchesDone  no batch runs any more; the containers are not sealed yet
//	end          the containers have been sealed, or the job was not admitted
//
// Invariants:
//
//	(I1) Observing decides nothing: which worker takes which batch does not depend on it.
//	(I2) The race detector sees no order that observing makes, except that of the calls of a
//	     Progress function and of what comes after the job. So observing hides no race of the
//	     jobs.
//	(I3) A workerObserver is used by one worker at a time. While the job runs, other workers read
//	     only its done; the observer reads the rest when all workers have left.

// observer observes one job.
type observer struct {
	job     *exec
	workers []workerObserver // by the index of the worker
	graphs  []*Graph
	record  *record         // nil if no graph records the job; dependents read it after the end
	reports *reports        // nil without Progress
	task    *trace.Task     // nil if the tracer is off
	traced  context.Context // with the task
	labels  context.Context // with the label; nil if Labels is off
}

// workerObserver observes one worker of a job.
type workerObserver struct {
	of      *observer
	index   int
	done    atom.Stamp // indices of the batches that the worker has executed
	inBatch bool
	batch   RecordedBatch // the current one, if inBatch is set
	on      *poolWorker   // as in Batches
	region  *trace.Region
	stays   []stay
	pace    pace
	_       pad.Bytes
}

// labelling is 1 while Labels is on.
var labelling atom.HiddenUint32

// Labels switches on or off that jobs scheduled from now on run under a label for the profiler
// (package runtime/pprof). Its key is "job", and its value is the job's name. A CPU profile then
// tells for each sample which job it belongs to, and go tool pprof -tagfocus shows one job alone.
// At first it is off.
//
// The labels of the context of [ForErr] and its like stay beside it. The labels of a caller that
// passes no context are not known: after the job that goroutine has none. While Labels is off, it
// costs a job one load.
func Labels(on bool) {
	v := uint32(0)
	if on {
		v = 1
	}
	labelling.Store(v)
}

// observed reports whether the job needs an observer.
func (j *exec) observed() bool {
	return j.progress != nil || recording.Load() != nil || labelling.Load() != 0 || trace.IsEnabled()
}

// newObserver returns the observer of a job that is being scheduled. It calls methods of the job's
// context, which may be any package's. So the job does not hold its containers yet.
//
//go:norace
func newObserver(j *exec) *observer {
	o := &observer{job: j}
	if j.progress != nil {
		o.reports = newReports(j.progress)
	}
	atom.Hide() // keeps (I2)
	defer atom.Show()
	if trace.IsEnabled() {
		o.traced, o.task = trace.NewTask(j.ctx, j.name)
	}
	if labelling.Load() != 0 {
		o.labels = pprof.WithLabels(j.ctx, pprof.Labels("job", j.name))
	}
	return o
}

// begin notes that the job has been admitted.
//
//go:norace
func (o *observer) begin() {
	if graphs := recording.Load(); graphs != nil {
		o.graphs, o.record = *graphs, newRecord(o.job)
	}
}

// seats makes room for n workers, before the first one enters.
func (o *observer) seats(n int) {
	o.workers = make([]workerObserver, n)
	for i := range o.workers {
		o.workers[i].of, o.workers[i].index = o, i
	}
}

// runObserved is Run of a worker that is observed.
func (f *worker) runObserved() {
	f.observer.start(f.on)
	defer f.observer.stop()
	for !f.drained {
		f.loop()
	}
}

// start begins what the worker does on the calling goroutine.
//
//go:norace
func (e *workerObserver) start(on *poolWorker) {
	o := e.of
	e.on = on
	if o.record != nil {
		e.stays = append(e.stays, stay{RecordedStay{Worker: e.index, From: now()}, on})
	}
	e.label()
	if o.task != nil {
		atom.Hide()
		e.region = trace.StartRegion(o.traced, "batches of "+o.job.name)
		atom.Show()
	}
}

// stop ends what start has begun, on the same goroutine.
//
//go:norace
func (e *workerObserver) stop() {
	o := e.of
	e.endBatch()
	if o.record != nil {
		e.stays[len(e.stays)-1].To = now()
	}
	atom.Hide()
	defer atom.Show()
	if e.region != nil {
		e.region.End()
	}
	if o.labels != nil {
		pprof.SetGoroutineLabels(o.outside(e.on))
	}
}

// beginBatch ends the current batch and begins another, of the indices [begin, end).
//
//go:norace
func (e *workerObserver) beginBatch(batch, begin, end int) {
	e.endBatch()
	e.label() // a nested job that ran on this goroutine may have left its own
	e.inBatch, e.batch = true, RecordedBatch{Batch: batch, Begin: begin, End: end}
	if e.of.record != nil {
		e.batch.From = now()
	}
}

// endBatch ends the current batch, if there is one.
//
//go:norace
func (e *workerObserver) endBatch() {
	if !e.inBatch {
		return
	}
	e.inBatch = false
	e.done.Store(e.done.Load() + uintptr(e.batch.End-e.batch.Begin))
	if e.of.record != nil {
		e.batch.To = now()
		s := &e.stays[len(e.stays)-1]
		s.Batches = append(s.Batches, e.batch)
	}
	if e.of.reports != nil {
		e.of.report(e)
	}
}

// label puts the calling goroutine under the job's label.
func (e *workerObserver) label() {
	if l := e.of.labels; l != nil {
		atom.Hide()
		pprof.SetGoroutineLabels(l)
		atom.Show()
	}
}

// outside returns the labels of a goroutine that leaves the job: a worker goroutine of a pool has
// none, and a caller has those of the job whose body it is in, or of its context.
func (o *observer) outside(on *poolWorker) context.Context {
	if on != nil {
		return context.Background()
	}
	if j := o.job.outer(); j != nil && j.observer != nil && j.observer.labels != nil {
		return j.observer.labels
	}
	return o.job.ctx
}

// batchesDone notes that all batches that will run have run.
func (o *observer) batchesDone() {
	if o.reports != nil {
		o.reportEnd()
	}
}

// end notes that the containers have been sealed, or that the job was not admitted. The job has not
// finished yet, and all workers have left.
func (o *observer) end() {
	if o.task != nil {
		atom.Hide()
		o.task.End()
		atom.Show()
	}
	if o.record != nil {
		o.record.close(o)
		for _, g := range o.graphs {
			g.add(o.record)
		}
	}
	o.workers, o.graphs, o.reports, o.task, o.traced, o.labels = nil, nil, nil, nil, nil, nil
}
