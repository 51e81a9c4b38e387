package table

import (
	"context"
	"iter"
	"runtime/trace"

	"example.com/custody/internal/atom"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// Frame has the functions that a [Pipeline] calls in a frame, in the order of the fields. All
// except Schedule may be nil.
//
// A stage may read and set columns, look rows up, stage, and run loops. In a stage, calls that
// change the table, such as Apply, Dispose, Sweep and Tag, are violations, and so are Start, Step,
// Finish and Close of a pipeline of the table.
//
// If a stage panics, Start, Finish or Step panics with the same value and the frame ends. What was
// applied stays applied. Rows that were not gathered or handed back by then are not, and the next
// frame can start.
//
// Gather and HandBack get the rows to range over, in order, without places that have no row, and
// without rows that are dead at their turn ([Table.Sweep]). They may move whole columns instead, by
// [Column.Slice] or a loop over chunks, which have these too. A range over the rows outside Gather
// and HandBack is a violation ([safety.ErrBorrowed]).
type Frame struct {
	// Applied is called with the Report of each Apply.
	Applied func(r Report)
	// Gather is called before the loops. It brings what they need into the columns.
	Gather func(rows iter.Seq[int])
	// Schedule schedules the loops of the frame, and returns a handle of all of them. If Schedule
	// panics after it has scheduled a loop, it must complete that loop itself, in a deferred call;
	// otherwise the loop holds the table for ever.
	Schedule func() parallelfor.Handle
	// HandBack is called when the loops are completed. It takes the results out of the columns.
	HandBack func(rows iter.Seq[int])
}

// Pipeline runs the frames of a table. The loops of a frame are scheduled when the frame begins,
// and completed when the next one begins, so the goroutine that calls Step does other work
// meanwhile. A pipeline is for one goroutine at a time, or several that order themselves. Make it
// with [NewPipeline].
//
// In execution traces (package runtime/trace) each stage is a region: apply, gather, schedule,
// complete, hand back.
//
// Cost: if there are no rows and nothing is staged, a frame costs what an Apply of nothing costs.
//
// Guarantees (consistency, progress, cost, allocations; docs/consistency.md):
//
//	Start                owner changes  lock                  as Apply, stages  as Apply, loops
//	Step, Finish, Close  owner changes  waits: for the loops  as Apply, stages  as Apply, loops
//	Running              owner reads    wait-free             O(1)              never
type Pipeline struct {
	self   *Pipeline // its address, which a copy does not have
	core   *core     // of the table
	frame  Frame
	rows   iter.Seq[int] // each, made once
	handle parallelfor.Handle

	// The race detector does not see these words, so a Close beside another Close is no race.
	runs, closed atom.HiddenUint32 // 1: yes
}

// occupied reports whether a place has a row.
func (t *core) occupied(row int) bool { return t.fixed == 0 || t.flags[row] }

// living reports whether there is a row that is not dead.
func (t *core) living(row int) bool { return t.occupied(row) && (t.alive == nil || t.alive(row)) }

// violation returns a violation of a rule of pipelines. Its text has what, the table, happened.
func (p *Pipeline) violation(kind error, what, happened, do string) *safety.Violation {
	return p.core.guard.Violation(kind, what+" of "+p.core.guard.Container()+happened, do)
}

// NewPipeline returns a Pipeline of a table. From now on the pipeline applies what is staged, and
// [Pipeline.Close] disposes of the table. A nil Schedule is a violation.
func NewPipeline(t Any, frame Frame) *Pipeline {
	p := &Pipeline{core: need(t, "a pipeline was asked for of"), frame: frame}
	p.self, p.rows = p, p.each
	if frame.Schedule == nil {
		panic(p.violation(safety.ErrArgument, "a pipeline", " was asked for without a Schedule", "Pass a function that schedules a loop."))
	}
	return p
}

// Step finishes the frame before, as Finish does, and starts the next one, as Start does.
func (p *Pipeline) Step() {
	p.made().enter(callStep)
	defer p.core.leave()
	p.finish()
	p.core.within(noCallback)
	p.start()
}

// Start starts a frame: it applies what was staged, gathers, and schedules the loops. If there are
// no rows it only applies. Start is a violation if a frame was started and not finished, and if the
// pipeline was closed.
func (p *Pipeline) Start() {
	p.made().enter(callStart)
	defer p.core.leave()
	p.start()
}

// made returns the core of the table. It panics with a violation if p was never made or is a copy.
func (p *Pipeline) made() *core {
	if p == nil || p.core == nil {
		panic(unmadeType(p, "NewPipeline"))
	}
	copied(p, p.self, &p.core.guard, "a pipeline of ", "NewPipeline")
	return p.core
}

func (p *Pipeline) start() {
	if p.closed.Load() != 0 {
		panic(p.violation(safety.ErrClosed, "a frame", " was started on a closed pipeline", "Make another one."))
	}
	if p.Running() {
		panic(p.violation(safety.ErrArgument, "a frame", " was started while another one runs", "Call Finish first, or Step, which does both."))
	}
	region("table: apply", p.apply)
	if p.core.ids.Len() == len(p.core.places) { // there are no rows
		return
	}
	if f := p.frame.Gather; f != nil {
		region("table: gather", func() { p.core.within(ofGather); f(p.rows) })
	}
	region("table: schedule", p.schedule)
}

func (p *Pipeline) apply() {
	if r := p.core.apply(); p.frame.Applied != nil {
		p.core.within(ofApplied)
		p.frame.Applied(r)
	}
}

// each ranges over the living rows. It panics with a violation unless a stage runs that gets them.
func (p *Pipeline) each(yield func(row int) bool) {
	for row := 0; ; row++ {
		if f := callback(p.core.calls.word.Load() >> 8); safety.Enabled && f != ofGather && f != ofHandBack {
			panic(p.violation(safety.ErrBorrowed, "a range over the rows", " ran outside Gather and HandBack", "Range over them in the stage that gets them, or use Table.All."))
		}
		if row >= p.core.ids.Len() || p.core.living(row) && !yield(row) {
			return
		}
	}
}

func (p *Pipeline) schedule() {
	p.core.within(ofSchedule)
	p.handle = p.frame.Schedule()
	p.runs.Store(1)
}

// Finish finishes the frame that was started: it completes the loops and hands the results back.
// Without such a frame it does nothing. If a loop fails, Finish fails as the completion of that
// loop does, nothing is handed back, and the next frame can start.
func (p *Pipeline) Finish() {
	p.made().enter(callFinish)
	defer p.core.leave()
	p.finish()
}

func (p *Pipeline) finish() {
	if !p.Running() {
		return
	}
	region("table: complete", p.complete)
	if f := p.frame.HandBack; f != nil {
		region("table: hand back", func() { p.core.within(ofHandBack); f(p.rows) })
	}
}

func (p *Pipeline) complete() {
	p.core.within(ofLoops)
	p.runs.Store(0)
	completed := false
	defer func() {
		if !completed && !p.handle.Ticket().Returned() { // refused: the frame still runs
			p.runs.Store(1)
			return
		}
		p.handle = parallelfor.Handle{}
	}()
	p.handle.Complete()
	completed = true
}

// Running reports whether a frame was started and not finished.
func (p *Pipeline) Running() bool {
	p.made()
	return p.runs.Load() != 0
}

// Close completes the frame that runs, if there is one, hands nothing back, and disposes of the
// table unless it was disposed. A second Close does nothing. Close is a violation while another job
// holds the table, and can be called again afterwards.
func (p *Pipeline) Close() {
	p.made()
	if p.closed.Load() != 0 {
		return
	}
	p.made().enter(callClose)
	defer p.core.leave()
	defer func() {
		if !p.core.guard.Disposed() {
			p.core.dispose()
		}
		p.closed.Store(1)
	}()
	if p.Running() {
		region("table: complete", p.complete)
	}
}

// region does something, as a region of the execution trace if one is being recorded.
func region(name string, do func()) {
	defer trace.StartRegion(context.Background(), name).End()
	do()
}
