// Package field copies one field of many structs, of which is known how to come from a struct to the field.
package field

import "unsafe"

// Field is a field of type T of structs of type R.
type Field[R, T any] struct {
	of     func(*R) *T
	offset uintptr
	inside bool // it lies in the struct itself
}

// New returns the field that of returns a pointer to: of a struct that it is given, always the same one. It is called with one that is zero.
func New[R, T any](of func(*R) *T) Field[R, T] {
	r := new(R)
	begin := uintptr(unsafe.Pointer(r))
	f := Field[R, T]{of: of, offset: uintptr(unsafe.Pointer(of(r))) - begin}
	f.inside = f.offset < unsafe.Sizeof(*r) // what begins in it lies in it
	return f
}

// Of returns a pointer to the field.
func (f *Field[R, T]) Of(r *R) *T { return f.of(r) }

// Copy copies the fields of some structs to others' elements, of which there are as many.
func (f *Field[R, T]) Copy(to []T, from []R) {
	to = to[:len(from)]
	if !f.inside {
		for i := range from {
			to[i] = *f.of(&from[i])
		}
		return
	}
	for i := range from {
		to[i] = *(*T)(unsafe.Add(unsafe.Pointer(&from[i]), f.offset))
	}
}
