package table

import (
	"example.com/custody/internal/atom"
	"example.com/custody/internal/elem"
	"example.com/custody/internal/quiet"
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
	return Stager[R]{of: t, hold: quiet.New(t.requests.guard.Hold(safety.Append, stagers))}
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
	hold `custody:"part"`
	of   *Table[R]            // only to compare keys
	lane *lane.Lane[elem.Raw] // of requests; nil while the view is not bound
}

// Add stages a row, which has no name before Apply. It is a violation where [Table.Add] is one.
//
//go:norace
func (s *Stager[R]) Add(row R) {
	if s.of != nil && s.of.core.key != nil {
		s.of.compare(row)
	}
	*s.next() = request[R]{row: row, adds: true}
}

// Remove stages the removal of a row, as [Table.Remove] does. Until the next Apply it takes as much
// memory as an addition.
//
//go:norace
func (s *Stager[R]) Remove(id ID) { *s.next() = request[R]{gone: id} }

// next returns a new request, which the caller makes, unseen by the race detector (lane.I6).
//
//go:norace
func (s *Stager[R]) next() *request[R] {
	return (*request[R])(elem.Next(elem.Pointer(s.lane), quiet.Of(&s.hold)))
}

var stagers safety.ViewKind = quiet.Kind[*stagerKind]{} // so generic code does not compile its methods

// stagerKind has the layout of a Stager, and the methods that drivers call.
type stagerKind struct {
	kept safety.Hold
	_    elem.Pointer
	lane *lane.Lane[elem.Raw]
}

// Claim completes the claim.
func (s *stagerKind) Claim(c *safety.Claim) { c.Into = s.lane }

// Bind implements safety.Binder.
func (s *stagerKind) Bind(b safety.Binding) {
	s.kept.Bind(b)
	s.lane = lane.Of[elem.Raw](b)
}

// BeginSpan implements safety.SpanView.
func (s *stagerKind) BeginSpan(batch int) { s.lane.BeginSpan(batch) }

// request is what a body stages: the addition of a row, or the removal of the row of a name.
type request[R any] struct {
	row  R
	gone ID
	adds bool
}

// requests are what loops stage until the next Apply: a container of its own, which Stagers hold.
// Behind the n requests lies nothing that keeps something alive.
type requests struct {
	guard safety.Guard
	elem  *elem.Type
	lanes lane.Lanes[elem.Raw]
	p     elem.Pointer // the first request
	n     int
	room  int
	trim  atom.Trimmer
	adopt func(lane.Items[elem.Raw]) // the method value take, made once
}

func newRequests(of *elem.Type, opts []safety.Option) *requests {
	q := &requests{elem: of}
	elem.SetLanes(elem.Pointer(&q.lanes), of)
	q.adopt = q.take
	q.guard.Init(q, 0, opts...)
	return q
}

// behind returns the memory for n requests behind the last one.
//
//go:norace
func (q *requests) behind(n int) []elem.Raw {
	if n == 0 {
		return nil
	}
	return elem.Slice[elem.Raw](q.elem.At(q.p, q.n), n)
}

// OpenPhase implements safety.Phased. It lends the memory behind the requests to the lanes.
//
//go:norace
func (q *requests) OpenPhase(p *safety.Phase) {
	q.lanes.Lend(q.behind(q.room - q.n)[:0])
	q.lanes.Open(p)
}

// SealPhase implements safety.Phased.
//
//go:norace
func (q *requests) SealPhase(p *safety.Phase) { q.lanes.Seal(p, q.adopt) }

// take appends what a loop has staged, when the loop is sealed.
//
//go:norace
func (q *requests) take(staged lane.Items[elem.Raw]) {
	n := staged.Len()
	if q.n+n > q.room {
		was := q.p
		q.room = max(q.n+n, q.room+q.room/2)
		q.p = q.elem.Make(q.room)
		q.elem.Move(q.p, was, q.n)
	}
	staged.CopyTo(q.behind(n))
	q.n += n
}

// clear forgets what was staged.
func (q *requests) clear() {
	if q.elem.Holds {
		q.elem.Clear(q.p, q.n)
	}
	list := atom.Reuse(&q.trim, elem.Slice[elem.Raw](q.p, q.room)[:q.n])
	q.p, q.n, q.room = elem.Data(list), 0, cap(list)
}

// dispose ends the container.
func (q *requests) dispose() {
	q.guard.Dispose()
	q.p, q.n, q.room = nil, 0, 0
	q.lanes.Trim()
}
