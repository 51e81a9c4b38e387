package elem

import (
	"fmt"
	"unsafe"

	"example.com/custody/safety"
)

// Field is a field of structs of a type: their bytes from Begin up to End.
type Field struct{ Begin, End uintptr }

// Overlaps reports whether a byte is in both. Fields without bytes overlap nothing.
func (f Field) Overlaps(other Field) bool {
	return max(f.Begin, other.Begin) < min(f.End, other.End)
}

// Of returns a pointer to the field of the struct at p.
func (f Field) Of(p Pointer) Pointer { return unsafe.Add(p, f.Begin) }

// Slots is a slice of elements of any type.
type Slots struct {
	P        Pointer
	Len, Cap int
}

// Source is what is known of a field that a function of a program finds.
type Source struct {
	Elem *Type // of the field
	Set  Setter
	find func(p Pointer) Pointer // nil: the program's function is nil
}

// Setter sets n elements to values that lie at from, each step bytes behind the one before. The
// elements are those from element at on, or at places if there are any.
type Setter func(to Slots, at int, places []int32, n int, from Pointer, step uintptr)

// SourceOf is compiled for each field anew, and so has no more than what needs the types.
func SourceOf[S, T any](field func(*S) *T) Source {
	s := Source{Elem: TypeOf[T]()}
	if field != nil {
		s.find = func(p Pointer) Pointer { return Pointer(field((*S)(p))) }
	}
	s.Set = func(to Slots, at int, places []int32, n int, from Pointer, step uintptr) {
		all := unsafe.Slice((*T)(to.P), to.Len)
		if places == nil {
			all = all[at:][:n]
			for i := range all {
				all[i] = *(*T)(unsafe.Add(from, uintptr(i)*step))
			}
			return
		}
		for i, place := range places[:n] {
			all[place] = *(*T)(unsafe.Add(from, uintptr(i)*step))
		}
	}
	return s
}

// Nil reports whether the program's function is nil.
func (s *Source) Nil() bool { return s.find == nil }

// Find calls the program's function once, with a zero struct, and returns the field. If the
// function panics, or returns no pointer into the struct, wrong says so. Find passes on violations.
func (s *Source) Find(of *Type) (f Field, wrong string) {
	defer func() {
		p := recover()
		if v, _ := p.(*safety.Violation); v != nil { // the function has broken another rule
			panic(v)
		}
		if p != nil {
			wrong = "panics for a zero row: " + fmt.Sprint(p)
		}
	}()
	whole, size := of.Make(1), s.Elem.Size
	p := s.find(whole)
	if p == nil {
		return f, "returns nil for a zero row"
	}
	offset := uintptr(p) - uintptr(whole)
	if offset > of.Size || size > of.Size-offset {
		return f, "returns no pointer into a zero row"
	}
	return Field{offset, offset + size}, ""
}
