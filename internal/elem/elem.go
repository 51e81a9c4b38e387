package elem

import (
	"reflect"
	"unsafe"

	"example.com/custody/internal/amount"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/word"
	"example.com/custody/safety"
)

// Type is what is known of a type of elements.
type Type struct {
	Of    any // the reflect.Type; programs compile what a field of that type mentions
	Size  uintptr
	Most  int  // the largest number of elements: see amount.Most
	Holds bool // elements may keep memory alive

	// work copies n elements from src to dst, and returns dst. If dst is nil, it allocates them. If
	// src is nil, they become zero.
	work func(dst, src Pointer, n int) Pointer
	move func(dst, src Pointer, n int) // Move with the race detector; otherwise nil
}

// TypeOf returns the Type of T. It is compiled for each T anew, and so has one function for all
// that is done to elements.
func TypeOf[T any]() *Type {
	t := newType((*T)(nil), func(dst, src Pointer, n int) Pointer {
		switch {
		case dst != nil && src != nil:
			copy(unsafe.Slice((*T)(dst), n), unsafe.Slice((*T)(src), n))
		case dst != nil:
			clear(unsafe.Slice((*T)(dst), n))
		case src != nil:
			from := unsafe.Slice((*T)(src), n)
			own := make([]T, len(from)) // the compiler sets to zero nothing that the copy overwrites
			copy(own, from)
			dst = Pointer(unsafe.SliceData(own))
		default:
			dst = Pointer(unsafe.SliceData(make([]T, n)))
		}
		return dst
	})
	if atom.Race {
		t.move = moved[T]
	}
	return t
}

// newType returns the Type of what the nil pointer p points to, without move.
func newType(p any, work func(dst, src Pointer, n int) Pointer) *Type {
	of := reflect.TypeOf(p).Elem()
	return &Type{Of: of, Size: of.Size(), Most: amount.MostOf(of.Size()), Holds: word.Holds(of), work: work}
}

//go:norace
func moved[T any](dst, src Pointer, n int) {
	to := unsafe.Slice((*T)(dst), n)
	for i, v := range unsafe.Slice((*T)(src), n) { // the detector sees the builtin copy
		to[i] = v
	}
}

// Make allocates n elements.
func (t *Type) Make(n int) Pointer { return t.work(nil, nil, n) }

// Clone returns a copy of n elements.
func (t *Type) Clone(src Pointer, n int) Pointer { return t.work(nil, src, n) }

// Copy copies n elements.
func (t *Type) Copy(dst, src Pointer, n int) { t.work(dst, src, n) }

// Clear sets n elements to zero, unseen by the race detector.
func (t *Type) Clear(p Pointer, n int) { t.work(p, nil, n) }

// Move is Copy, unseen by the race detector.
func (t *Type) Move(dst, src Pointer, n int) {
	if atom.Race && t.Size > 0 {
		t.move(dst, src, n)
	} else {
		t.work(dst, src, n)
	}
}

// NewList returns an empty array.List of elements of the type, for package table. Package array
// sets it.
var NewList func(of *Type, opts ...safety.Option) any

// Pointer points to an element, or to the first of several.
type Pointer = unsafe.Pointer

// Data returns where the elements of a slice are.
func Data[T any](s []T) Pointer { return Pointer(unsafe.SliceData(s)) }

// Slice returns the n elements at p as a slice.
func Slice[T any](p Pointer, n int) []T { return unsafe.Slice((*T)(p), n) }

// Nth returns element i of the memory at p.
func Nth[T any](p Pointer, i int) *T {
	return (*T)(unsafe.Add(p, uintptr(i)*unsafe.Sizeof(*(*T)(nil))))
}

// Behind returns the address of what lies behind v.
func Behind[T any](v *T) Pointer { return unsafe.Add(Pointer(v), unsafe.Sizeof(*v)) }

// At returns the address of element i of the memory at p.
func (t *Type) At(p Pointer, i int) Pointer { return unsafe.Add(p, uintptr(i)*t.Size) }
