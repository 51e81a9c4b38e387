package parallelfor

import (
	"reflect"
	"strconv"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// LengthOf makes the loop as long as view is when the job starts, after all that it runs [After]:
// for a list that an earlier job fills, so that no goroutine has to wait for that job to learn how
// long the next loop is. The number of indices given to the loop must be -1. Any view with a Len
// will do, such as a container's Reader. So will a struct that embeds a view and has its own Len.
//
// The job holds the view's container, to read it, whether or not a field of the job is a view of
// it; a field that is makes no second claim. The view must be one that can be bound before its
// container's phase is open: a Reader or a Writer can, a ParallelWriter cannot.
//
// The grid is cut when the job starts, by the same rule. Only then can the loop be found too long
// for its range-guarded views, or Len be negative: that is a failure of the job, which Complete
// reports ([safety.ErrLength]). A length of 0 is a loop without calls. A Len that waits for the
// job, or for a job that waits for it, is a violation ([safety.ErrWaitCycle]).
//
// LengthOf is a violation for a job that is executed once. It is also one for a loop whose result
// needs a place for each batch ahead (Reduce, Scan and their like). LengthOf allocates the view,
// and each schedule with it allocates a few times.
func LengthOf[V any, P interface {
	*V
	safety.View
	Len() int
}](view V) Option {
	return Option{what: optLengthOf, with: func() lengthView {
		v := view // a view is bound once, and options may be used again
		return P(&v)
	}}
}

// lengthView is a view that knows how many indices it has when the job starts.
type lengthView interface {
	safety.View
	Len() int
}

// measured is what a job knows of its LengthOf.
type measured struct {
	view  lengthView // nil if there is none
	claim int        // the number of its claim, once the job is admitted
}

// viewOf returns v, or the view that it embeds.
func viewOf(v lengthView) safety.View {
	atom.Hide() // package reflect has caches
	defer atom.Show()
	p := reflect.ValueOf(v)
	t := p.Type().Elem()
	if _, ok := ownHold(t); ok {
		return v
	}
	var m bindings
	m.find(fieldPlanOf(t), p.UnsafePointer(), "")
	if len(m.views) == 0 {
		panic(safety.NewViolation(safety.ErrField, "LengthOf was given a "+t.String()+", which embeds a pointer to a view", "Embed the view itself."))
	}
	return m.views[0].View
}

// lengthless returns the violation of a LengthOf where it means nothing, or nil.
func (j *exec) lengthless(n int, single bool) *safety.Violation {
	if single {
		return misuse(safety.ErrArgument, j.name, "has no indices, and was scheduled with LengthOf", "Leave the option away.", n)
	}
	if n != -1 {
		return misuse(safety.ErrArgument, j.name, "was scheduled with LengthOf and "+strconv.Itoa(n)+" indices", "Pass -1: the view says how many there are.", n)
	}
	return nil
}

// measure cuts the grid of a job with LengthOf, when the containers of all jobs that it runs after
// have been sealed. It reports whether the job may run; otherwise the job has failed.
func (j *exec) measure() (ok bool) {
	var v *safety.Violation
	defer func() {
		if ok {
			return
		}
		f := &failure{violation: v}
		if v == nil { // the view, which may be any package's, panicked
			f = j.caughtOutside("when its length was asked for", recover())
		}
		if f.violation != nil {
			f.violation.At = j.work.stands()
		}
		j.failOutside(f)
	}()
	if v = j.fits(j.lengthNow()); v != nil {
		j.grid = grid{} // what is sealed has no batches
	}
	return v == nil
}

// lengthNow returns the Len of the view. It binds the view to a scope that is open here alone,
// before the phases of the containers are.
func (j *exec) lengthNow() (n int) {
	l := safety.NewScope()
	defer l.Discard()
	l.Open(&j.ticket, 0, false)
	defer l.Close()
	view := j.length.view
	j.calling("the LengthOf view of", func() {
		held := viewOf(view)
		safety.FieldOf(held, "").Binder.Bind(safety.NewBinding(l, j.length.claim, held))
		n = view.Len()
	})
	return n
}

// fits cuts the loop into batches. It returns a violation if the loop cannot have that length.
func (j *exec) fits(n int) *safety.Violation {
	if n < 0 {
		return misuse(safety.ErrLength, j.name, "was scheduled with LengthOf, and its view says that there are "+strconv.Itoa(n)+" indices", "A view's Len is 0 or more.", n)
	}
	if v := j.cut(n); v != nil {
		return v
	}
	j.divide()
	return j.ticket.Fits(n)
}
