package fuzz_test

import (
	"errors"
	"fmt"
	"slices"

	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// outcome is how an operation ended. At most one field is set, none when it ended well.
type outcome struct {
	violation *safety.Violation
	panicked  *parallelfor.Panic
	err       error
	goexit    bool
}

// outcomeOf runs f on a goroutine of its own, which may be ended.
func outcomeOf(f func() error) (o outcome) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		o.note(f)
	}()
	<-done
	return o
}

// attempt runs f, which does not end its goroutine.
func attempt(f func()) (o outcome) {
	o.note(func() error { f(); return nil })
	return o
}

// note runs f and notes how it ended.
func (o *outcome) note(f func() error) {
	*o = outcome{goexit: true} // which stands when nothing below is reached
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		*o = outcome{}
		if p, ok := r.(*parallelfor.Panic); ok {
			o.panicked = p
			return
		}
		if err, ok := r.(error); ok && errors.As(err, &o.violation) {
			return
		}
		panic(r)
	}()
	err := f()
	*o = outcome{err: err}
}

// kind returns the kind of violation, nil for none.
func (o outcome) kind() error {
	if o.violation == nil {
		return nil
	}
	return o.violation.Kind
}

func (o outcome) String() string {
	switch {
	case o.violation != nil:
		return o.violation.Error()
	case o.panicked != nil:
		return fmt.Sprintf("panic %v in batch [%d, %d) of job %s", o.panicked.Value, o.panicked.Begin, o.panicked.End, o.panicked.Job)
	case o.err != nil:
		return "error " + o.err.Error()
	case o.goexit:
		return "runtime.Goexit"
	}
	return "success"
}

// kinds is a set of kinds of violation: the rules that a command breaks.
type kinds []error

func (k *kinds) add(kind error) { *k = append(*k, kind) }

// judge ends the test unless the command ended in one of the ways that the model foresees: with a
// violation of one of the broken rules, or well when there is none. It reports whether it ended
// well.
func (p *program) judge(what string, o outcome, broken kinds) bool {
	p.t.Helper()
	if o.panicked != nil || o.err != nil || o.goexit {
		p.fatalf("%s ended with %v", what, o)
	}
	if o.violation == nil {
		if len(broken) > 0 {
			p.fatalf("%s was accepted, and breaks %v", what, []error(broken))
		}
		return true
	}
	if slices.Contains(broken, o.violation.Kind) {
		return false
	}
	p.fatalf("%s was refused, expected %v:\n%v", what, []error(broken), o.violation)
	return false
}

// use runs f, which breaks the given rules, and judges it. It reports whether f did what it is for.
// Misuse is left out where custody is not checked.
func (p *program) use(what string, broken kinds, f func()) bool {
	p.logf("%s: expected %v", what, []error(broken))
	if !safety.Enabled && len(broken) > 0 {
		return false
	}
	return p.judge(what, attempt(f), broken)
}
