// Package tagged has pointers that carry a small number, for cells that say something and are to be changed together with it.
//
// A pointer with the tag n points n bytes behind the start of what it is to point to. So it keeps that alive, and the garbage
// collector sees nothing unusual.
package tagged

import (
	"unsafe"

	"example.com/custody/internal/atom"
)

// Most is the greatest tag. What is pointed to must lie at multiples of Most + 1, and be longer than Most: a type that has a
// pointer or a uint64 in it is so.
const Most = 7

// Ref is a pointer with a tag. The zero value is nil, without one.
type Ref[T any] struct{ at *byte }

// To returns a pointer to what p points to, which is not nil, with a tag.
func To[T any](p *T, tag int) Ref[T] { return Ref[T]{(*byte)(unsafe.Add(unsafe.Pointer(p), tag))} }

// Tag returns the tag.
func (r Ref[T]) Tag() int { return int(uintptr(unsafe.Pointer(r.at)) & Most) }

// Nil says whether it points to nothing.
func (r Ref[T]) Nil() bool { return r.at == nil }

// Ptr returns the pointer without its tag. It must not be nil.
func (r Ref[T]) Ptr() *T { return (*T)(unsafe.Add(unsafe.Pointer(r.at), -r.Tag())) }

// Cell holds a Ref that many change. The zero value holds nil.
type Cell[T any] struct{ p atom.Pointer[byte] }

// Load returns what the cell holds.
func (c *Cell[T]) Load() Ref[T] { return Ref[T]{c.p.Load()} }

// Store makes the cell hold r.
func (c *Cell[T]) Store(r Ref[T]) { c.p.Store(r.at) }

// CompareAndSwap makes the cell hold new if it holds old, and says whether it did.
func (c *Cell[T]) CompareAndSwap(old, new Ref[T]) bool { return c.p.CompareAndSwap(old.at, new.at) }
