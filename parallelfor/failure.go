package parallelfor

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"unsafe"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/origin"
	"example.com/custody/safety"
)

// Panic is the value that Complete panics with when a body panicked, whichever goroutine the body
// ran on. When several batches panicked it is the panic of the sequential loop: that of the lowest
// batch.
// Unwrap: constant; wait-free; O(1); allocates never.
// Error: constant; wait-free; O(stack); allocates the text.
type Panic struct {
	// Value is the value that the body panicked with.
	Value any
	// Stack is the stack of the goroutine that panicked, as by debug.Stack.
	Stack []byte
	// Job is the job's name; Begin and End are the indices of the batch: Begin <= i < End. Both are
	// 0 if the job panicked outside of its batches: when its length was asked for, or when it was
	// opened or sealed, as by a fold of a hashmap.ParallelMerger.
	Job        string
	Begin, End int
	outside    string // text of when the job panicked outside of its batches
}

// Error returns the value, where it happened, and the stack.
func (p *Panic) Error() string {
	at := p.outside
	if at == "" {
		at = fmt.Sprintf("indices %d <= i < %d", p.Begin, p.End)
	}
	return fmt.Sprintf("panic in job %s, %s: %v\n\n%s", p.Job, at, p.Value, p.Stack)
}

// Unwrap returns the value if it is an error.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// failure is the reason why a job ended early.
type failure struct {
	batch     int // the batch that failed; -1 for the end of the context
	violation *safety.Violation
	panicked  *Panic
	goexit    bool
	err       error
	cancelled bool // no batch's additions count: the job did not run, was cancelled, or a phase failed
}

// caught makes a failure of the value that a body panicked with; nil stands for runtime.Goexit.
func (j *exec) caught(batch int, value any) *failure {
	f := &failure{batch: batch}
	switch v := value.(type) {
	case nil:
		f.goexit = true
		return f
	case *Panic: // of a nested job, which says where it happened
		f.panicked = v
		return f
	case *safety.Refused:
		f.violation = violationOf(v)
	case *safety.Violation:
		f.violation = v
	}
	if f.violation != nil {
		f.violation.In(j.name, "")
		if f.violation.At == "" {
			f.violation.At = j.work.stands()
		}
		return f
	}
	begin, end := j.bounds(batch)
	f.panicked = &Panic{Value: value, Stack: debug.Stack(), Job: j.name, Begin: j.first + begin, End: j.first + end}
	return f
}

// caughtOutside is caught outside of the batches. when is of the text of a panic. The panic of a
// part of the seal is one of the job. The panic of another nested job stays that job's.
func (j *exec) caughtOutside(when string, value any) *failure {
	f := j.caught(0, value)
	if p := f.panicked; p != nil && (value != any(p) || p.Job == j.work.seal) {
		p.Job, p.Begin, p.End, p.outside = j.name, 0, 0, when
	}
	return f
}

// violationOf returns the violation of a refused view. It returns nil if Window of the view panics.
func violationOf(r *safety.Refused) (v *safety.Violation) {
	defer func() { _ = recover() }()
	return r.Violation()
}

// raise makes the calling goroutine fail as the body did. exiting reports whether the goroutine is
// ending already. An error is no panic: Err returns it.
func (f *failure) raise(exiting bool) {
	switch {
	case f == nil:
	case f.violation != nil:
		panic(f.violation)
	case f.panicked != nil:
		panic(f.panicked)
	case f.goexit && !exiting:
		runtime.Goexit()
	}
}

// cancelled reports whether the job's context has ended, and fails the job if so.
func (j *exec) cancelled() bool {
	if j.done == nil {
		return false
	}
	select {
	case <-j.done:
		j.fail(&failure{batch: -1, err: context.Cause(j.ctx), cancelled: true})
		return true
	default:
		return false
	}
}

// fail notes a failure; see endAt.
func (j *exec) fail(f *failure) { j.endAt(f.batch, f) }

// stop notes that the sequential loop ends after the batch, without a failure; see endAt.
func (j *exec) stop(batch int) { j.endAt(batch, nil) }

// endAt notes that the sequential loop ends in the batch by the failure f, or after the batch if f
// is nil. Only the lowest such batch counts: batches above it begin no more, and those below run.
// So the outcome is that of the sequential loop.
//
//go:norace
func (j *exec) endAt(batch int, f *failure) {
	atom.ReleaseMerge(unsafe.Pointer(&j.limit)) // to batches whose contexts end at once
	j.mu.Lock()
	lowest := int64(batch) < j.limit.Load()
	if j.failure != nil {
		lowest = batch < j.failure.batch
	}
	first := max(batch, 0) // the lowest batch that begins no more
	var open *contexts
	if lowest {
		j.failure = f
		if f == nil {
			first++
		}
		j.limit.Store(int64(first))
		if !j.finished() {
			open = j.contexts
		}
	}
	j.mu.Unlock()
	if open == nil {
		return
	}
	if cause, own := f.cause(); own {
		open.tell(first, cause) // keeps (X1)
	}
}

// counted returns the number of batches whose additions count. Those of batches above are dropped.
//
//go:norace
func (j *exec) counted() int {
	if j.limit.Load() == unlimited { // as long as nothing ends the loop
		return j.batches
	}
	j.mu.Lock()
	kept := int(j.limit.Load()) // the loop was stopped, if it has not failed
	if f := j.failure; f != nil {
		kept = f.batch + 1
		if f.cancelled {
			kept = 0
		}
	}
	j.mu.Unlock()
	return kept
}

// outcome returns how the job has failed until now, or nil. It is final once the job has finished.
//
//go:norace
func (j *exec) outcome() *failure {
	if j.limit.Load() == unlimited { // as long as there is no failure
		return nil
	}
	j.mu.Lock()
	f := j.failure
	j.mu.Unlock()
	return f
}

// stands returns where the job's body begins, as file:line. For a body that is the library's or the
// compiler's, and for a kind of the program's own, it returns where the job was scheduled. It
// returns "" if there is no such place, because the job is run in a call: see placed.
func (w *work) stands() string {
	if at := origin.Of(w.code); at != "" {
		return at
	}
	if site := w.ticket.Site(); site != 0 {
		return site.String()
	}
	return ""
}

// placed gives a violation that has no line the line of the program that called the library, and
// returns f. Only the goroutine that runs the job calls it.
func (f *failure) placed() *failure {
	if f.violation != nil && f.violation.At == "" {
		f.violation.At = safety.NewViolation(f.violation.Kind, "", "").At
	}
	return f
}
