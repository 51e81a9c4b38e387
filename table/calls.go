package table

import (
	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// calls is the call that changes a table now, or runs a frame of it, and the function of the
// program that the call waits for. There is one such call at a time: a function that makes another
// one is refused, and so is another goroutine.
//
//	(C1) The word is written only by the goroutine whose call it names, from enter to leave.
//	(C2) A loop holds the table before it looks whether rows change. A call that finds no loop says
//	     in the word that it changes rows, and looks for loops again: so of two that are not ordered
//	     one sees the other. A loop that was scheduled before the call, and begins late, is found
//	     first, and never sees that rows change.
//
// The race detector does not see the word: it orders nothing in the program.
type calls struct{ word atom.HiddenUint64 }

// call is a call of a table's owner.
type call uint8

const (
	callApply call = iota + 1
	callDispose
	callSweep
	callTag
	callUntag
	callColumnOf
	callDoubleOf
	callKeyOf
	callValueOf
	callStart
	callStep
	callFinish
	callClose
)

var callNames = [...]string{"", "Table.Apply", "Table.Dispose", "Table.Sweep", "Table.Tag", "Table.Untag", "table.ColumnOf", "table.DoubleOf", "table.KeyOf", "table.ValueOf",
	"Pipeline.Start", "Pipeline.Step", "Pipeline.Finish", "Pipeline.Close"}

// callback is a function of the program that a call waits for.
type callback uint8

const (
	noCallback callback = iota
	ofSweep
	ofField
	ofApplied
	ofGather
	ofSchedule
	ofHandBack
	ofLoops
)

// callbacks are what the functions are called, and what they may do.
var callbacks = [...]struct{ name, may string }{
	ofSweep:    {"the predicate of Sweep", "The predicate may read and set columns, look rows up, and stage."},
	ofField:    {"the function that finds the field", "The function may only return a pointer into the row that it gets."},
	ofApplied:  {"Applied", stageMay},
	ofGather:   {"Gather", stageMay},
	ofSchedule: {"Schedule", stageMay},
	ofHandBack: {"HandBack", stageMay},
	ofLoops:    {"the loops of the frame", "Their bodies may stage."},
}

const stageMay = "A stage may read and set columns, look rows up, stage, and run loops."

// changesRows is the bit of the word which says that the call changes rows.
const changesRows = 1 << 16

// enter begins a call, unless another one runs.
func (t *core) enter(c call) {
	if safety.Enabled && !t.calls.word.CompareAndSwap(0, uint64(c)) {
		panic(t.refused(c))
	}
}

// leave ends it.
func (t *core) leave() {
	if safety.Enabled {
		t.calls.word.Store(0)
	}
}

// within notes which function of the program the call waits for.
func (t *core) within(f callback) {
	if w := t.calls.word.Load(); safety.Enabled && w>>8 != uint64(f) {
		t.calls.word.Store(w&0xff | uint64(f)<<8)
	}
}

// change is called by the call that runs when it has found that no job holds the table, and keeps (C2).
func (t *core) change() {
	if safety.Enabled {
		t.calls.word.Store(t.calls.word.Load() | changesRows)
		t.guard.CheckWrite()
	}
}

// refused returns the violation of a call while another one runs.
func (t *core) refused(c call) *safety.Violation {
	t.guard.CheckExists() // it may be a copy
	w := t.calls.word.Load()
	running, f := call(w), callback(w>>8&0xff)
	if f == ofLoops {
		t.guard.CheckWrite() // says which job it is
	}
	kind := safety.ErrConflict
	if running == callDispose {
		kind = safety.ErrDisposed
	}
	what := callNames[c] + " was called on " + t.guard.Container() + " while "
	order := "Order the two calls by a channel or a lock: a table is for one goroutine at a time."
	switch {
	case running == 0:
		return t.guard.Violation(kind, what+"another goroutine's call came to its end", order)
	case f == noCallback:
		return t.guard.Violation(kind, what+"another goroutine's "+callNames[running]+" runs", order)
	case t.alive != nil && (f == ofGather || f == ofHandBack): // which ask it of each row
		what += callNames[running] + " runs " + callbacks[f].name + " and " + callbacks[ofSweep].name
	default:
		what += callNames[running] + " runs " + callbacks[f].name
	}
	return t.guard.Violation(kind, what, "Call "+callNames[c]+" when that "+callNames[running]+" has returned. "+callbacks[f].may)
}

// checkCalls refuses a loop while a call changes rows.
func (t *core) checkCalls() {
	if w := t.calls.word.Load(); safety.Enabled && w&changesRows != 0 {
		w := call(w)
		panic(t.guard.Violation(safety.ErrConflict, "a job began to use "+t.guard.Container()+" while another goroutine's "+callNames[w]+" runs",
			"Schedule it when "+callNames[w]+" has returned, or order the two goroutines by a channel or a lock."))
	}
}

// Dispose ends the table and its columns: every later use is a violation, also of what stages. It is one itself while an uncompleted job holds
// one of them, and the second time. What is staged is dropped. Of several goroutines that dispose of a table, or apply, at the same time, one does and each
// other one is told ([safety.ErrDisposed], [safety.ErrConflict]).
//
// There is no DisposeAfter: a table has many containers, and is there for more than one job. Complete the loops that hold it, and then Dispose of it, as [Pipeline.Close] does.
func (t *Table[R]) Dispose() {
	t.enter(callDispose)
	defer t.leave()
	t.dispose()
}

func (t *Table[R]) dispose() {
	if safety.Enabled && t.guard.Disposed() {
		t.guard.Dispose() // refuses
	}
	t.check()
	for _, s := range t.values {
		if !s.guard.Disposed() {
			s.guard.CheckWrite()
		}
	}
	t.change()
	t.guard.Dispose()
	for _, s := range t.values {
		if !s.guard.Disposed() {
			s.dispose()
		}
	}
	t.ids.Dispose()
	t.requests.dispose()
	if t.fixed > 0 {
		t.valid.Dispose()
	}
	for _, c := range t.strips {
		c.dispose()
	}
	t.stage.drop(t.keys)
	t.slots, t.outs, t.ended, t.free, t.moves, t.set, t.report = nil, nil, nil, nil, nil, nil, Report{}
}

// Disposed says whether the table was disposed.
func (t *Table[R]) Disposed() bool { return t.guard.Disposed() }
