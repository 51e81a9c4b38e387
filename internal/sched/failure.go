package sched

import (
	"fmt"
	"strings"
)

// Reason is why an execution was stopped.
type Reason uint8

// The reasons.
const (
	Deadlock Reason = iota + 1 // no task could go on
	Endless                    // more steps than the limit
	Panic                      // a task panicked
	Broken                     // Check returned an error
	Wrong                      // the result of the execution is wrong
	Raced                      // the race detector reported a race
	Varied                     // the program is not deterministic
)

var reasons = [...]string{"", "deadlock", "livelock", "panic", "broken invariant", "wrong result", "data race", "not deterministic"}

func (r Reason) String() string { return reasons[r] }

// Failure describes why an execution was stopped.
type Failure struct {
	Kind  Reason
	Text  string
	Err   error  // from Check, or from the judgment of the result
	Value any    // of the panic
	Stack string // of the panic
	Tasks []State
}

// State is what a task was doing when the execution was stopped.
type State struct {
	Name  string
	Ended bool
	Waits bool
	Last  Step
}

func (s State) String() string {
	what := "at " + s.Last.Kind.String()
	switch {
	case s.Ended:
		return s.Name + ": ended"
	case s.Waits:
		what = "waits in " + s.Last.Kind.String()
	case s.Last.Kind == OpStart:
		what = "not started"
	}
	if w := s.Last.Where(); w != "" {
		what += " (" + w + ")"
	}
	return s.Name + ": " + what
}

// Error returns what happened and what every task was doing.
func (f *Failure) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", f.Kind, f.Text)
	for _, s := range f.Tasks {
		b.WriteString("\n\t" + s.String())
	}
	if f.Stack != "" {
		b.WriteString("\n" + f.Stack)
	}
	return b.String()
}

// Unwrap returns Err.
func (f *Failure) Unwrap() error { return f.Err }

// Name returns the name of a task.
//
//go:norace
func (x *Exec) Name(id int) string {
	if n := x.tasks[id].name; n != "" {
		return n
	}
	return fmt.Sprintf("task %d", id)
}

// states returns the state of every task.
//
//go:norace
func (x *Exec) states() []State {
	s := make([]State, len(x.tasks))
	for i, t := range x.tasks {
		s[i] = State{Name: x.Name(i), Ended: x.ended&t.bit != 0, Waits: x.waiting&t.bit != 0, Last: t.doing}
	}
	return s
}
