package table

import "unsafe"

// rowField is a field of type T of rows of type R, whose place is learnt once from a function.
type rowField[R, T any] struct{ offset uintptr }

// findField returns the field that of returns a pointer to. It calls of once, with a zero struct.
// If what of returns does not lie in that struct, missing says so.
func findField[R, T any](of func(*R) *T) (f rowField[R, T], missing string) {
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

// in returns a pointer to the field.
func (f *rowField[R, T]) in(r *R) *T { return (*T)(unsafe.Add(unsafe.Pointer(r), f.offset)) }

// extent is the bytes of a struct from begin on, up to end.
type extent struct{ begin, end uintptr }

// extent returns the bytes of the field.
func (f *rowField[R, T]) extent() extent { return extent{f.offset, f.offset + unsafe.Sizeof(*new(T))} }

// overlaps reports whether a byte is in both. Fields without bytes overlap nothing.
func (b extent) overlaps(other extent) bool {
	return max(b.begin, other.begin) < min(b.end, other.end)
}

// copy copies the fields of some structs to others' elements, of which there are as many.
func (f *rowField[R, T]) copy(to []T, from []R) {
	to = to[:len(from)]
	for i := range from {
		to[i] = *f.in(&from[i])
	}
}
