package table

import (
	"reflect"
	"slices"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/elem"
	"example.com/custody/internal/word"
	"example.com/custody/lane"
	"example.com/custody/safety"
)

// Stager returns a [Stager], the view with which the bodies of a loop stage additions and removals.
// Stager itself stages nothing: a job carries the Stager in a field, its bodies call the Stager's
// Add and Remove, and the next [Table.Apply] does what they have staged. With the names of the rows
// ([Table.IDs]) in another field a body replaces row i:
//
//	j.Stage.Remove(j.IDs.At(i))
//	j.Stage.Add(row)
func (t *Table[R]) Stager() Stager[R] {
	if t == nil || t.requests == nil {
		return Stager[R]{}
	}
	t.core.original()
	return Stager[R]{of: t, hold: hold{Kept: t.requests.guard.Hold(safety.Append, (*stagerKind[R])(nil))}}
}

// Stager is a view with which the bodies of a job stage additions and removals in the order of the
// sequential loop, whatever the number of workers is. [Table.Stager] returns one, a field of the
// job carries it, and it works only inside that job. Without a job, or where the order does not
// matter, [Table.Add] and [Table.Remove] do.
//
// What a Stager stages comes after all that is staged without one. Its rows have no names before
// the Apply that adds them. If a batch fails, what is staged is what the sequential loop has staged
// until then. Of two jobs that carry a Stager of one table, one runs after the other.
// Each method: lane; wait-free; O(1); allocates chunks.
type Stager[R any] struct {
	of   *Table[R] // only to compare keys
	hold `custody:"part"`
	lane *lane.Lane[request[R]] // nil while the view is not bound
}

// Add stages a row, which has no name before Apply. It is a violation where [Table.Add] is one.
func (s *Stager[R]) Add(row R) {
	if s.of != nil && s.of.core.key != nil {
		s.of.compare(row)
	}
	s.lane.Append(&s.Kept, request[R]{row: row, adds: true})
}

// Remove stages the removal of a row, as [Table.Remove] does. Until the next Apply it takes as much
// memory as an addition.
func (s *Stager[R]) Remove(id ID) { s.lane.Append(&s.Kept, request[R]{gone: id}) }

// stagerKind is the kind of Stagers.
type stagerKind[R any] struct{ view Stager[R] }

// Of implements safety.ViewKind.
func (*stagerKind[R]) Of(view any, _ *safety.Hold) safety.Binder {
	return (*stagerKind[R])(elem.Pointer(view.(*Stager[R])))
}

// Claim completes the claim.
func (k *stagerKind[R]) Claim(c *safety.Claim) { c.Into = k.view.lane }

// Bind implements safety.Binder.
func (k *stagerKind[R]) Bind(b safety.Binding) {
	s := &k.view
	s.Kept.Bind(b)
	s.lane = lane.Of[request[R]](b)
}

// BeginSpan implements safety.SpanView.
func (k *stagerKind[R]) BeginSpan(batch int) { k.view.lane.BeginSpan(batch) }

// request is what a body stages: the addition of a row, or the removal of the row of a name.
type request[R any] struct {
	row  R
	gone ID
	adds bool
}

// requests are what loops stage until the next Apply: a container of its own, which Stagers hold.
// Beyond the length of list lies nothing that keeps something alive.
type requests[R any] struct {
	guard safety.Guard
	lanes lane.Lanes[request[R]]
	list  []request[R]
	trim  atom.Trimmer
	holds bool                         // rows may keep something alive
	adopt func(lane.Items[request[R]]) // the method value take, made once
}

func newRequests[R any](opts []safety.Option) *requests[R] {
	q := &requests[R]{holds: word.Holds(reflect.TypeFor[R]())}
	q.adopt = q.take
	q.guard.Init(q, 0, opts...)
	return q
}

// OpenPhase implements safety.Phased. It lends the memory behind list to the lanes.
//
//go:norace
func (q *requests[R]) OpenPhase(p *safety.Phase) {
	q.lanes.Lend(q.list)
	q.lanes.Open(p)
}

// SealPhase implements safety.Phased.
//
//go:norace
func (q *requests[R]) SealPhase(p *safety.Phase) { q.lanes.Seal(p, q.adopt) }

// take appends to list what a loop has staged, when the loop is sealed.
//
//go:norace
func (q *requests[R]) take(staged lane.Items[request[R]]) {
	n := len(q.list)
	q.list = slices.Grow(q.list, staged.Len())[:n+staged.Len()]
	staged.CopyTo(q.list[n:])
}

// clear forgets what was staged.
func (q *requests[R]) clear() {
	if q.holds {
		clear(q.list)
	}
	q.list = atom.Reuse(&q.trim, q.list)
}

// dispose ends the container.
func (q *requests[R]) dispose() {
	q.guard.Dispose()
	q.list = nil
	q.lanes.Trim()
}
