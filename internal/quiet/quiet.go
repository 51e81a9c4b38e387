package quiet

//lint:file-ignore U1000 The methods of mute are there to hide others.

import (
	"unsafe"

	"example.com/custody/safety"
)

// Hold makes the type that embeds it a view, and passes on neither a field nor a method of its
// safety.Hold, except the one that makes a type a view: a method that two embedded types have is
// none of the struct's. A view embeds it with the tag custody:"part". The kind of such a view has a
// safety.Hold in the place of its Hold.
type Hold struct {
	mute
	kept
}

type kept = safety.Hold

// mute has the names of the methods of a safety.Hold. Views are not compared, so the compiler makes
// no functions for that.
type mute struct{ _ [0]func() }

func (mute) Batch()     {}
func (mute) Beside()    {}
func (mute) Bind()      {}
func (mute) Blame()     {}
func (mute) Borrow()    {}
func (mute) Bound()     {}
func (mute) Check()     {}
func (mute) CheckLane() {}
func (mute) Live()      {}
func (mute) Out()       {}
func (mute) Stale()     {}
func (mute) WithKind()  {}

// Set makes h, which is zero, the Hold of an unbound view that claims the guard's container. A call
// is cheaper than the copies of a Hold that is returned, and the program has one.
//
//go:noinline
func Set(h *Hold, g *safety.Guard, m safety.Mode, kind safety.ViewKind) { h.kept = g.Hold(m, kind) }

// New returns the Hold of a view with that safety.Hold.
func New(h safety.Hold) Hold { return Hold{kept: h} }

// Of returns the safety.Hold of a view.
func Of(h *Hold) *safety.Hold { return &h.kept }

// MustBeBound panics if the view with the hold h is not bound, and in strict builds if it is stale.
//
//go:noinline
func MustBeBound(h *safety.Hold) {
	if safety.Strict {
		h.Check()
	}
	if !h.Bound() {
		panic(h.Stale())
	}
}

// MustBeUsable panics unless the view with the hold h may be used now, also in unchecked builds,
// where Check does nothing.
func MustBeUsable(h *safety.Hold) {
	h.Check()
	if !h.Bound() {
		panic(h.Stale())
	}
}

// Kind is the kind of views that have the layout of P's element. The element has a safety.Hold in
// the place of their Hold. It has no type parameters, so its methods are compiled once.
type Kind[P safety.Binder] struct{}

// Of implements safety.ViewKind. view is the view whose safety.Hold is h, or one that embeds it,
// which must not have methods of a binder, because the driver would not call them.
func (k Kind[P]) Of(view any, h *safety.Hold) safety.Binder {
	switch view.(type) {
	case safety.Binder, interface{ Claim(*safety.Claim) }, interface{ BeginBatch(int) }, interface{ BeginSpan(int) }:
		panic("methods of a binder around a view that has a kind")
	}
	return k.Held(h)
}

// Held returns the binder of the view whose safety.Hold is h, also of one that a body has made.
func (Kind[P]) Held(h *safety.Hold) safety.Binder { return *(*P)(unsafe.Pointer(&h)) }
