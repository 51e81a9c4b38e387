package table

import (
	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// calls notes the call that changes a table, or runs a frame of it, and the function of the program
// that this call waits for. A table has one such call at a time. A second call is refused, whether
// that function or another goroutine makes it.
//
//	(C1) The word is written only by the goroutine whose call it names, from enter to leave.
//	(C2) A loop holds the table before it looks whether rows change. A call that finds no loop
//	     notes in the word that it changes rows, and looks for loops again. So of a loop and a
//	     call that are not ordered, one sees the other. A loop that was scheduled before the call
//	     and begins late is found by the first look, and never sees that rows change.
//
// The word has the call in bits 0 to 7, the callback in bits 8 to 15, and the bit changesRows. The
// race detector does not see it, so the word orders no goroutines of the program.
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
	callStart
	callStep
	callFinish
	callClose
)

var callNames = [...]string{"", "Table.Apply", "Table.Dispose", "Table.Sweep", "Table.Tag", "Table.Untag", "table.ColumnOf", "table.DoubleOf", "table.KeyOf",
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

// callbacks are the names of the functions, and what they may do, as texts of violations say it.
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

// changesRows is the bit of the word that is set while the call changes rows.
const changesRows = 1 << 16

// enter begins the call c. It panics with a violation if another call runs.
func (t *core) enter(c call) {
	if safety.Enabled && !t.calls.word.CompareAndSwap(0, uint64(c)) {
		panic(t.refused(c))
	}
}

// leave ends the call that enter began.
func (t *core) leave() {
	if safety.Enabled {
		t.calls.word.Store(0)
	}
}

// within notes that the call waits for f.
func (t *core) within(f callback) {
	if w := t.calls.word.Load(); safety.Enabled && w>>8 != uint64(f) {
		t.calls.word.Store(w&0xff | uint64(f)<<8)
	}
}

// change notes that the call changes rows, and panics if a job holds the table (C2). The call has
// found no such job before.
func (t *core) change() {
	if safety.Enabled {
		t.calls.word.Store(t.calls.word.Load() | changesRows)
		t.guard.CheckWrite()
	}
}

// refused returns the violation of the call c while another one runs.
func (t *core) refused(c call) *safety.Violation {
	t.guard.CheckExists() // t may be a copy
	w := t.calls.word.Load()
	running, f := call(w), callback(w>>8&0xff)
	if f == ofLoops {
		t.guard.CheckWrite() // whose violation names the job
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
	case t.alive != nil && (f == ofGather || f == ofHandBack): // these call alive for each row
		what += callNames[running] + " runs " + callbacks[f].name + " and " + callbacks[ofSweep].name
	default:
		what += callNames[running] + " runs " + callbacks[f].name
	}
	return t.guard.Violation(kind, what, "Call "+callNames[c]+" when that "+callNames[running]+" has returned. "+callbacks[f].may)
}

// checkCalls panics with a violation if a call changes rows (C2). It is called when a loop begins.
func (t *core) checkCalls() {
	if w := t.calls.word.Load(); safety.Enabled && w&changesRows != 0 {
		w := call(w)
		panic(t.guard.Violation(safety.ErrConflict, "a job began to use "+t.guard.Container()+" while another goroutine's "+callNames[w]+" runs",
			"Schedule it when "+callNames[w]+" has returned, or order the two goroutines by a channel or a lock."))
	}
}

// Dispose ends the table and its columns: every later use of them is a violation, and so is
// staging. What is staged is dropped; a request beside Dispose is too, or is a violation. Dispose
// itself is a violation while a job that is not completed holds the table or one of its columns,
// and when it is called a second time.
//
// If several goroutines call Dispose or Apply at the same time, one call takes effect, and the
// others are violations ([safety.ErrDisposed], [safety.ErrConflict]).
//
// There is no DisposeAfter, because a table has many containers and outlives its jobs. Complete the
// loops that hold the table and then call Dispose, as [Pipeline.Close] does.
func (t *Table[R]) Dispose() { t.core.disposed() }

func (t *core) disposed() {
	t.enter(callDispose)
	defer t.leave()
	t.dispose()
}

func (t *core) dispose() {
	if safety.Enabled && t.guard.Disposed() {
		t.guard.Dispose() // which refuses it
	}
	t.check()
	t.change()
	t.guard.Dispose()
	t.ids.list.Dispose()
	t.requests.(*requests).dispose()
	for _, c := range t.columns {
		c.list.Dispose()
	}
	t.drop()
	t.slots, t.gone, t.free, t.set, t.report = nil, nil, nil, nil, Report{}
}

// Disposed reports whether the table was disposed.
func (t *Table[R]) Disposed() bool { return t.core.guard.Disposed() }
