package linear

import (
	"fmt"
	"math"
)

// Op is one operation of a history: what was asked, what was answered, and when.
type Op[I, O any] struct {
	// Task is who did it, from 0. Only the drawing uses it: the order of one task's operations is in their
	// times, like every other.
	Task int
	// Call and Return are any numbers that order events: steps of a schedule, nanoseconds. Return is at least
	// Call, or [Pending].
	Call, Return int64
	// In is the operation and its operands.
	In I
	// Out is the answer. It means nothing when the operation is pending.
	Out O
}

// Pending is the Return of an operation that had not returned when the history ended. It may have taken
// effect or not, with any answer.
const Pending = math.MaxInt64

// Pending says whether the operation had not returned when the history ended.
func (o *Op[I, O]) Pending() bool { return o.Return == Pending }

// Before says whether the operation returned before the other was called.
func (o *Op[I, O]) Before(other *Op[I, O]) bool { return o.Return < other.Call }

// Spec is the sequential behaviour of a container as data. Only Init, the zero value often, and Step are
// required. None of the functions may change anything, and equal arguments give equal results.
type Spec[S comparable, I, O any] struct {
	// Init is the state of a container that nobody used.
	Init S
	// Step says whether the sequential container in state s may answer out, and the state that it is in
	// afterwards.
	Step func(s S, in I, out O) (next S, ok bool)
	// Next lists the states that a pending operation may leave, whatever it would have answered. A state that
	// equals s, and the operation not taking effect, need no mention. With nil a history with a pending
	// operation is an [ErrHistory].
	Next func(s S, in I) []S
	// Reads says of an operation that answered out that it left the state as it was, whatever it was. It saves
	// time: without it, nil, the same histories fit.
	Reads func(in I, out O) bool
	// Weak says which operations are only weakly consistent. They are not put in order with the others but
	// judged by Bounds. Nil means none.
	Weak func(in I) bool
	// Bounds judges the answer of the weak operation h[i] by what can have happened around it in the whole
	// history. It returns what is wrong, or nil. When Bounds is nil weak operations are not judged, and pending
	// ones never are.
	Bounds func(h []Op[I, O], i int) error
	// Split returns the pieces of an operation that is not done at one moment but piece by piece: each at a
	// moment of its own within the operation's interval, in the order given. The pieces' Task, Call and Return
	// are set for it. It returns nil for operations that are done at one moment. The pieces of one operation
	// that are in different parts have no order.
	Split func(op *Op[I, O]) []Op[I, O]
	// Part returns the part of the state that an operation works on, for containers that consist of
	// independent parts, such as the keys of a map: a history fits when the operations of each part do
	// (Herlihy and Wing, Linearizability: a correctness condition for concurrent objects, 1990; Horn and
	// Kroening, Faster linearizability checking via P-compositionality, 2015). Init and Step are then those of
	// one part. Nil means one part.
	Part func(in I) string
	// Text writes an operation and its answer, such as "TryEnqueue(3) = true". Pending operations are written
	// with the zero answer, up to the first " = ". Nil means what fmt writes.
	Text func(in I, out O) string
}

// text is Text, also for pending operations.
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
