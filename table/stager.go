package table

import (
	"slices"

	"example.com/custody/lane"
	"example.com/custody/safety"
)

// Stage returns a view with which the bodies of a loop stage additions and removals in the order of the sequential loop, whatever the number of
// workers. They come after what is staged without a loop, and have no names before the next Apply.
func (t *Table[R]) Stage() Stager[R] {
	if t == nil || t.requests == nil {
		return Stager[R]{}
	}
	t.original()
	return Stager[R]{of: t, hold: t.requests.guard.Hold(safety.Append, (*stagerKind[R])(nil))}
}

// Stager is what a job carries whose bodies stage additions and removals; see [Table.Stage]. If a batch fails, what is staged is what the sequential
// loop has staged until then. Of two jobs that carry one, one runs after the other. It works only inside the job that carries it.
type Stager[R any] struct {
	of *Table[R] // its columns are not used, but how its keys are compared
	hold
	rows  *lane.Lane[R] // this and the rest are nil while the view is not bound
	turns taking        // behind rows
	pen   *pen[R]       // which has both
}

// Add stages a row. In all else it is as [Table.Add].
func (s *Stager[R]) Add(row R) {
	if s.of != nil && s.of.key != nil {
		s.of.compare(row)
	}
	s.rows.Append(&s.hold, row)
	s.turns.add()
}

// Remove stages the removal of a row, as [Table.Remove] does.
func (s *Stager[R]) Remove(id ID) { s.turns.remove(&s.hold, id) }

// stagerKind is the kind of Stagers.
type stagerKind[R any] Stager[R]

// Of implements safety.ViewKind.
func (*stagerKind[R]) Of(view any) safety.Binder { return (*stagerKind[R])(view.(*Stager[R])) }

// Claim completes the claim.
func (s *stagerKind[R]) Claim(c *safety.Claim) {
	c.Into = s.pen
}

// Bind implements safety.Binder.
func (s *stagerKind[R]) Bind(b safety.Binding) {
	s.hold.Bind(b)
	s.pen = b.State().(*staging[R]).pen(b.Worker())
	s.rows, s.turns = s.pen.rows, s.pen.turns
}

// BeginSpan implements safety.SpanView.
func (s *stagerKind[R]) BeginSpan(batch int) {
	s.rows.BeginSpan(batch)
	s.turns.beginSpan(batch)
}

// follow stages what loops have staged, for who has the lock: nobody comes between, or behind it into the same Apply.
func (s *stage[R]) follow(rows []R, turns []ID) {
	for i := 0; i < len(turns); i++ {
		if n := additions(turns[i]); n > 0 {
			s.putAll(rows[:n])
			rows = rows[n:]
			continue
		}
		begin := i
		for i+1 < len(turns) && additions(turns[i+1]) == 0 {
			i++
		}
		s.batch.remove(s.keyed, turns[begin:i+1]...)
	}
}

// putAll stages rows, for who has the lock.
func (s *stage[R]) putAll(rows []R) {
	s.batch.rows = append(s.batch.rows, rows...)
	s.batch.names = slices.Grow(s.batch.names, len(rows))
	for range rows {
		s.batch.names = append(s.batch.names, s.name())
	}
}
