package table

import (
	"cmp"
	"slices"
	"strconv"

	"example.com/custody/array"
	"example.com/custody/safety"
)

// shared is a value that all rows of a table share, whatever its type is.
type shared struct {
	value   any // *array.Value
	guard   *safety.Guard
	dispose func()
}

// ValueOf gives a table a value that all its rows share: one, which loops over the rows read through a view, and which its owner changes between
// them. Tables of one kind may have different ones, so that one loop serves them all; see [FindValue]. It ends with its table, unless it was
// disposed before: then the next ValueOf forgets it. A job that holds it keeps the table from being disposed.
//
// Its only option is [Named]. A name that another value of the table has, which was not disposed, is a violation.
func ValueOf[T, R any](t *Table[R], v T, opts ...Naming) *array.Value[T] {
	need(t, "a value was to be made of")
	t.enter(callValueOf)
	defer t.leave()
	t.guard.CheckWrite()
	name := lastName(opts)
	t.values = slices.DeleteFunc(t.values, func(s shared) bool { return s.guard.Disposed() })
	if t.valueNamed(name) != nil {
		panic(t.guard.Violation(safety.ErrArgument, t.guard.Container()+" was to have a second value called "+strconv.Quote(name), "Give each value of a table a name of its own, or none."))
	}
	value := array.NewValue(v, safety.MadeAt(safety.Caller(1)), safety.Named(name))
	r := value.Reader()
	t.values = append(t.values, shared{value, safety.ClaimOf(&r).Guard, value.Dispose})
	return value
}

// lastName returns the last name that is one.
func lastName(opts []Naming) (name string) {
	for _, o := range opts {
		name = cmp.Or(o.name, name)
	}
	return name
}

func (t *core) valueNamed(name string) any {
	for i := range t.values {
		if s := &t.values[i]; name != "" && s.guard.Name() == name {
			return s.value
		}
	}
	return nil
}

// FindValue returns the value of that name which the table's rows share, if there is one of type T; or nil, also for no name.
func FindValue[T any](t Any, name string) *array.Value[T] {
	need(t, "a value was looked for in")
	v, _ := t.valueNamed(name).(*array.Value[T])
	return v
}
