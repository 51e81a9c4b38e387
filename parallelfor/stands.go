package parallelfor

import (
	"example.com/custody/internal/origin"
	"example.com/custody/safety"
)

// stands returns where the job's body begins, as file:line. For a body that is the library's or the
// compiler's, and for a kind of the program's own, it returns where the job was scheduled. It
// returns "" if there is no such place, because the job is run in a call: see placed.
func (w *work) stands() string {
	if at := origin.Of(w.code); at != "" {
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
