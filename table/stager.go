package table

import (
	"example.com/custody/lane"
	"example.com/custody/safety"
)

// Stage returns a [Stager], the view with which the bodies of a loop stage additions and removals.
// Stage itself stages nothing: a job carries the Stager in a field, its bodies call the Stager's
// Add and Remove, and the next [Table.Apply] does what they have staged.
func (t *Table[R]) Stage() Stager[R] {
	if t == nil || t.requests == nil {
		return Stager[R]{}
	}
	t.original()
	return Stager[R]{of: t, hold: t.requests.guard.Hold(safety.Append, (*stagerKind[R])(nil))}
}

// Stager is a view with which the bodies of a job stage additions and removals in the order of the
// sequential loop, whatever the number of workers is. [Table.Stage] returns one, a field of the job
// carries it, and it works only inside that job. Without a job, or where the order does not matter,
// [Table.Add] and [Table.Remove] do.
//
// What a Stager stages comes after all that is staged without one. Its rows have no names before
// the Apply that adds them. If a batch fails, what is staged is what the sequential loop has staged
// until then. Of two jobs that carry a Stager of one table, one runs after the other.
type Stager[R any] struct {
	of *Table[R] // only to compare keys
	hold
	rows       *lane.Lane[R] // this and the rest are nil while the view is not bound
	operations operationLane
	writer     *stageWriter[R] // of both
}

// Add stages a row. In all else it is as [Table.Add].
func (s *Stager[R]) Add(row R) {
	if s.of != nil && s.of.key != nil {
		s.of.compare(row)
	}
	s.rows.Append(&s.hold, row)
	s.operations.add()
}

// Remove stages the removal of a row, as [Table.Remove] does.
func (s *Stager[R]) Remove(id ID) { s.operations.remove(&s.hold, id) }

// stagerKind is the kind of Stagers.
type stagerKind[R any] Stager[R]

// Of implements safety.ViewKind.
func (*stagerKind[R]) Of(view any) safety.Binder { return (*stagerKind[R])(view.(*Stager[R])) }

// Claim completes the claim.
func (s *stagerKind[R]) Claim(c *safety.Claim) { c.Into = s.writer }

// Bind implements safety.Binder.
func (s *stagerKind[R]) Bind(b safety.Binding) {
	s.hold.Bind(b)
	s.writer = b.State().(*staging[R]).writer(b.Worker())
	s.rows, s.operations = s.writer.rows, s.writer.operations
}

// BeginSpan implements safety.SpanView.
func (s *stagerKind[R]) BeginSpan(batch int) {
	s.rows.BeginSpan(batch)
	s.operations.beginSpan(batch)
}
