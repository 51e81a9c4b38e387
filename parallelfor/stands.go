package parallelfor

import (
	"reflect"

	"example.com/custody/internal/origin"
)

// stands returns where the job's body begins, as file:line: the function's line, or that of the method of its type. It
// returns nothing if the kind is a program's own and the job has no such method. It is for violations that have no line in
// the body, and looks for the place each time. In builds with the race detector the caches of package reflect order the
// workers that call it: the detector sees the memory of their entries.
func (w *work) stands() string {
	if at := origin.Of(w.code); at != "" {
		return at
	}
	return methodStands(w.plan.typ)
}

// methodStands returns where the method begins that executes jobs of type t. One that t has from a struct in it stands there.
func methodStands(t reflect.Type) string {
	for _, r := range [...]reflect.Type{reflect.PointerTo(t), t} {
		// Constant names let the linker drop all other methods that nobody calls.
		if m, ok := r.MethodByName("Execute"); ok {
			if at := origin.Of(m.Func.Pointer()); at != "" {
				return at
			}
		}
		if m, ok := r.MethodByName("ExecuteBatch"); ok {
			if at := origin.Of(m.Func.Pointer()); at != "" {
				return at
			}
		}
		if m, ok := r.MethodByName("ExecuteReduce"); ok {
			if at := origin.Of(m.Func.Pointer()); at != "" {
				return at
			}
		}
	}
	if t.Kind() == reflect.Struct {
		for f := range t.Fields() {
			if f.Anonymous || f.Tag.Get("custody") == "inline" {
				if at := methodStands(f.Type); at != "" {
					return at
				}
			}
		}
	}
	return ""
}
