// Package tagged has pointers that carry a small number, for cells whose pointer and number change
// together.
//
// A pointer with tag n points n bytes past the start of its target. It is an ordinary interior
// pointer, so it keeps the target alive and the garbage collector sees nothing unusual.
package tagged

import (
	"unsafe"

	"example.com/custody/internal/atom"
)

// Most is the greatest tag. A target must lie at a multiple of Most+1 bytes and be longer than Most
// bytes. A type that contains a pointer or a uint64 meets both.
const Most = 7

// Ref is a pointer with a tag. The zero value is nil with tag 0.
type Ref[T any] struct{ at *byte }

// To returns a pointer to the target of p with a tag. p must not be nil.
func To[T any](p *T, tag int) Ref[T] { return Ref[T]{(*byte)(unsafe.Add(unsafe.Pointer(p), tag))} }

// Tag returns the tag.
func (r Ref[T]) Tag() int { return int(uintptr(unsafe.Pointer(r.at)) & Most) }

// Nil reports whether r points to nothing.
func (r Ref[T]) Nil() bool { return r.at == nil }

// Ptr returns the pointer without its tag. r must not be nil.
func (r Ref[T]) Ptr() *T { return (*T)(unsafe.Add(unsafe.Pointer(r.at), -r.Tag())) }

// Cell holds a Ref that several goroutines change. The zero value holds nil.
type Cell[T any] struct{ p atom.Pointer[byte] }

// Load returns the Ref of the cell.
func (c *Cell[T]) Load() Ref[T] { return Ref[T]{c.p.Load()} }

// Store sets the Ref of the cell to r.
func (c *Cell[T]) Store(r Ref[T]) { c.p.Store(r.at) }

// CompareAndSwap sets the Ref of the cell to new if it is old, and reports whether it was.
func (c *Cell[T]) CompareAndSwap(old, new Ref[T]) bool { return c.p.CompareAndSwap(old.at, new.at) }
