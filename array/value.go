package array

import (
	"unsafe"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// Value is one guarded value: a result that a job leaves for others, or a parameter that changes
// between jobs. Outside jobs it is like a variable. Make it with [NewValue]; it must not be copied.
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
func (x *Value[T]) Reader() ValueReader[T] {
	if x == nil {
		return ValueReader[T]{}
	}
	return ValueReader[T]{hold: x.guard.Hold(safety.Read, (*valueReaderKind[T])(nil)), of: x}
}

// Writer returns a view that reads and writes the value. Only single jobs and loops with Batch(-1) may
// carry it: it has no range. Its uses are checked one by one.
func (x *Value[T]) Writer() ValueWriter[T] {
	if x == nil {
		return ValueWriter[T]{}
	}
	return ValueWriter[T]{hold: x.guard.Hold(safety.Write, (*valueWriterKind[T])(nil)), of: x}
}

// Dispose ends the value: every later use is a violation. It is one itself while an uncompleted job
// holds the value, and the second time.
func (x *Value[T]) Dispose() {
	x.guard.Dispose()
	x.clear()
}

func (x *Value[T]) clear() {
	var zero T
	x.v = zero
}

// DisposeAfter is Dispose for a value that jobs hold: every use from now on is a violation, but that of the
// handle's job and of those that it runs after. Another job that holds it is a violation; then nothing changes. The
// memory is let go of when the last of them is completed.
func (x *Value[T]) DisposeAfter(h safety.Handle) {
	x.guard.DisposeAfter(h, x.clear)
}

// Disposed says whether the value was disposed.
func (x *Value[T]) Disposed() bool { return x.guard.Disposed() }

// ValueReader is a view that reads a [Value]. It works only inside the job that carries it.
type ValueReader[T any] struct {
	hold
	of *Value[T]
	p  *T // nil while the view is not bound
}

// Load returns the value.
func (r *ValueReader[T]) Load() T {
	if safety.Strict {
		r.hold.Check()
	}
	if r.p == nil {
		panic(r.hold.Stale())
	}
	return *r.p
}

// valueReaderKind is the kind of ValueReaders.
type valueReaderKind[T any] ValueReader[T]

// Of implements safety.ViewKind.
func (*valueReaderKind[T]) Of(view any) safety.Binder {
	return (*valueReaderKind[T])(view.(*ValueReader[T]))
}

// Bind implements safety.Binder.
func (r *valueReaderKind[T]) Bind(b safety.Binding) {
	r.hold.Bind(b)
	r.p = &r.of.v
	if atom.Race && b.First() {
		atom.ReadRange(unsafe.Pointer(r.p), int(unsafe.Sizeof(*r.p)))
	}
}

// ValueWriter is a view that reads and writes a [Value]. It works only inside the job that carries it.
type ValueWriter[T any] struct {
	hold
	of *Value[T]
	p  *T // nil while the view is not bound
}

// Load returns the value.
func (w *ValueWriter[T]) Load() T { return *w.Ptr() }

// Store sets the value.
func (w *ValueWriter[T]) Store(v T) { *w.Ptr() = v }

// Ptr returns a pointer to the value, good until the job ends.
func (w *ValueWriter[T]) Ptr() *T {
	w.hold.Check()
	if w.p == nil { // unchecked builds
		panic(w.hold.Stale())
	}
	return w.p
}

// valueWriterKind is the kind of ValueWriters.
type valueWriterKind[T any] ValueWriter[T]

// Of implements safety.ViewKind.
func (*valueWriterKind[T]) Of(view any) safety.Binder {
	return (*valueWriterKind[T])(view.(*ValueWriter[T]))
}

// Bind implements safety.Binder.
func (w *valueWriterKind[T]) Bind(b safety.Binding) {
	w.hold.Bind(b)
	w.p = &w.of.v
}
