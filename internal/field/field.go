// Package field copies one field of many structs, whose place is learnt once from a function.
package field

import "unsafe"

// Field is a field of type T of structs of type R.
type Field[R, T any] struct{ offset uintptr }

// New returns the field that of returns a pointer to. It calls of once, with a zero struct. If what
// of returns does not lie in that struct, missing says so.
func New[R, T any](of func(*R) *T) (f Field[R, T], missing string) {
	r := new(R)
	p := of(r)
	if p == nil {
		return f, "returns nil for a zero row"
	}
	f.offset = uintptr(unsafe.Pointer(p)) - uintptr(unsafe.Pointer(r))
	whole, part := unsafe.Sizeof(*r), unsafe.Sizeof(*p)
	if f.offset > whole || part > whole-f.offset {
		return f, "returns no pointer into a zero row"
	}
	return f, ""
}

// Of returns a pointer to the field.
func (f *Field[R, T]) Of(r *R) *T { return (*T)(unsafe.Add(unsafe.Pointer(r), f.offset)) }

// Bytes are those of a struct from Begin on, up to End.
type Bytes struct{ Begin, End uintptr }

// Bytes returns the bytes of the field.
func (f *Field[R, T]) Bytes() Bytes { return Bytes{f.offset, f.offset + unsafe.Sizeof(*new(T))} }

// Overlap reports whether a byte is in both. Fields without bytes overlap nothing.
func (b Bytes) Overlap(other Bytes) bool {
	return max(b.Begin, other.Begin) < min(b.End, other.End)
}

// Copy copies the fields of some structs to others' elements, of which there are as many.
func (f *Field[R, T]) Copy(to []T, from []R) {
	to = to[:len(from)]
	for i := range from {
		to[i] = *f.Of(&from[i])
	}
}
