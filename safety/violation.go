package safety

import "strings"

// Violation is a broken rule of custody. It is what the library panics with when the program, not
// the data or the environment, is wrong. It implements error: errors.Is(v, ErrConflict) tells the
// kind, and the fields hold what the text is made of. A field that does not apply is empty, or 0.
type Violation struct {
	// Kind is one of the Err values of this package.
	Kind error
	// Container is the container's type and name, as in: array.Array[int32] "costs".
	Container string
	// Job and Field are the job that broke the rule and the path of the field it did so through.
	Job, Field string
	// OtherJob and OtherField are the job and field that it collided with.
	OtherJob, OtherField string
	// Index is the refused index; Min <= i < Max is what was allowed.
	Index, Min, Max int
	// N is the number of indices of a loop, or the length that was asked for.
	N int
	// Length is the length of the container.
	Length int
	// Made is where the container was made and Scheduled where the other job was scheduled, file:line.
	Made, Scheduled string
	// At is the line of the program, file:line, that broke the rule: the frame nearest to the
	// violation that is not the library's. For a rule whose breach is found after a body has ended,
	// it is where the body begins. For a body that is a method of the library, it is the call that
	// ran or scheduled the loop. For a panic of a view's accessor by index outside jobs it is
	// known only in deferred functions, while the goroutine panics; later the text says so.
	At string

	what string // what happened, one sentence without its full stop
	do   string // what to do, in full sentences
	late bool   // made when the panic of an accessor was over, so its line is not known
}

// NewViolation returns a violation of the given kind whose text says what happened (one sentence,
// without its full stop) and what to do about it (full sentences). It is for authors of containers
// and drivers, who fill in the fields that apply.
//
// NewViolation finds the line that broke the rule on the stack of the calling goroutine.
//
//go:noinline
func NewViolation(kind error, what, do string) *Violation {
	return newViolation(kind, what, do, here())
}

// newViolation is NewViolation for a rule that was broken at p.
func newViolation(kind error, what, do string, p spot) *Violation {
	return &Violation{Kind: kind, At: p.at, what: what, do: do}
}

// Error returns the text of the violation: what happened, what to do, where it happened and where
// the container was made.
func (v *Violation) Error() string {
	var b strings.Builder
	b.WriteString("custody: ")
	if v.Kind == nil { // nobody's: no function of this package has made it
		b.WriteString("a violation that was never made")
		return b.String()
	}
	b.WriteString(v.Kind.Error())
	b.WriteString(": ")
	b.WriteString(v.what)
	b.WriteString(".")
	if v.do != "" {
		b.WriteString("\n\t")
		b.WriteString(v.do)
	}
	if v.At != "" {
		b.WriteString("\n\tIt happened at ")
		b.WriteString(v.At)
		b.WriteString(".")
	} else if v.late {
		b.WriteString("\n\tTo learn the line, take the text in the deferred function that recovers the panic.")
	}
	if v.Container != "" && v.Made != "" {
		b.WriteString("\n\t")
		b.WriteString(v.Container)
		b.WriteString(" was made at ")
		b.WriteString(v.Made)
		b.WriteString(".")
	}
	return b.String()
}

// In notes, in the fields and in the text, that the rule was broken in a job, through the field of that path, and
// returns v. A violation that names a job already stays as it is.
func (v *Violation) In(job, field string) *Violation {
	if v.Job == "" && job != "" {
		v.Job, v.Field = job, field
		v.what = "in " + jobText(job, field) + ": " + v.what
	}
	return v
}

// Unwrap returns the kind.
func (v *Violation) Unwrap() error { return v.Kind }

// jobText names a job and the field it holds something through.
func jobText(job, field string) string {
	if field == "" {
		return "job " + job
	}
	return "job " + job + " (field " + field + ")"
}
