package table

import (
	"example.com/custody/internal/atom"
	"example.com/custody/internal/elem"
	"example.com/custody/internal/lanes"
	"example.com/custody/internal/quiet"
	"example.com/custody/safety"
)

// Stager returns a [Stager], the view with which the bodies of a loop stage additions and removals.
// Stager itself stages nothing: a job carries the Stager in a field, its bodies call the Stager's
// Add and Remove, and the next [Table.Apply] does what they have staged. With the names of the rows
// ([Table.IDs]) in another field a body replaces row i:
//
//	j.Stage.Remove(j.IDs.At(i))
//	j.Stage.Add(row)
func (t *Table[R]) Stager() (s Stager[R]) {
	if s.of = (*core)(elem.Pointer(t)); t != nil && t.core.requests != nil {
		s.hold = t.core.stager()
	}
	return s
}

//go:noinline
func (t *core) stager() hold {
	t.original()
	return quiet.Appending(&t.requests.(*requests).guard)
}

// Stager is a view with which the bodies of a job stage additions and removals in the order of the
// sequential loop, whatever the number of workers is. [Table.Stager] returns one, a field of the
// job carries it, and it works only inside that job. Without a job, or where the order does not
// matter, [Table.Add] and [Table.Remove] do.
//
// What a Stager stages comes after all that is staged without one. Its rows have no names before
// the Apply that adds them. If a batch fails, what is staged is what the sequential loop has staged
// until then. Of two jobs that carry a Stager of one table, one runs after the other. In a table
// with a [Key], Add has a row of memory, which is used again, to compare the key in.
// Each method: lane; wait-free; O(1); allocates chunks.
type Stager[R any] struct {
	_    [0]*R // Stagers of other rows do not convert
	hold `custody:"part"`
	lane *lanes.Lane // of requests; nil while the view is not bound
	of   *core       // only to compare keys
}

// Add stages a row, which has no name before Apply. It is a violation where [Table.Add] is one.
//
//go:norace
func (s *Stager[R]) Add(row R) {
	if s.lane != nil && s.of.key != nil {
		p := s.of.scratch()
		*(*R)(p) = row
		s.of.compareScratch(p)
	}
	*(*request[R])(s.lane.Next(quiet.Of(&s.hold))) = request[R]{ask{adds: true}, row}
}

// scratch returns where the caller writes a row before it calls compareScratch, which panics if the
// row's key cannot be compared. Memory that is used again spares an allocation.
//
//go:noinline
func (t *core) scratch() elem.Pointer {
	if p := t.requests.(*requests).scratch.Take(); p != nil {
		return elem.Pointer(p)
	}
	return t.stage.elem.Make(1)
}

//go:noinline
func (t *core) compareScratch(p elem.Pointer) {
	t.compare(p)
	t.stage.elem.Clear(p, 1)
	t.requests.(*requests).scratch.Give((*byte)(p))
}

// Remove stages the removal of a row, as [Table.Remove] does. Until the next Apply it takes as much
// memory as an addition.
//
//go:norace
func (s *Stager[R]) Remove(id ID) {
	*(*request[R])(s.lane.Next(quiet.Of(&s.hold))) = request[R]{ask: ask{gone: id}}
}

// request is what a body stages: the addition of a row, or the removal of the row of a name.
type request[R any] struct {
	ask
	row R
}

// ask is what a request has before its row. Its size is a multiple of any alignment.
type ask struct {
	_    [0]uint64
	gone ID
	adds bool
}

// row returns where the row lies.
func (a *ask) row() elem.Pointer { return elem.Behind(a) }

// requests are what loops stage until the next Apply: a container of its own, which Stagers hold.
type requests struct {
	guard   safety.Guard
	lanes   lanes.Lanes
	list    elem.Memory
	scratch atom.Spares[byte] // rows whose keys are compared
}

func newRequests(of *elem.Type, opts []safety.Option) *requests {
	q := &requests{lanes: lanes.Lanes{Elem: of}}
	q.guard.Init(q, 0, opts...)
	return q
}

// ask returns request i, without its row.
func (q *requests) ask(i int) *ask { return (*ask)(q.lanes.Elem.At(q.list.P, i)) }

// behind returns the memory for n requests behind the last one.
//
//go:norace
func (q *requests) behind(n int) elem.Pointer {
	if n == 0 {
		return nil
	}
	return q.lanes.Elem.At(q.list.P, q.list.N)
}

// OpenPhase implements safety.Phased. It lends the memory behind the requests to the lanes.
//
//go:norace
func (q *requests) OpenPhase(p *safety.Phase) {
	n := q.list.Room - q.list.N
	q.lanes.Lend(q.behind(n), n, q.lanes.Elem.Size)
	q.lanes.Open(p)
}

// SealPhase implements safety.Phased.
//
//go:norace
func (q *requests) SealPhase(p *safety.Phase) { q.lanes.Seal(p, q.take) }

// take appends what a loop has staged, when the loop is sealed.
//
//go:norace
func (q *requests) take(staged lanes.Items) {
	n := staged.Len()
	q.list.Grow(q.lanes.Elem, n)
	staged.CopyTo(q.behind(n), n)
	q.list.N += n
}

// dispose ends the container.
func (q *requests) dispose() {
	q.guard.Dispose()
	q.list = elem.Memory{}
	q.lanes.Trim()
}
