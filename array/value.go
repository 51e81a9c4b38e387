package array

import (
	"unsafe"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/quiet"
	"example.com/custody/safety"
)

// Value is one guarded value: a result that a job leaves for others, or a parameter that changes
// between jobs. Outside jobs it is like a variable. Make a Value with [NewValue]; it must not be
// copied.
//
// Load: owner reads; wait-free; O(1); allocates never.
// Store: owner changes; wait-free; O(1); allocates never.
type Value[T any] struct {
	guard safety.Guard
	v     T
}

// NewValue returns a Value that holds v.
func NewValue[T any](v T, opts ...safety.Option) *Value[T] {
	x := &Value[T]{v: v}
	x.guard.Init(x, 0, opts...)
	return x
}

// Load returns the value.
func (x *Value[T]) Load() T {
	x.guard.CheckRead()
	return x.v
}

// Store sets the value.
func (x *Value[T]) Store(v T) {
	x.guard.CheckWrite()
	x.v = v
}

// Reader returns a view that reads the value.
func (x *Value[T]) Reader() (r ValueReader[T]) {
	if r.of = x; x != nil {
		quiet.Set(&r.hold, &x.guard, safety.Read, (*valueReaderKind[T])(nil))
	}
	return r
}

// Writer returns a view that reads and writes the value. The view has no range, so only single jobs
// and loops with Batch(-1) may carry it. Each use is checked.
func (x *Value[T]) Writer() (w ValueWriter[T]) {
	if w.of = x; x != nil {
		quiet.Set(&w.hold, &x.guard, safety.Write, (*valueWriterKind[T])(nil))
	}
	return w
}

// Dispose ends the value, as [Array.Dispose] does.
func (x *Value[T]) Dispose() {
	x.guard.Dispose()
	x.clear()
}

// DisposeAfter is Dispose for a value that jobs hold, as [Array.DisposeAfter].
func (x *Value[T]) DisposeAfter(h safety.Handle) { x.guard.DisposeAfter(h, x.clear) }

func (x *Value[T]) clear() { x.v = *new(T) }

// Disposed reports whether the value was disposed.
func (x *Value[T]) Disposed() bool { return x.guard.Disposed() }

// ValueReader is a view that reads a [Value]. It works only inside the job that carries it.
// Each method: job reads; wait-free; O(1); allocates never.
type ValueReader[T any] struct {
	hold `custody:"part"`
	of   *Value[T]
	p    *T // nil in an unbound view
}

// Load returns the value.
func (r *ValueReader[T]) Load() T {
	if safety.Strict {
		quiet.Of(&r.hold).Check()
	}
	if r.p == nil {
		panic(quiet.Of(&r.hold).Stale())
	}
	return *r.p
}

// valueReaderKind has the methods of a ValueReader that drivers call.
type valueReaderKind[T any] ValueReader[T]

// Of implements safety.ViewKind.
func (*valueReaderKind[T]) Of(view any, _ *safety.Hold) safety.Binder {
	return (*valueReaderKind[T])(view.(*ValueReader[T]))
}

// Bind implements safety.Binder.
func (r *valueReaderKind[T]) Bind(b safety.Binding) {
	quiet.Of(&r.hold).Bind(b)
	r.p = &r.of.v
	if atom.Race && b.First() {
		atom.ReadRange(unsafe.Pointer(r.p), int(unsafe.Sizeof(*r.p)))
	}
}

// ValueWriter is a view that reads and writes a [Value]. It works only inside the job that carries
// it.
// Each method: own batch; wait-free; O(1); allocates never.
type ValueWriter[T any] struct {
	hold `custody:"part"`
	of   *Value[T]
	p    *T // nil in an unbound view
}

// Load returns the value.
func (w *ValueWriter[T]) Load() T { return *w.Ptr() }

// Store sets the value.
func (w *ValueWriter[T]) Store(v T) { *w.Ptr() = v }

// Ptr returns a pointer to the value, valid until the job ends.
func (w *ValueWriter[T]) Ptr() *T {
	quiet.Of(&w.hold).Check()
	if w.p == nil { // unchecked builds
		panic(quiet.Of(&w.hold).Stale())
	}
	return w.p
}

// valueWriterKind has the methods of a ValueWriter that drivers call.
type valueWriterKind[T any] ValueWriter[T]

// Of implements safety.ViewKind.
func (*valueWriterKind[T]) Of(view any, _ *safety.Hold) safety.Binder {
	return (*valueWriterKind[T])(view.(*ValueWriter[T]))
}

// Bind implements safety.Binder.
func (w *valueWriterKind[T]) Bind(b safety.Binding) {
	quiet.Of(&w.hold).Bind(b)
	w.p = &w.of.v
}
