package table

import (
	"reflect"

	"example.com/custody/internal/elem"
	"example.com/custody/safety"
)

// unmade returns the violation of using something that no function of this package has returned.
func unmade(what, do string) *safety.Violation {
	return safety.NewViolation(safety.ErrUnassigned, what+" that was never made", do)
}

// unmadeType returns the violation of using what p points to, which maker has not made.
func unmadeType(p any, maker string) *safety.Violation {
	return unmade("a "+reflect.TypeOf(p).Elem().String()+" was used", "Make it with "+maker+".")
}

// need returns the core of a table. It panics with a violation if t is nil, or New has not returned
// it; what says in the text what the table was needed for.
func need(t Any, what string) *core {
	if t == nil {
		return (*core)(nil).need(what)
	}
	return t.common().need(what)
}

func (t *core) need(what string) *core {
	if t == nil || t.ids == nil {
		panic(unmade(what+" a table", "Make it with New."))
	}
	return t
}

func (t *Table[R]) common() *core { return (*core)(elem.Pointer(t)) }

// original panics with a violation if t is a copy. Methods that use the guard need not call it,
// because the guard finds copies itself.
func (t *core) original() {
	if safety.Enabled && t != t.self {
		t.guard.CheckExists()
	}
}

// copied panics with a violation if p, which has noted its address self, is a copy.
func copied[T any](p, self *T, g *safety.Guard, what, maker string) {
	if safety.Enabled && p != self {
		panic(g.Violation(safety.ErrCopied, what+g.Container()+" was used through a copy of its struct", "Keep and pass on the pointer that "+maker+" returned."))
	}
}

// made returns the table of the Key.
func (k *Key[K]) made() *core {
	if k == nil || k.of == nil {
		panic(unmadeType(k, "KeyOf"))
	}
	copied(k, k.self, &k.of.guard, "a Key of ", "KeyOf")
	return k.of
}
