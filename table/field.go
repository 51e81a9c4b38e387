package table

import (
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
