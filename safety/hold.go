package safety

import (
	"math"
	"strconv"

	"example.com/custody/internal/atom"
)

// Hold is the part of a view that belongs to safety: which container, in which mode, and under
// which scope. A type is a view if it embeds a Hold, made by [Guard.Hold]. It is copied with the
// view. A package that embeds it by an alias of its own keeps its methods out of the view's
// documentation:
//
//	type hold = safety.Hold
//
//	type Writer struct {
//		hold
//		window []int
//	}
//
// An index accessor tests its window, whose bounds are the write range, and nothing else:
//
//	if s, k := v.window, uint(i-v.min); k < uint(len(s)) {
//		return s[k]
//	}
//	panic(v.hold.Out(i))
//
// So the accessor is small enough to be inlined. The window is in a variable, so the compiler adds
// no test of its own. The accessor panics with a [Refused], whose text is made when asked for. The
// driver turns it into the *[Violation], and so does errors.As.
//
// Guarantees for authors (consistency, progress, cost, allocations; docs/consistency.md):
//
//	Bind                      driver      wait-free                     O(1)     never
//	WithKind                  constant    wait-free                     O(1)     never
//	Bound, Batch, Out, Stale  own worker  wait-free                     O(1)     never
//	Beside                    own worker  wait-free                     O(1)     never
//	Live, Check, CheckLane    own worker  wait-free, lock if passed on  O(1)     never
//	Borrow                    own worker  wait-free, lock if passed on  O(skip)  never
//	Blame                     own worker  wait-free                     O(1)     the text
type Hold struct {
	guard *Guard
	scope *Scope
	view  View
	kind  ViewKind
	epoch uintptr // of the scope, in the batch that the view is bound for
	index int     // the refused index, if out
	claim int32
	mode  Mode
	out   bool // what was refused is an index; otherwise it is any use of the view
	fresh bool // an index was refused after frozen was set, so frozen is not its violation

	frozen *Violation // what Refused.Violation has returned, or Stale has kept
}

// access makes a type that embeds the Hold a [View].
func (h *Hold) access() *Hold { return h }

// stretch is the elements begin <= i < end of a container.
type stretch struct{ begin, end int }

func (a stretch) overlaps(b stretch) bool { return a.begin < b.end && b.begin < a.end }

// part returns the elements that the view has, which a body may have split.
func (h *Hold) part() stretch {
	if k, ok := h.kind.(interface{ Held(*Hold) Binder }); ok {
		if p, ok := k.Held(h).(interface{ Part() (begin, end int) }); ok {
			begin, end := p.Part()
			return stretch{begin, end}
		}
	}
	return stretch{0, math.MaxInt}
}

// WithKind returns the same hold for a view of another type: for an unbound view, or for one that a
// body makes of a view of its job.
//
//go:noinline
func (h *Hold) WithKind(kind ViewKind) Hold {
	b := *h
	b.kind = kind
	return b
}

// Bound reports whether the view is bound to a job, so that it passes on its window only.
func (h *Hold) Bound() bool { return h.scope != nil }

// Beside reports whether both views were bound for one worker of a job.
func (h *Hold) Beside(o *Hold) bool { return h.scope == o.scope }

// Batch returns the number of the batch that the view is bound for, for views that tell batches
// apart in strict builds. Other builds do not keep it.
func (h *Hold) Batch() int { return int(h.scope.batch.Load()) }

// Bind binds the view to the job and batch of the binding. It implements [Binder].
//
//go:norace
//go:noinline
func (h *Hold) Bind(b Binding) {
	h.scope = b.scope
	h.view = b.view
	h.claim = int32(b.claim)
	h.epoch = b.scope.epoch.Load()
}

// Live reports whether the view may be used now: it is bound, in the batch it was bound for, and
// not passed on to a nested job that excludes the use.
//
//go:norace
func (h *Hold) Live() bool {
	return h.scope != nil && h.epoch == h.scope.epoch.Load() && (h.scope.passes.Load() == 0 || !h.scope.passedOn(h))
}

// Check panics unless the view may be used now: in the job and batch it was bound for, and while no
// nested job that it was passed on to excludes the use. A method that hands out a window calls it
// always, an index accessor in strict builds only.
//
//go:norace
func (h *Hold) Check() {
	if Enabled && !h.Live() {
		panic((*Refused)(h).violation(here(own(h)...)))
	}
}

// CheckLane is Check for a view that writes memory of its worker, which the goroutine of one batch
// uses at a time. The race detector sees no order between the batches of one worker, so functions
// that touch such memory are marked go:norace. CheckLane makes the detector report two goroutines
// of one batch. A container whose batches add up needs neither: see lane.Lane.Partial.
func (h *Hold) CheckLane() {
	if atom.Race {
		laneMark(h).Write()
	} else {
		h.Check()
	}
}

// laneMark checks the view and returns what CheckLane declares to the race detector.
//
//go:norace
func laneMark(h *Hold) *atom.Mark {
	l := h.scope
	if l == nil || h.epoch != l.epoch.Load() || l.passes.Load() != 0 {
		h.Check()
	}
	return l.lanes
}

// Out notes that index i was refused and returns what to panic with.
func (h *Hold) Out(i int) *Refused {
	h.index, h.out, h.fresh = i, true, true
	return (*Refused)(h)
}

// Stale returns what to panic with if the view has no data, because it is not bound. Outside the
// view's job and batch it returns a copy of the hold that keeps the violation, and so the line.
func (h *Hold) Stale() *Refused {
	h.out = false
	if h.frozen != nil && !h.fresh || h.Live() {
		return (*Refused)(h)
	}
	late := *h
	late.frozen, late.fresh = (*Refused)(h).violation(here(own(h)...)), false
	return (*Refused)(&late)
}

// Refused is what a view panics with: an error that stands for a [Violation] whose text is made
// when it is asked for.
// Each method, for authors: own worker; lock; O(1); allocates the text.
type Refused Hold

// Violation returns the violation and keeps it: from now on r stands for this one, also after its
// job. It is for drivers, which call it in the batch; other functions use errors.As.
func (r *Refused) Violation() *Violation {
	r.frozen, r.fresh = r.now(), false
	return r.frozen
}

// Error returns the text of the violation.
func (r *Refused) Error() string { return r.now().Error() }

// Unwrap returns the violation. Its At is known only in a deferred function, while the goroutine
// panics with the Refused.
func (r *Refused) Unwrap() error { return r.now() }

// now returns the violation that r stands for now.
func (r *Refused) now() *Violation {
	return r.violation(thrownFrom(own((*Hold)(r))...))
}

// own returns the view and its container. The line that broke the rule is not in a method of these.
func own(h *Hold) []any {
	if h.guard == nil {
		return []any{h.view}
	}
	return []any{h.view, h.guard.owner}
}

// Blame notes in v the job and field that hold the view, as [Violation.In] does, and returns v. It
// is for violations that a view makes itself.
//
//go:noinline
func (h *Hold) Blame(v *Violation) *Violation {
	if h.scope != nil && h.epoch == h.scope.epoch.Load() {
		v.In(h.scope.ticket.job, h.scope.ticket.claims[h.claim].Field)
	}
	return v
}

// violation returns the violation of using the view at p, or the frozen one.
func (r *Refused) violation(p spot) *Violation {
	if r.frozen != nil && !r.fresh {
		return r.frozen
	}
	v := r.used(p)
	v.late = p.at == ""
	return v
}

// used returns the violation of using the view at p.
func (r *Refused) used(p spot) *Violation {
	g := r.guard
	if g == nil {
		used := "a view was used"
		if p.callee != "" {
			used = p.callee + " was called on a view"
		}
		return newViolation(ErrStaleView, used+" that was never assigned, or after the job it was bound for had ended",
			"Take views from a container, schedule them as fields of a job, and use them only in that job's body.", p)
	}
	l := r.scope
	if l == nil && CurrentScope() != nil {
		return g.violationAt(p, ErrStaleView, "a view that "+r.mode.verb()+" "+g.Container()+" was used that the job does not carry",
			"A body uses the views that its argument points to. A view that it has captured is not the worker's copy.")
	}
	if l == nil {
		return g.violationAt(p, ErrStaleView, "a view that "+r.mode.verb()+" "+g.Container()+" was used outside a job",
			"A view works only inside the job it was scheduled with. Outside jobs use the container's own methods.")
	}
	if r.epoch != l.epoch.Load() {
		return g.violationAt(p, ErrStaleView, "a view that "+r.mode.verb()+" "+g.Container()+" was used after the batch it was bound for had ended",
			"Do not keep views, and do not hand them to goroutines that outlive the call of the body.")
	}
	job, field := l.ticket.job, l.ticket.claims[r.claim].Field
	var v *Violation
	o := l.borrower((*Hold)(r))
	switch {
	case o.ticket != nil:
		v = r.passedTo(p, &o, jobText(job, field))
	case !r.out:
		v = g.violationAt(p, ErrStaleView, jobText(job, field)+" used a view of "+g.Container()+" that has no data",
			"Take the view from its container again. The Bind of a view of your own takes the data, or the lane.")
	default:
		v = r.outside(p, job, field)
	}
	v.Job, v.Field = job, field
	return v
}

// passedTo describes a use of the view while a nested job holds what was passed on.
func (r *Refused) passedTo(p spot, o *holding, user string) *Violation {
	do := "Call Complete on the nested job's handle first."
	if l := CurrentScope(); l != nil && l.ticket == o.ticket {
		do = "Inside the nested job use the view of it that the nested job carries."
	}
	return r.guard.violationAt(p, ErrInFlight, user+" used its view of "+r.guard.Container()+" while nested "+
		jobText(o.job, o.field)+o.site.scheduled(",")+" "+o.mode.verb()+" it and was not completed", do).against(o)
}

// windowed is a binder that knows the range of its view and the length of the container.
type windowed interface {
	Window() (begin, end, length int)
}

// outside returns the violation of the refused index, of Length 0 if the binder is not windowed.
func (r *Refused) outside(p spot, job, field string) *Violation {
	g := r.guard
	lo, hi, n, has := 0, 0, 0, "is outside its view"
	bound := FieldOf(r.view, "").Binder
	binder := bound
	if k, ok := r.kind.(interface{ Held(*Hold) Binder }); ok {
		binder = k.Held((*Hold)(r)) // a view that the body made of the bound one has its own window
	}
	if w, ok := binder.(windowed); ok {
		lo, hi, n = w.Window()
		has = "has length " + strconv.Itoa(n)
	}
	i := strconv.Itoa(r.index)
	var v *Violation
	if r.index < 0 || r.index >= n {
		do := "Indices begin at 0 and end at length-1."
		if w, ok := binder.(interface{ NoIndex() string }); ok {
			do = w.NoIndex()
		}
		v = g.violationAt(p, ErrIndex, jobText(job, field)+" used index "+i+" of "+g.Container()+", which "+has, do)
	} else {
		do := "A parallel loop may touch only the elements of its own indices through a Writer." +
			" To read neighbours take a Reader() of another array (double buffering);" +
			" to write anywhere, and answer for collisions yourself, take array.Unrestricted."
		if w, ok := binder.(interface{ Elsewhere() string }); ok {
			do = w.Elsewhere()
		}
		in := " in a batch that owns "
		if w, ok := bound.(windowed); ok {
			if begin, end, _ := w.Window(); begin > r.index || r.index >= end {
				lo, hi = begin, end
			} else if begin != lo || end != hi {
				in, do = " through a view that SplitAt cut to ", "Each of the two views has the elements on its side of the split: use the other one."
			}
		}
		v = g.violationAt(p, ErrWriteRange, jobText(job, field)+" used index "+i+" of "+g.Container()+in+strconv.Itoa(lo)+" <= index < "+strconv.Itoa(hi), do)
	}
	v.Index, v.Min, v.Max, v.Length = r.index, lo, hi, n
	return v
}
