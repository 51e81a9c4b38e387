package parallelfor

import (
	"reflect"
	"unsafe"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/slide"
	"example.com/custody/safety"
)

// bindings is what the driver has found in one value of a job type: pointers into the value.
type bindings struct {
	views   []safety.Field
	holds   []*safety.Hold // of the views
	ranges  []rangeRef
	spans   []safety.SpanView
	batches []batchView
	workers []*Worker
	told    bool // there are spans or batches, so announce has views to tell
	found   bool // look has found what there is
}

// batchView is a binder that is told of each batch.
type batchView interface{ BeginBatch(batch int) }

// rangeRef is a view that the driver restricts to a range, and the number of its claim.
type rangeRef struct {
	view  safety.RangeView
	slide slide.View // nil if the view moves its window itself
	claim int
}

// slidingView is a view whose window the driver moves, except where SetRange has more to do.
type slidingView struct {
	window *slide.Window
	size   uintptr // of an element
	view   safety.RangeView
}

// clear forgets everything.
func (m *bindings) clear() {
	*m = bindings{
		views: emptied(m.views), holds: emptied(m.holds), ranges: emptied(m.ranges), spans: emptied(m.spans),
		batches: emptied(m.batches), workers: emptied(m.workers),
	}
}

func emptied[E any](s []E) []E {
	clear(s)
	return s[:0]
}

// spare returns s without its elements. It releases memory that has room for many more.
func spare[E any](s []E) []E {
	if n := len(s); n > 0 && !atom.Worthwhile(cap(s), n) {
		return nil
	}
	return emptied(s)
}

// giveBack forgets everything, and releases memory with room for many more views than there were.
func (m *bindings) giveBack() {
	if n := len(m.views); n > 0 && !atom.Worthwhile(cap(m.views), n) {
		*m = bindings{}
		return
	}
	m.clear()
}

// look finds what is in the value at base, unless it did so before and the value does not differ.
func (m *bindings) look(p *fieldPlan, base unsafe.Pointer) {
	again := p.varies || !m.found
	for i := range m.views {
		again = again || m.views[i].Stale()
	}
	if again {
		m.lookAgain(p, base)
	}
}

// lookAgain finds what is in the value at base. First it copies slices of views, so that the value
// has views of its own.
//
//go:norace
func (m *bindings) lookAgain(p *fieldPlan, base unsafe.Pointer) {
	atom.Hide() // package reflect has caches
	defer atom.Show()
	m.clear()
	m.find(p, base, "")
	m.found = true
}

//go:norace
//go:nocheckptr
func (m *bindings) find(p *fieldPlan, base unsafe.Pointer, prefix string) {
	for i := range p.fields {
		f := &p.fields[i]
		at, path := unsafe.Add(base, f.offset), join(prefix, f.path)
		switch f.kind {
		case viewField:
			m.add(reflect.NewAt(f.typ, at).Interface().(safety.View), (*safety.Hold)(unsafe.Add(at, f.hold)), path)
			continue
		case workerField:
			m.workers = append(m.workers, (*Worker)(at))
			continue
		case sliceField:
			copySlice(f.typ, at)
		}
		first, n := f.elements(at)
		for k := range n {
			m.find(f.elem, unsafe.Add(first, uintptr(k)*f.size), f.elementPath(path, k))
		}
	}
}

// elements returns where the first of the n elements of the field at p lies. They are those of a
// slice, or the view that an Optional has; n is 0 for an Optional without one.
func (f *field) elements(p unsafe.Pointer) (first unsafe.Pointer, n int) {
	if f.kind == sliceField {
		s := *(*[]byte)(p) // its length is the number of elements
		return unsafe.Pointer(unsafe.SliceData(s)), len(s)
	}
	if *(*bool)(p) {
		n = 1
	}
	return p, n
}

// elementPath returns the path of element i of the field; path is the field's.
func (f *field) elementPath(path string, i int) string {
	if f.kind == sliceField {
		return elementPath(path, i)
	}
	return path
}

// copySlice replaces the slice at p by a copy of it.
func copySlice(t reflect.Type, p unsafe.Pointer) {
	// reflect.NewAt may make the type of a pointer to the slice. The race detector sees the memory
	// of that type, but not what orders its uses.
	var v any
	*(*[2]unsafe.Pointer)(unsafe.Pointer(&v)) = [2]unsafe.Pointer{(*[2]unsafe.Pointer)(unsafe.Pointer(&t))[1], p}
	s := reflect.ValueOf(v)
	own := reflect.MakeSlice(t, s.Len(), s.Len())
	reflect.Copy(own, s)
	*(*[]byte)(p) = unsafe.Slice((*byte)(own.UnsafePointer()), s.Len()) // so many elements
}

// fieldOf returns the Field of a view. A type that the kind of the view does not take is a
// violation, and so is one that has methods of a binder around a container's view.
func fieldOf(v safety.View, path string) *safety.Field {
	defer func() {
		if recover() != nil { // the conversion by the view's kind
			t := reflect.TypeOf(v).Elem().String()
			bad := safety.NewViolation(safety.ErrField, "a job has a field "+path+" of type "+t+", which has the fields of a view and not its methods", "Carry the view as its container returns it.")
			bad.Field = path
			panic(bad)
		}
	}()
	return safety.FieldOf(v, path)
}

//go:norace
func (m *bindings) add(v safety.View, h *safety.Hold, path string) {
	f := fieldOf(v, path)
	b := f.Binder
	if r, ok := b.(safety.RangeView); ok {
		w, _ := b.(slide.View)
		m.ranges = append(m.ranges, rangeRef{view: r, slide: w, claim: len(m.views)})
	}
	if s, ok := b.(safety.SpanView); ok {
		m.spans = append(m.spans, s)
	}
	if c, ok := b.(batchView); ok {
		m.batches = append(m.batches, c)
	}
	m.told = len(m.spans)+len(m.batches) > 0
	m.views = append(m.views, *f)
	m.holds = append(m.holds, h)
}
