package table

import "example.com/custody/safety"

// Lookup returns a view with which the bodies of a job find rows by their names. Until a job that
// holds one is completed, no rows are added or removed.
func (t *Table[R]) Lookup() Lookup {
	if t == nil {
		return Lookup{}
	}
	return Lookup{access: t.guard.Access(safety.Read)}
}

// Lookup is a view that finds rows by their names; see [Table.Lookup]. It works only inside the job that carries it.
type Lookup struct {
	access safety.Access
	of     *core // nil while the view is not bound
}

// RowOf returns the number of the row of that name, or false if there is none: it was removed, is
// still staged, or is of another table.
func (l *Lookup) RowOf(id ID) (row int, ok bool) {
	if safety.Strict {
		l.access.Check()
	}
	if l.of == nil {
		panic(&l.access) // Stale would keep RowOf from being inlined
	}
	return l.of.find(id)
}

// Claim implements safety.View.
func (l *Lookup) Claim() safety.Claim { return l.access.Claim() }

// Bind implements safety.View.
func (l *Lookup) Bind(b safety.Binding) {
	l.access.Bind(b)
	l.of = b.State().(*run).of
}
