package table

import (
	"fmt"
	"unsafe"

	"example.com/custody/safety"
)

// extent is a field of the rows of a table: the bytes of a row from begin up to end.
type extent struct{ begin, end uintptr }

// overlaps reports whether a byte is in both. Fields without bytes overlap nothing.
func (f extent) overlaps(other extent) bool {
	return max(f.begin, other.begin) < min(f.end, other.end)
}

// locating calls the function that a column or Key is made of, with a zero row. It returns the row,
// the pointer that the function returns, and the sizes of both.
type locating func() (row, field unsafe.Pointer, whole, part uintptr)

// locate returns nil if of is nil.
func locate[R, T any](of func(row *R) *T) locating {
	if of == nil {
		return nil
	}
	return func() (row, field unsafe.Pointer, whole, part uintptr) {
		r := new(R)
		return unsafe.Pointer(r), unsafe.Pointer(of(r)), unsafe.Sizeof(*r), unsafe.Sizeof(*new(T))
	}
}

// findField returns the field that of returns a pointer to. It calls of once. If of returns no
// pointer into the row, missing says so.
func findField(of locating) (f extent, missing string) {
	row, p, whole, part := of()
	if p == nil {
		return f, "returns nil for a zero row"
	}
	offset := uintptr(p) - uintptr(row)
	if offset > whole || part > whole-offset {
		return f, "returns no pointer into a zero row"
	}
	return extent{offset, offset + part}, ""
}

// fieldOf returns the field that of finds. It panics with a violation if of does not return a
// pointer into a zero row. what names the thing that is made of the field, in the text.
func fieldOf(t *core, what string, of locating) (f extent) {
	t.within(ofField)
	happened := ""
	func() {
		defer func() {
			p := recover()
			if v, _ := p.(*safety.Violation); v != nil { // of has broken another rule
				panic(v)
			}
			if p != nil {
				happened = "panics for a zero row: " + fmt.Sprint(p)
			}
		}()
		f, happened = findField(of)
	}()
	t.within(noCallback)
	if happened != "" {
		panic(t.guard.Violation(safety.ErrArgument, what+" of "+t.guard.Container()+" was to be made of a function that "+happened,
			"Pass a function that returns a pointer into the row that it gets, also into a zero one."))
	}
	return f
}

// rowRef points to a row. Columns and keys, which are not generic in R, get their fields from it.
type rowRef struct{ row unsafe.Pointer }

func refOf[R any](row *R) rowRef { return rowRef{unsafe.Pointer(row)} }

// at returns a pointer to the field f of the row, and in one of its type T.
func (r rowRef) at(f extent) unsafe.Pointer { return unsafe.Add(r.row, f.begin) }
func in[T any](r rowRef, f extent) *T       { return (*T)(r.at(f)) }

// rowRefs are the rows of a slice.
type rowRefs struct {
	first unsafe.Pointer
	size  uintptr // of a row, in bytes
	n     int
}

func refsOf[R any](rows []R) rowRefs {
	return rowRefs{unsafe.Pointer(unsafe.SliceData(rows)), unsafe.Sizeof(*new(R)), len(rows)}
}

func (r rowRefs) at(i int) rowRef { return rowRef{unsafe.Add(r.first, uintptr(i)*r.size)} }

// putting is a putFields of any type of elements.
type putting func(data slice, at int, places []int32, rows rowRefs, f extent)

// putFields sets elements to the field f of rows: those from element at on, or at places if there
// are any. Without rows it makes the places zero. If at is moved, it moves the last elements to the
// places, which are sorted as descend sorts them.
func putFields[T any](data slice, at int, places []int32, rows rowRefs, f extent) {
	s := unsafe.Slice((*T)(data.p), data.len)
	if at == moved {
		last := s[len(s)-len(places):]
		for k, row := range places {
			s[row] = last[len(last)-1-k]
		}
		return
	}
	if places == nil {
		for i := range s[at:][:rows.n] {
			s[at+i] = *(*T)(rows.at(i).at(f))
		}
		return
	}
	for i, row := range places {
		if rows.n == 0 {
			s[row] = *new(T)
		} else {
			s[row] = *(*T)(rows.at(i).at(f))
		}
	}
}

const moved = -1
