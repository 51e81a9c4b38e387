package table

import (
	"reflect"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/word"
	"example.com/custody/lane"
	"example.com/custody/safety"
)

// requests are what loops stage until the next Apply: a container of its own, which Stagers hold.
// The rows of additions are in lanes of rows. All else is in lanes of operations, whose type is the
// same for all tables, so a type of rows adds only the code that moves rows.
//
//	(R1) Both lanes are opened and sealed for the same phases, so each has in its order what the
//	     sequential loop stages. The next row is that of the next addition of the operations.
//	(R2) Beyond the length of rows lies nothing that keeps something alive.
type requests[R any] struct {
	guard      safety.Guard
	lanes      lane.Lanes[R]
	rows       []R          // to be added
	trim       atom.Trimmer // of rows
	operations operations
	phase      staging[R]
	holds      bool                // rows may keep something alive
	adopt      func(lane.Items[R]) // take, made once
}

// operations are what loops stage except the rows: removals, and between them the numbers of
// additions that come before. An operation is the name of a row that is to be removed, or an ID
// without a generation that has a number of additions; several of these may follow each other.
type operations struct {
	lanes lane.Lanes[ID]
	list  []ID
	trim  atom.Trimmer         // of list
	adopt func(lane.Items[ID]) // take, made once
}

// additions returns the number of additions of an operation, or 0 for a removal. Names have
// generations from 1 on, or are zero.
func additions(operation ID) int {
	if operation.gen != 0 {
		return 0
	}
	return int(operation.slot)
}

// operationLane is the lane of a worker that stages operations. Being a type of its own it spares
// the packages that use tables the code of lanes of IDs.
type operationLane struct{ lane *lane.Lane[ID] }

// staging is the phase of a job that stages.
type staging[R any] struct {
	rows       *lane.Lanes[R]
	operations any               // the State of their lanes
	writers    []*stageWriter[R] // by worker
}

// stageWriter is what a worker of the job stages operations with.
type stageWriter[R any] struct {
	rows       *lane.Lane[R]
	operations operationLane
	inner      *staging[R] // of nested jobs, which are one at a time
}

func newRequests[R any](opts []safety.Option) *requests[R] {
	q := &requests[R]{holds: word.Holds(reflect.TypeFor[R]())}
	q.adopt, q.operations.adopt = q.take, q.operations.take
	q.guard.Init(q, 0, opts...)
	return q
}

// OpenPhase implements safety.Phased.
//
//go:norace
func (q *requests[R]) OpenPhase(p *safety.Phase) {
	s, rows, operations := &q.phase, *p, *p
	if into, _ := p.Into.(*stageWriter[R]); into != nil {
		if into.inner == nil {
			into.inner = new(staging[R])
		}
		s, rows.Into, operations.Into = into.inner, into.rows, into.operations.into()
	}
	q.lanes.Lend(q.rows)
	q.lanes.Open(&rows)
	q.operations.open(&operations)
	s.rows, s.operations = rows.State.(*lane.Lanes[R]), operations.State
	for len(s.writers) < p.Workers {
		s.writers = append(s.writers, new(stageWriter[R]))
	}
	for i, w := range s.writers[:p.Workers] {
		w.rows, w.operations = s.rows.Lane(i), operationLaneOf(s.operations, i)
	}
	p.State = s
}

// SealPhase implements safety.Phased.
//
//go:norace
func (q *requests[R]) SealPhase(p *safety.Phase) {
	s, rows, operations := p.State.(*staging[R]), *p, *p
	rows.State, operations.State = s.rows, s.operations
	if into, _ := p.Into.(*stageWriter[R]); into != nil {
		rows.Into, operations.Into = into.rows, into.operations.into()
	}
	q.lanes.Seal(&rows, q.adopt)
	q.operations.seal(&operations)
}

// writer returns what the worker of a view stages with.
//
//go:norace
func (s *staging[R]) writer(worker int) *stageWriter[R] { return s.writers[worker] }

// take takes what a loop has added.
//
//go:norace
func (q *requests[R]) take(added lane.Items[R]) {
	if added.Len() > 0 {
		q.rows = added.AppendTo(q.rows)
	}
}

// clear forgets what was staged, and keeps (R2).
func (q *requests[R]) clear() {
	if q.holds {
		clear(q.rows)
	}
	q.rows = atom.Reuse(&q.trim, q.rows)
	q.operations.list = atom.Reuse(&q.operations.trim, q.operations.list)
}

// dispose ends the container.
func (q *requests[R]) dispose() {
	q.guard.Dispose()
	q.rows, q.phase = nil, staging[R]{}
	q.lanes.Trim()
	q.operations.drop()
}

//go:norace
func (o *operations) open(p *safety.Phase) {
	o.lanes.Lend(o.list)
	o.lanes.Open(p)
}

//go:norace
func (o *operations) seal(p *safety.Phase) { o.lanes.Seal(p, o.adopt) }

//go:norace
func (o *operations) take(added lane.Items[ID]) {
	if added.Len() > 0 {
		o.list = added.AppendTo(o.list)
	}
}

func (o *operations) drop() {
	o.list = nil
	o.lanes.Trim()
}

// operationLaneOf returns the lane of a worker.
//
//go:norace
func operationLaneOf(state any, worker int) operationLane {
	return operationLane{state.(*lane.Lanes[ID]).Lane(worker)}
}

// into is where the operations of a nested job go.
func (w operationLane) into() any { return w.lane }

func (w operationLane) beginSpan(batch int) { w.lane.BeginSpan(batch) }

// add notes that a row is added: in the last operation, if that is a number of additions.
//
//go:norace
func (w operationLane) add() {
	if last := w.lane.Last(); last != nil && uint(additions(*last)-1) < mostRows {
		last.slot++
		return
	}
	w.lane.Append(nil, ID{slot: 1})
}

// remove notes that a row is removed.
func (w operationLane) remove(by *safety.Hold, id ID) { w.lane.Append(by, id) }
