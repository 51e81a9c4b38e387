package table

import (
	"strconv"

	"example.com/custody/internal/elem"
	"example.com/custody/safety"
)

// fieldOf returns the field that of finds. It panics with a violation if of does not return a
// pointer into a zero row. what names the thing that is made of the field, in the text.
func fieldOf(t *core, what string, of elem.Source) elem.Field {
	t.within(ofField)
	f, wrong := of.Find(t.stage.elem)
	t.within(noCallback)
	if wrong != "" {
		panic(t.guard.Violation(safety.ErrArgument, what+" of "+t.guard.Container()+" was to be made of a function that "+wrong,
			"Pass a function that returns a pointer into the row that it gets, also into a zero one."))
	}
	return f
}

// apart panics with a violation if a column has bytes of the field. what and do are of its text.
func (t *core) apart(field elem.Field, what, do string) {
	for _, c := range t.columns {
		if c.field.Overlaps(field) {
			panic(t.guard.Violation(safety.ErrArgument, what+" a field that "+c.guard.Container()+" has, or has a part of", do))
		}
	}
}

// columnText names a column that is to be made.
func (t *core) columnText(name string) string {
	if name != "" {
		name = strconv.Quote(name) + " "
	}
	return "a column " + name + "of " + t.guard.Container()
}
