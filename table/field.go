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

// findField returns the field that of returns a pointer to. It calls of once, with a zero row. If
// of returns no pointer into that row, missing says so.
func findField[R, T any](of func(row *R) *T) (f extent, missing string) {
	r := new(R)
	p := of(r)
	if p == nil {
		return f, "returns nil for a zero row"
	}
	offset := uintptr(unsafe.Pointer(p)) - uintptr(unsafe.Pointer(r))
	whole, part := unsafe.Sizeof(*r), unsafe.Sizeof(*p)
	if offset > whole || part > whole-offset {
		return f, "returns no pointer into a zero row"
	}
	return extent{offset, offset + part}, ""
}

// fieldOf returns the field that of finds. It panics with a violation if of does not return a
// pointer into a zero row. what names the thing that is made of the field, in the text.
func fieldOf[T, R any](t *core, what string, of func(row *R) *T) (f extent) {
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

// in returns a pointer to the field f of the row, which is of type T.
func in[T any](r rowRef, f extent) *T { return (*T)(unsafe.Add(r.row, f.begin)) }

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

// copyField copies the field f of each row to the element of to with the same index.
func copyField[T any](to []T, rows rowRefs, f extent) {
	for i := range to[:rows.n] {
		to[i] = *in[T](rows.at(i), f)
	}
}
