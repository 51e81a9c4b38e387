package table

import "example.com/custody/safety"

// Lookup returns a view with which the bodies of a job find rows by their names. Until a job that
// holds one is completed, no rows are added or removed.
func (t *Table[R]) Lookup() Lookup {
	if t == nil {
		return Lookup{}
	}
	return Lookup{hold: t.guard.Hold(safety.Read, (*lookupKind)(nil))}
}

// Lookup is a view that finds rows by their names; see [Table.Lookup]. It works only inside the job
// that carries it.
type Lookup struct {
	hold
	of *core // nil while the view is not bound
}

// RowOf returns the number of the row of that name, or false if there is none: it was removed, is
// still staged, or is of another table.
func (l *Lookup) RowOf(id ID) (row int, ok bool) {
	if safety.Strict {
		l.hold.Check()
	}
	if l.of == nil {
		panic((*safety.Refused)(&l.hold)) // Stale would keep RowOf from being inlined
	}
	return l.of.find(id)
}

// lookupKind is the kind of Lookups.
type lookupKind Lookup

// Of implements safety.ViewKind.
func (*lookupKind) Of(view any) safety.Binder { return (*lookupKind)(view.(*Lookup)) }

// Bind implements safety.Binder.
func (l *lookupKind) Bind(b safety.Binding) {
	l.hold.Bind(b)
	l.of = b.State().(*run).of
}
