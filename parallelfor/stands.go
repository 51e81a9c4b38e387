package parallelfor

import (
	"reflect"

	"example.com/custody/internal/origin"
	"example.com/custody/safety"
)

// stands returns where the job's body begins, as file:line: the line of the function, or of the
// method of the job's type. If the body is the library's, or the kind is a program's own and the job
// has no such method, it returns where the job was scheduled, and "" for a job that is run: see
// placed.
//
// It is for violations that have no line in the body, and looks the place up each time. In builds
// with the race detector the caches of package reflect order the workers that call it, because the
// detector sees the memory of their entries.
func (w *work) stands() string {
	if at := origin.Of(w.code); at != "" {
		return at
	}
	if at := methodStands(w.plan.typ); at != "" {
		return at
	}
	if site := w.ticket.Site(); site != 0 {
		return site.String()
	}
	return ""
}

// placed gives a violation that has no line the line of the program that called the library, and
// returns f. Only the goroutine that runs the job calls it.
func (f *failure) placed() *failure {
	if f.violation != nil && f.violation.At == "" {
		f.violation.At = safety.NewViolation(f.violation.Kind, "", "").At
	}
	return f
}

// methodStands returns where the method begins that executes jobs of type t, or "". A method that t
// has from a struct in it begins in that struct's type.
func methodStands(t reflect.Type) string {
	for _, r := range [...]reflect.Type{reflect.PointerTo(t), t} {
		// The linker drops methods that are not called, because these names are constants.
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
