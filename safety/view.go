package safety

import "unsafe"

// View is what a job carries for each container that it uses: a small copyable value that embeds a
// [Hold], or a struct that does, tagged custody:"part"; without the tag the embedded struct is the
// view. It declares what the job may do. A view may contain further views, which are claims of
// their own. A view with a method Len() int can be given to parallelfor.LengthOf.
//
// Containers make views. Drivers copy them for each worker, bind the copies and, before each batch,
// call the methods of their [Binder].
type View interface{ access() *Hold }

// Binder has the methods of a view that a driver calls. A Hold is one, so a view has the Hold's
// method Bind, unless it declares its own, which calls the Hold's and takes windows of the data. A
// binder is a [RangeView] or a [SpanView] if it has their methods. It may also have
//
//	Claim(c *safety.Claim)
//	BeginBatch(batch int)
//
// Claim completes the claim when a job is scheduled: Guard and Mode are set. BeginBatch is called
// before each batch.
type Binder interface {
	// Bind makes the view, a copy that the driver made for one worker, usable inside the job. It is
	// called once for each copy, after all jobs that this one runs after have been sealed.
	Bind(Binding)
}

// ViewKind keeps the methods of a binder out of the page of its view. Most often it is a nil
// pointer to a type of the container's package with the view's fields:
//
//	type writerKind Writer
//
//	func (*writerKind) Of(view any, _ *safety.Hold) safety.Binder {
//		return (*writerKind)(view.(*Writer))
//	}
//
//	func (w *writerKind) Bind(b safety.Binding) {
//		w.hold.Bind(b)
//		w.window = b.State().([]int)
//	}
type ViewKind interface {
	// Of returns the binder of a view, which is a pointer. hold is the view's Hold.
	Of(view any, hold *Hold) Binder
}

// Field is a view in a field of a job, with what a driver finds out about it once and uses for all
// jobs that have their views there.
// Each method, for authors: driver; wait-free; O(1); allocates never.
type Field struct {
	View   View
	Binder Binder
	// Path is the path of the field, which texts name.
	Path string

	hold    *Hold
	kind    ViewKind // that the Binder is of; nil if the Binder may depend on more
	claimer claimer  // the Binder, or nil
	ranges  bool     // the Binder is a RangeView
}

// claimer is a Binder that completes its claim.
type claimer interface{ Claim(c *Claim) }

// binderOf returns the binder of a view. The binder of a Hold is the Hold.
func binderOf(v View, h *Hold) Binder {
	if h.kind != nil && v != View(h) {
		return h.kind.Of(v, h)
	}
	if b, ok := v.(Binder); ok {
		return b
	}
	return h // the view was never assigned, and hides the methods of its Hold
}

// FieldOf returns the Field of a view.
func FieldOf(v View, path string) *Field {
	h := v.access()
	f := &Field{View: v, Binder: binderOf(v, h), Path: path, hold: h}
	if _, ok := h.kind.(interface{ Held(*Hold) Binder }); ok {
		f.kind = h.kind // a quiet.Kind, which has no size and keeps nothing alive
	}
	f.claimer, _ = f.Binder.(claimer)
	_, f.ranges = f.Binder.(RangeView)
	return f
}

// Stale reports whether the view in the field has another binder now, so FieldOf must look again.
func (f *Field) Stale() bool {
	type words = [2]uintptr
	return (f.kind == nil || *(*words)(unsafe.Pointer(&f.kind)) != *(*words)(unsafe.Pointer(&f.hold.kind))) &&
		binderOf(f.View, f.hold) != f.Binder
}

// RangeView is a binder that the range of the current batch restricts.
type RangeView interface {
	Binder
	// SetRange restricts the view to what the loop's indices [begin, end) own. The driver calls it
	// before each batch.
	SetRange(begin, end int)
	// Window returns the elements that the view may touch now, begin <= i < end, and the
	// container's length, for texts. A method Elsewhere() string of the view replaces their advice
	// on elements outside the range, and NoIndex() string that on indices that there are not.
	Window() (begin, end, length int)
}

// SpanView is a binder that keeps what a worker adds in spans. A span is a maximal sequence of
// batches begin, begin+1, ... that one worker executes one after the other. Ordered by their first
// batches the spans of all workers are in the order of the sequential loop. If batch c is the first
// that fails, the spans that begin at c or below are exactly what the sequential loop adds, because
// the failure ended the span in which it happened.
type SpanView interface {
	Binder
	// BeginSpan is called before the first batch of each span.
	BeginSpan(batch int)
}

// Claim is what a view wants of a container.
type Claim struct {
	// Guard is the container's. It is nil if the view was never assigned.
	Guard *Guard
	Mode  Mode
	// Extent is how many loop indices a range-guarded view can serve; a longer loop is refused.
	Extent int
	// Ranged declares that the range of the current batch restricts the view. Its binder is a
	// [RangeView]: the schedule of another one is a violation.
	Ranged bool
	// Unrestricted declares that the view writes without a range although the loop may be parallel.
	Unrestricted bool
	// Own declares that index i has element i and no other, so that a batch's range is also that of
	// its elements. Without it the driver does not know which elements of the container a batch of
	// a Ranged view has.
	Own   bool
	loose bool // Ranged, and the view is no RangeView
	// Into is where a nested job's additions go, for a view that is bound to another job: the
	// worker's lane there. Only the container reads it. A view of a container that is not Phased
	// puts here what all its copies in this job share: it is their Binding's State.
	Into any
	// Field is the path of the job's field that holds the view. The driver sets it.
	Field string

	from  *Scope // the scope that the view is bound to; nil if it is unbound
	epoch uintptr
	part  stretch // of the container, if the view is bound
}

// Binding is the argument of a view's Bind.
// Each method, for authors: constant; wait-free; O(claims); allocates never.
type Binding struct {
	scope *Scope
	claim int
	state any
	view  View
}

// NewBinding returns the binding of view for the scope l. claim is the number of its claim in the
// job.
//
//go:norace
func NewBinding(l *Scope, claim int, view View) Binding {
	return Binding{scope: l, claim: claim, state: l.ticket.state(claim), view: view}
}

// Worker returns the worker's index, unique among those that run the job at the same time.
//
// The race detector sees no order between the batches of one worker, so it reports plain memory
// that batches index by it. Batches add up in a lane.Lane.Partial; other memory of a worker needs
// [Hold.CheckLane].
func (b Binding) Worker() int { return b.scope.worker }

// First reports whether the view's Bind must show the race detector the accesses that it declares
// once for the whole job. First is true in a worker's first copy of a job. With -race it is true in
// one copy, which executes no batch, so that every batch may race with what it shows.
func (b Binding) First() bool { return b.scope.first }

// Claims returns the job's first claim of the container with the guard g, and whether there is one.
// It is for views that look after other containers.
func (b Binding) Claims(g *Guard) (c Claim, ok bool) {
	for i := range b.scope.ticket.claims {
		if c := &b.scope.ticket.claims[i]; c.Guard == g {
			return *c, true
		}
	}
	return Claim{}, false
}

// State returns what the container left in Phase.State when the phase opened. For a container that
// is not Phased it is the claim's Into.
func (b Binding) State() any { return b.state }

// Phase is what a container is told of the time in which one job uses it.
type Phase struct {
	Mode Mode
	// Workers is how many workers may run the job: their indices are below it.
	Workers int
	// N is the number of indices, Batches the number of batches they are cut into, BatchSize the
	// length of each except the last.
	N, Batches, BatchSize int
	// Lent reports that a body has passed on the view: this phase is within that of the body's job.
	Lent bool
	// Into is the Claim's Into: where a nested job's additions go.
	Into any
	// State is the container's own: OpenPhase sets it, and the views get it when they are bound.
	State any
	// Kept is set when the phase is sealed: the additions of batches below it count. The last of
	// these may have failed before its end. Kept is Batches if no batch failed, and 0 if the job
	// was cancelled or never ran.
	Kept int
	// Parallel runs f(0) to f(n-1), in parallel where that pays, and returns when all are done.
	Parallel func(n int, f func(i int))

	ticket *Ticket // of the job; nil without a driver
}

// Phased is a container that hears when a job begins and ends to use it. No lock of the ledger is
// held during the calls. One that panics fails the job; none may end its goroutine. A method may
// run and complete jobs on containers of its own. It must not wait for the job that begins or ends,
// nor for a job that runs after it: that is a violation (ErrWaitCycle). The wait is recognised on
// the goroutine that calls the method, not on goroutines that the method starts.
type Phased interface {
	// OpenPhase is called when the job starts: after all that it runs after were sealed, before its
	// first batch. The Phase must not be kept; State may be. No SealPhase follows if it panics.
	OpenPhase(*Phase)
	// SealPhase is called after the job's last batch and before any job that runs after it starts.
	SealPhase(*Phase)
}

// Returner is a container that hears when it comes back to its owner.
type Returner interface {
	// ReturnPhase is called when the last job that wrote or appended to the container has returned
	// custody. ok reports whether that job ran to its end. Two calls may overlap, if another such
	// job was admitted and completed in the meantime.
	//
	// The method may run and complete jobs, also jobs that the returned job ran after. Completing
	// the returned job, or a job that runs after it, would never end: that is a violation
	// (ErrWaitCycle). So is waiting for the job of a body that completes the returned job. The
	// function that [Guard.DisposeAfter] was given is under the same rules. A wait is recognised on
	// the goroutine that calls the method, not on goroutines that the method starts, and only by
	// drivers that watch what their callers wait for.
	//
	// Another goroutine that gives the job back meanwhile waits as for a sync.Mutex. So in a bubble
	// of testing/synctest neither the method nor that function may wait for the bubble's clock.
	ReturnPhase(ok bool)
}
