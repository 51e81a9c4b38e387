package table

import (
	"reflect"
	"slices"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/word"
	"example.com/custody/lane"
	"example.com/custody/safety"
)

// requests are what loops stage until the next Apply: a container of its own. The rows of additions are in lanes of rows, as they are, and all else
// is in lanes of no type of the caller's: so that each type of rows brings only what has to do with rows.
//
//	(R1) Both lanes are opened and sealed for the same phases, so each has in its order what the sequential loop stages. The next row is
//	     that of the next addition of the turns.
//	(R2) Beyond the length of rows lies nothing that keeps something alive.
type requests[R any] struct {
	guard safety.Guard
	lanes lane.Lanes[R]
	rows  []R          // to be added
	trim  atom.Trimmer // of rows
	turns turns
	phase staging[R]
	holds bool                // rows may keep something alive
	adopt func(lane.Items[R]) // made once
}

// turns are what loops stage but for the rows: removals, and between them how many additions come first. A turn is the name of a row that is to be removed,
// or no name at all but a number of additions, of which one or more may follow each other.
type turns struct {
	lanes lane.Lanes[ID]
	list  []ID
	trim  atom.Trimmer         // of list
	adopt func(lane.Items[ID]) // made once
}

// additions says how many additions a turn is; 0 says that it is a removal. Names have generations from 1 on, or are zero.
func additions(turn ID) int {
	if turn.gen != 0 {
		return 0
	}
	return int(turn.slot)
}

// taking is the lane of a worker that takes turns. It is a type of its own so that packages with tables compile nothing of it.
type taking struct{ lane *lane.Lane[ID] }

// staging is the phase of a job that stages.
type staging[R any] struct {
	rows  *lane.Lanes[R]
	turns any // the State of their lanes
	pens  []*pen[R]
}

// pen is what a worker of the job stages with.
type pen[R any] struct {
	rows  *lane.Lane[R]
	turns taking
	inner *staging[R] // of nested jobs, which are one at a time
}

func newRequests[R any](opts []safety.Option) *requests[R] {
	q := &requests[R]{holds: word.Holds(reflect.TypeFor[R]())}
	q.adopt, q.turns.adopt = q.take, q.turns.take
	q.guard.Init(q, 0, opts...)
	return q
}

// OpenPhase implements safety.Phased.
//
//go:norace
func (q *requests[R]) OpenPhase(p *safety.Phase) {
	s, rows, turns := &q.phase, *p, *p
	if into, _ := p.Into.(*pen[R]); into != nil {
		if into.inner == nil {
			into.inner = new(staging[R])
		}
		s, rows.Into, turns.Into = into.inner, into.rows, into.turns.into()
	}
	q.lanes.Lend(q.rows)
	q.lanes.Open(&rows)
	q.turns.open(&turns)
	s.rows, s.turns = rows.State.(*lane.Lanes[R]), turns.State
	for len(s.pens) < p.Workers {
		s.pens = append(s.pens, new(pen[R]))
	}
	for i, at := range s.pens[:p.Workers] {
		at.rows, at.turns = s.rows.Lane(i), takes(s.turns, i)
	}
	p.State = s
}

// SealPhase implements safety.Phased.
//
//go:norace
func (q *requests[R]) SealPhase(p *safety.Phase) {
	s, rows, turns := p.State.(*staging[R]), *p, *p
	rows.State, turns.State = s.rows, s.turns
	if into, _ := p.Into.(*pen[R]); into != nil {
		rows.Into, turns.Into = into.rows, into.turns.into()
	}
	q.lanes.Seal(&rows, q.adopt)
	q.turns.seal(&turns)
}

// pen returns what the worker stages with that a view is bound for.
//
//go:norace
func (s *staging[R]) pen(worker int) *pen[R] { return s.pens[worker] }

// take takes what a loop has added.
//
//go:norace
func (q *requests[R]) take(added lane.Items[R]) {
	q.rows = appendTo(q.rows, added)
}

// clear forgets what was staged, and keeps (R2).
func (q *requests[R]) clear() {
	if q.holds {
		clear(q.rows)
	}
	q.rows, q.turns.list = atom.Reuse(&q.trim, q.rows), atom.Reuse(&q.turns.trim, q.turns.list)
}

// dispose ends the container.
func (q *requests[R]) dispose() {
	q.guard.Dispose()
	q.rows, q.phase = nil, staging[R]{}
	q.lanes.Trim()
	q.turns.drop()
}

//go:norace
func (s *turns) open(p *safety.Phase) {
	s.lanes.Lend(s.list)
	s.lanes.Open(p)
}

//go:norace
func (s *turns) seal(p *safety.Phase) { s.lanes.Seal(p, s.adopt) }

//go:norace
func (s *turns) take(added lane.Items[ID]) {
	s.list = appendTo(s.list, added)
}

// appendTo appends what a loop has added to list, and returns the result.
func appendTo[T any](list []T, added lane.Items[T]) []T {
	n := len(list)
	list = slices.Grow(list, added.Len())[:n+added.Len()]
	added.CopyTo(list[n:])
	return list
}

func (s *turns) drop() {
	s.list = nil
	s.lanes.Trim()
}

// takes returns the lane of a worker.
//
//go:norace
func takes(state any, worker int) taking { return taking{state.(*lane.Lanes[ID]).Lane(worker)} }

// into is where a nested job's turns go.
func (w taking) into() any { return w.lane }

func (w taking) beginSpan(batch int) { w.lane.BeginSpan(batch) }

// add notes that a row is added: in the turn before, if that is one of additions, too.
//
//go:norace
func (w taking) add() {
	if last := w.lane.Last(); last != nil && uint(additions(*last)-1) < mostRows {
		last.slot++
		return
	}
	w.lane.Append(nil, ID{slot: 1})
}

// remove notes that a row is removed.
func (w taking) remove(by *safety.Hold, id ID) { w.lane.Append(by, id) }
