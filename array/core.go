package array

import (
	"math"
	"reflect"
	"strconv"
	"unsafe"

	"example.com/custody/internal/amount"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/elem"
	"example.com/custody/internal/phrase"
	"example.com/custody/internal/quiet"
	"example.com/custody/safety"
)

// The package's users compile all methods of an array and its views again for each type of their
// elements. So these do little more than read and write elements. The rest is in functions of
// structs that have the layouts of the generic ones, with slice for a slice of elements.

// hold is what views embed. The unexported alias keeps its methods off the pages of the views.
type hold = quiet.Hold

// core has the layout of an [Array].
type core struct {
	guard   safety.Guard
	data    slice
	n       int
	size    uintptr
	grows   bool
	adopted bool
}

// slice is a slice of elements of any type.
type slice struct {
	p        elem.Pointer
	len, cap int
}

// at returns the address of element i.
func (s slice) at(i int, size uintptr) elem.Pointer { return unsafe.Add(s.p, uintptr(i)*size) }

// part returns the elements [lo, hi), with the capacity cut. An empty slice points to no element.
func (s slice) part(lo, hi int, size uintptr) slice {
	if lo < hi {
		s.p = s.at(lo, size)
	}
	return slice{s.p, hi - lo, hi - lo}
}

// The kinds are variables: a generic function that names their type would compile their methods.
var (
	readers         safety.ViewKind = quiet.Kind[*readerKind]{}
	writers         safety.ViewKind = quiet.Kind[*writerKind]{}
	offsetWriters   safety.ViewKind = quiet.Kind[*offsetWriterKind]{}
	permutedWriters safety.ViewKind = quiet.Kind[*permutedWriterKind]{}
)

// holds makes h, which is zero, the hold of a view of a, and returns a. For a nil a it is none's.
//
//go:noinline
func (a *core) holds(h *hold, mode safety.Mode, kind safety.ViewKind) *core {
	if a != nil {
		*quiet.Of(h) = a.guard.Hold(mode, kind)
	}
	return a
}

// fits notes the number and size of the elements. It panics with a violation if n is negative, or
// if memory cannot hold so many.
func (a *core) fits(n int, size uintptr) {
	if most := amount.MostOf(size); n < 0 || n > most {
		a.guard.Dispose() // the caller never gets the array, so it must not count as a leak
		panic(amount.Refusal(&a.guard, "was asked to have", n, 0, most, "element"))
	}
	a.n, a.size = n, size
}

// serves returns the number of elements that a claim which is not admitted yet may count on. A list
// that jobs hold may grow, so it serves any number.
func (a *core) serves() int {
	if a.grows && (!safety.Enabled || a.guard.Held()) {
		return math.MaxInt
	}
	return a.n
}

// Outside returns the violation of using element i.
func (a *core) Outside(i int) *safety.Violation {
	v := a.guard.Violation(safety.ErrIndex, "index "+strconv.Itoa(i)+" of "+a.guard.Container()+" was used, which has length "+strconv.Itoa(a.data.len),
		"Indices begin at 0 and end at length-1.")
	v.Index, v.Max, v.Length = i, a.data.len, a.data.len
	return v
}

// sameLength panics with a violation unless n is the length.
func (a *core) sameLength(what string, n int) {
	length := a.data.len
	if n == length {
		return
	}
	do := "The lengths must be equal: cut the longer one."
	if a.grows {
		do = "The lengths must be equal: cut the longer one, or Resize the list to " + strconv.Itoa(n) + " first."
	}
	v := a.guard.Violation(safety.ErrLength, a.guard.Container()+" of length "+strconv.Itoa(length)+" was "+what+" of length "+strconv.Itoa(n), do)
	v.N, v.Length = n, length
	panic(v)
}

// adopt passes the address range of the elements, which lie in an adopted slice, to the guard. The
// ledger compares these ranges when it admits a job.
func (a *core) adopt() {
	a.adopted = true
	begin := uintptr(a.data.p)
	a.guard.Adopts(begin, begin+uintptr(a.data.len)*a.size)
}

// set makes data the elements of a list. It ends the adoption of a slice if data is other memory.
func (a *core) set(data slice) {
	if a.adopted && data.p != a.data.p {
		a.adopted = false
		a.guard.Adopts(0, 0)
	}
	a.data, a.n = data, data.len
}

func (a *core) drop() { a.data = slice{} }

// Text returns what String does of owner, the container that has the array. Any goroutine may call
// it at any time.
func (a *core) Text(owner any) string {
	if a == nil {
		return "<nil>"
	}
	return a.guard.Text(owner, a.elements)
}

func (a *core) elements() string { return phrase.Amount(a.length(), "element") }

// length returns the length. Any goroutine may call it at any time.
//
//go:norace
func (a *core) length() int { return a.n }

// declareWrites declares to the race detector that the elements are written.
func (s slice) declareWrites(size uintptr) {
	if atom.Race && s.len > 0 {
		atom.WriteRange(s.p, s.len*int(size))
	}
}

// declareReads declares to the race detector that the elements are read.
func (s slice) declareReads(size uintptr) {
	if atom.Race && s.len > 0 {
		atom.ReadRange(s.p, s.len*int(size))
	}
}

// split makes the parts of owner, whose core is a, that begin at begins, whose last index is the
// length. The user's call is two frames up.
func (a *core) split(owner any, begins []int) *parts {
	p := &parts{of: a, begins: begins}
	guards := make([]*safety.Guard, len(begins)-1)
	for i := range guards {
		lo, hi := begins[i], begins[i+1]
		part := &core{n: hi - lo, size: a.size}
		if hi <= a.data.len { // a disposed array has no elements; Divide refuses it
			part.data = a.data.part(lo, hi, a.size)
		}
		of := reflect.NewAt(reflect.TypeOf(owner).Elem(), elem.Pointer(part)).Interface()
		part.guard.Init(of, 1, safety.Named(a.guard.Name()+"["+strconv.Itoa(lo)+":"+strconv.Itoa(hi)+"]"))
		if a.adopted {
			part.adopt()
		}
		guards[i] = &part.guard
		p.parts = append(p.parts, part)
	}
	p.division.Divide(&a.guard, guards, 1)
	return p
}
