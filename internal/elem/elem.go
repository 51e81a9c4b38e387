// Package elem lets code that is compiled once work on memory of any type of elements: generic
// types are thin faces over such code, because each package that uses a generic type compiles it
// anew.
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
	Of    reflect.Type
	Size  uintptr
	Most  int  // the largest number of elements: see amount.Most
	Holds bool // elements may keep memory alive

	Make  func(n int) unsafe.Pointer           // allocates n elements
	Copy  func(dst, src unsafe.Pointer, n int) // copies n elements
	Move  func(dst, src unsafe.Pointer, n int) // copies n elements, unseen by the race detector
	Clear func(p unsafe.Pointer, n int)        // sets n elements to zero, unseen by the race detector
}

// TypeOf returns the Type of T.
func TypeOf[T any]() *Type {
	t := &Type{Of: reflect.TypeOf((*T)(nil)).Elem(), Make: memory[T], Copy: copied[T], Clear: cleared[T]}
	if t.Move = t.Copy; atom.Race {
		t.Move = moved[T]
	}
	t.init()
	return t
}

// init sets what follows from the type.
func (t *Type) init() {
	t.Size, t.Holds = t.Of.Size(), word.Holds(t.Of)
	t.Most = amount.MostOf(t.Size)
}

func memory[T any](n int) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(make([]T, n))) }

func copied[T any](dst, src unsafe.Pointer, n int) {
	copy(unsafe.Slice((*T)(dst), n), unsafe.Slice((*T)(src), n))
}

//go:norace
func moved[T any](dst, src unsafe.Pointer, n int) {
	to := unsafe.Slice((*T)(dst), n)
	for i, v := range unsafe.Slice((*T)(src), n) { // the detector sees the builtin copy
		to[i] = v
	}
}

//go:norace
func cleared[T any](p unsafe.Pointer, n int) { clear(unsafe.Slice((*T)(p), n)) }

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

// At returns the address of element i of the memory at p.
func (t *Type) At(p unsafe.Pointer, i int) unsafe.Pointer { return unsafe.Add(p, uintptr(i)*t.Size) }

// Raw stands for the items of lanes that a container of this module uses without their type.
type Raw struct{}

// SetLanes makes lanes, a pointer to a lane.Lanes[Raw], those of items of a type. Package lane sets
// it.
var SetLanes func(lanes Pointer, of *Type)
