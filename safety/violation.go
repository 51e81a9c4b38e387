package safety

// Violation is a broken rule of custody. The library panics with one when the program, not the data
// or the environment, is wrong. A Violation is an error: errors.Is(v, ErrConflict) tests its kind,
// and the fields have the parts of the text. A field that does not apply is empty, or 0.
//
// Guarantees (consistency, progress, cost, allocations; docs/consistency.md):
//
//	Error, LogValue  constant    wait-free  O(1)  the text
//	Unwrap           constant    wait-free  O(1)  never
//	In               own worker  wait-free  O(1)  the text
type Violation struct {
	// Kind is one of the Err values of this package.
	Kind error
	// Container is the container's type and name, as in: array.Array[int32] "costs".
	Container string
	// Job and Field are the job that broke the rule and the path of the field through which it did.
	Job, Field string
	// OtherJob and OtherField are the job and field that it collided with.
	OtherJob, OtherField string
	// Index is the refused index; Min <= i < Max is what was allowed.
	Index, Min, Max int
	// N is the number of indices of a loop, or the length that was asked for.
	N int
	// Length is the length of the container.
	Length int
	// Made is where the container was made and Scheduled where the other job was scheduled,
	// file:line.
	Made, Scheduled string
	// At is the line of the program, file:line, that broke the rule: the frame nearest to the
	// violation that is not the library's. For a breach that is found after a body has ended, it is
	// where the body begins. For a body that is a method of the library, it is the call that ran or
	// scheduled the loop. For a panic of a view's accessor by index outside jobs it is known only
	// in deferred functions, while the goroutine panics; later the text says so.
	At string

	what string // what happened, one sentence without its full stop
	do   string // what to do, in full sentences
	late bool   // made when the panic of an accessor was over, so its line is not known
}

// NewViolation returns a violation of the given kind. Its text has what happened (one sentence,
// without its full stop) and what to do about it (full sentences). It is for containers and
// drivers, which set the fields that apply. The line that broke the rule is found on the stack of
// the calling goroutine.
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
	if v.Kind == nil { // a zero Violation
		return "custody: a violation that was never made"
	}
	text := "custody: " + v.Kind.Error() + ": " + v.what + "."
	if v.do != "" {
		text += "\n\t" + v.do
	}
	if v.At != "" {
		text += "\n\tIt happened at " + v.At + "."
	} else if v.late {
		text += "\n\tTo learn the line, take the text in the deferred function that recovers the panic."
	}
	if v.Container != "" && v.Made != "" {
		text += "\n\t" + v.Container + " was made at " + v.Made + "."
	}
	return text
}

// In notes, in the fields and in the text, that the rule was broken in a job, through the field of
// that path, and returns v. A violation that names a job already is unchanged.
func (v *Violation) In(job, field string) *Violation {
	if v.Job == "" && job != "" {
		v.Job, v.Field = job, field
		v.what = "in " + jobText(job, field) + ": " + v.what
	}
	return v
}

// Unwrap returns the kind.
func (v *Violation) Unwrap() error { return v.Kind }

// against notes in v the other job and its field, and returns v.
func (v *Violation) against(o *holding) *Violation {
	v.OtherJob, v.OtherField, v.Scheduled = o.job, o.field, o.site.String()
	return v
}

// jobText names a job and the field it holds something through.
func jobText(job, field string) string {
	if field == "" {
		return "job " + job
	}
	return "job " + job + " (field " + field + ")"
}
