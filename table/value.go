package table

import (
	"strconv"

	"example.com/custody/safety"
)

// Value is what all rows of a table share: one value, which loops over the rows read through a view, and which its owner changes between them.
// Tables of one kind may have different ones, so that one loop serves them all; see [FindValue]. It is made by [ValueOf], ends with its table,
// and must not be copied.
//
// Memory model: see package safety.
type Value[T any] struct {
	guard safety.Guard
	v     T
}

// ValueOf gives a table a value that all its rows share. Of the options [Named] counts; a name that another value of the table has is a violation.
func ValueOf[T, R any](t *Table[R], v T, opts ...ColumnOption) *Value[T] {
	need(t, "a value was to be made of")
	t.guard.CheckWrite()
	s := &Value[T]{v: v}
	var named []safety.Option
	for _, o := range opts {
		named = append(named, o.named)
	}
	s.guard.Init(s, 0, named...)
	if t.valueNamed(s.name()) != nil {
		panic(t.guard.Violation(safety.ErrArgument, t.guard.Container()+" was to have a second value called "+strconv.Quote(s.name()), "Give each value of a table a name of its own, or none."))
	}
	t.values = append(t.values, s)
	return s
}

// Get returns the value. It is a violation after the table was disposed.
func (s *Value[T]) Get() T {
	s.guard.CheckRead()
	return s.v
}

// Set changes the value. It is a violation while a job holds it, and after the table was disposed.
func (s *Value[T]) Set(v T) {
	s.guard.CheckWrite()
	s.v = v
}

// Reader returns a view that reads the value.
func (s *Value[T]) Reader() ValueReader[T] {
	if s == nil {
		return ValueReader[T]{}
	}
	return ValueReader[T]{access: s.guard.Access(safety.Read), of: s}
}

// value is a Value, whatever its type is.
type value interface {
	name() string
	check()
	dispose()
}

func (s *Value[T]) name() string { return s.guard.Name() }

func (s *Value[T]) check() { s.guard.CheckWrite() }

func (s *Value[T]) dispose() {
	s.guard.Dispose()
	var zero T
	s.v = zero
}

func (t *core) valueNamed(name string) any {
	for _, v := range t.values {
		if name != "" && v.name() == name {
			return v
		}
	}
	return nil
}

// FindValue returns the value of that name which the table's rows share, if there is one of type T; or nil, also for no name.
func FindValue[T any](t Any, name string) *Value[T] {
	need(t, "a value was looked for in")
	v, _ := t.valueNamed(name).(*Value[T])
	return v
}

// ValueReader is a view that reads what all rows of a table share; see [Value.Reader]. It works only inside the job that carries it.
type ValueReader[T any] struct {
	access safety.Access
	of     *Value[T]
	at     *T // nil while the view is not bound
}

// Get returns the value.
func (r *ValueReader[T]) Get() T {
	if safety.Strict {
		r.access.Check()
	}
	if r.at == nil {
		panic(r.access.Stale())
	}
	return *r.at
}

// Claim implements safety.View.
func (r *ValueReader[T]) Claim() safety.Claim { return r.access.Claim() }

// Bind implements safety.View.
func (r *ValueReader[T]) Bind(b safety.Binding) {
	r.access.Bind(b)
	r.at = &r.of.v
}
