package linear

import (
	"fmt"
	"math"
)

// Op is one operation of a history: what was called, what was answered, and when.
type Op[I, O any] struct {
	// Task is the number of the task that executed the operation, from 0. Only the drawing uses it:
	// the order of a task's operations follows from their times.
	Task int
	// Call and Return are any numbers that order events, such as steps of a schedule or
	// nanoseconds. Return is at least Call, or is [Pending].
	Call, Return int64
	// In is the operation and its operands.
	In I
	// Out is the answer. It has no meaning if the operation is pending.
	Out O
}

// Pending is the Return of an operation that had not returned when the history ended. The operation
// may or may not have taken effect, with any answer.
const Pending = math.MaxInt64

// Pending reports whether the operation had not returned when the history ended.
func (o *Op[I, O]) Pending() bool { return o.Return == Pending }

// Before reports whether the operation returned before the other was called.
func (o *Op[I, O]) Before(other *Op[I, O]) bool { return o.Return < other.Call }

// Spec is the sequential behavior of a container as data. Only Step is required, and Init where the
// zero value is not the first state. The functions must have no side effects, and must return equal
// results for equal arguments.
type Spec[S comparable, I, O any] struct {
	// Init is the state of a new container.
	Init S
	// Step reports whether the container in state s may answer out to in, and returns the state
	// that follows.
	Step func(s S, in I, out O) (next S, ok bool)
	// Next lists the states that a pending operation may leave, whatever its answer would have
	// been. The list need not contain s, which stands for an operation without effect. If Next is
	// nil, a history with a pending operation is an [ErrHistory].
	Next func(s S, in I) []S
	// Reads reports whether an operation with the answer out leaves every state as it is. It only
	// saves time: if Reads is nil, the same histories fit.
	Reads func(in I, out O) bool
	// Weak reports whether an operation is only weakly consistent. Such operations are not put in
	// order with the others but judged by Bounds. Nil means that no operation is weak.
	Weak func(in I) bool
	// Bounds judges the answer of the weak operation h[i] by what can have happened around it in
	// the whole history. It returns nil, or an error that describes what is wrong. If Bounds is
	// nil, weak operations are not judged. Pending ones never are.
	Bounds func(h []Op[I, O], i int) error
	// Split returns the pieces of an operation that is executed piece by piece: each at a moment of
	// its own within the operation's interval, in the order of the slice. The caller sets the Task,
	// Call and Return of the pieces. Split returns nil for an operation that is executed at one
	// moment. Pieces in different parts have no order.
	Split func(op *Op[I, O]) []Op[I, O]
	// Part returns the part of the state on which an operation works. It is for containers that
	// consist of independent parts, such as the keys of a map: a history fits if the operations of
	// each part do. Init and Step are then those of one part. Nil means one part. See Herlihy and
	// Wing, Linearizability: a correctness condition for concurrent objects, 1990, and Horn and
	// Kroening, Faster linearizability checking via P-compositionality, 2015.
	Part func(in I) string
	// Text returns the text of an operation and its answer, such as "TryEnqueue(3) = true". Of a
	// pending operation, whose out is the zero answer, the text up to the first " = " is used. If
	// Text is nil, package fmt formats in and out.
	Text func(in I, out O) string
}

// text returns the text of an operation, which may be pending.
func (s *Spec[S, I, O]) text(o *Op[I, O]) string {
	var out O
	if !o.Pending() {
		out = o.Out
	}
	var t string
	if s.Text != nil {
		t = s.Text(o.In, out)
	} else {
		t = fmt.Sprintf("%+v = %+v", o.In, out)
	}
	if o.Pending() {
		for i := range len(t) - 2 {
			if t[i:i+3] == " = " {
				return t[:i]
			}
		}
	}
	return t
}
