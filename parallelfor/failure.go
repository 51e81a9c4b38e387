package parallelfor

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"

	"example.com/custody/internal/origin"
	"example.com/custody/safety"
)

// Panic is what Complete panics with when a body panicked, whichever goroutine the body ran on. When
// several batches panicked it is the panic of the sequential loop: that of the lowest batch.
type Panic struct {
	// Value is what the body panicked with.
	Value any
	// Stack is the stack of the goroutine that panicked, as by debug.Stack.
	Stack []byte
	// Job is the job's name; Begin and End are the indices of the batch: Begin <= i < End.
	Job        string
	Begin, End int
}

// Error returns the value, where it happened, and the stack.
func (p *Panic) Error() string {
	return fmt.Sprintf("panic in job %s, indices %d <= i < %d: %v\n\n%s", p.Job, p.Begin, p.End, p.Value, p.Stack)
}

// Unwrap returns the value if it is an error.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// failure is how a job ended before its end.
type failure struct {
	batch     int // the lowest that failed
	violation *safety.Violation
	panicked  *Panic
	goexit    bool
	err       error
	cancelled bool // err is the context's cause; no batch's additions count
}

// caught makes a failure of what a body panicked with; nil stands for runtime.Goexit.
func (j *exec) caught(batch int, value any) *failure {
	f := &failure{batch: batch}
	begin, end := j.bounds(batch)
	if value == nil {
		f.goexit = true
		return f
	}
	switch v := value.(type) {
	case *Panic: // of a nested job: this is already the whole story
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
	f.panicked = &Panic{Value: value, Stack: debug.Stack(), Job: j.name, Begin: begin, End: end}
	return f
}

// violationOf asks a refused view what rule was broken. A view may panic when it is asked for its
// window.
func violationOf(r *safety.Refused) (v *safety.Violation) {
	defer func() { _ = recover() }()
	return r.Violation()
}

// raise makes the calling goroutine fail as the body did. An error is no panic: Err returns it.
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

// cancelled says whether the job's context has ended, and fails the job if so.
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

// fail notes a failure. Batches above the lowest that failed are not executed any more; those below are,
// so that the failure that counts is that of the sequential loop.
//
//go:norace
func (j *exec) fail(f *failure) {
	j.mu.Lock()
	var told *contexts
	if (j.failure == nil || f.batch < j.failure.batch) && (j.stopped == 0 || f.batch < j.stopped) {
		j.failure = f
		j.limit.Store(int64(max(f.batch, 0)))
		told = j.contexts
	}
	j.mu.Unlock()
	if told != nil {
		if cause, own := f.cause(); own {
			told.tell(f.batch, cause) // keeps (X1)
		}
	}
}

// stop notes that the sequential loop would end after the batch, and so not get to a failure above it.
//
//go:norace
func (j *exec) stop(batch int) {
	j.mu.Lock()
	var told *contexts
	if (j.failure == nil || batch < j.failure.batch) && (j.stopped == 0 || batch < j.stopped) {
		j.failure = nil
		j.stopped = batch + 1
		j.limit.Store(int64(batch) + 1)
		told = j.contexts
	}
	j.mu.Unlock()
	if told != nil {
		told.tell(batch+1, nil) // keeps (X1)
	}
}

// counted is how many batches count: additions of those above are dropped.
//
//go:norace
func (j *exec) counted() int {
	j.mu.Lock()
	kept := j.batches
	if j.stopped > 0 {
		kept = j.stopped
	}
	if f := j.failure; f != nil {
		kept = min(f.batch+1, kept)
		if f.cancelled {
			kept = 0
		}
	}
	j.mu.Unlock()
	return kept
}

// outcome returns how the job failed, or nil. The job has finished.
//
//go:norace
func (j *exec) outcome() *failure {
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
