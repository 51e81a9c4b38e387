package parallelfor

import (
	"reflect"
	"strconv"
	"unsafe"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// image is what the driver found in one value of a job type: pointers into it.
type image struct {
	views   []safety.View
	paths   []string
	binders []safety.Binder
	holds   []*safety.Hold
	ranges  []rangeRef
	runs    []safety.SpanView
	batches []batchView
	workers []*Worker
	watched bool // there are runs or batches
}

// batchView is a binder that the driver tells of each batch.
type batchView interface{ BeginBatch(batch int) }

// rangeRef is a view that can be restricted, and the number of its claim.
type rangeRef struct {
	view  safety.RangeView
	claim int
}

// clear forgets everything.
func (m *image) clear() {
	clear(m.views)
	clear(m.binders)
	clear(m.holds)
	clear(m.ranges)
	clear(m.runs)
	clear(m.batches)
	clear(m.workers)
	m.views, m.paths, m.binders, m.holds, m.ranges = m.views[:0], m.paths[:0], m.binders[:0], m.holds[:0], m.ranges[:0]
	m.runs, m.batches, m.workers = m.runs[:0], m.batches[:0], m.workers[:0]
	m.watched = false
}

// giveBack forgets everything, and releases memory that has room for many more views than there
// were.
func (m *image) giveBack() {
	if n := len(m.views); n > 0 && !atom.Worthwhile(cap(m.views), n) {
		*m = image{}
		return
	}
	m.clear()
}

// collect finds everything in the value at base. Slices of views are copied first, so that the value
// has views of its own.
func (m *image) collect(l *layout, base unsafe.Pointer) {
	atom.Hide() // package reflect has caches
	defer atom.Show()
	m.find(l, base, "")
}

func (m *image) find(l *layout, base unsafe.Pointer, prefix string) {
	for i := range l.fields {
		f := &l.fields[i]
		p := unsafe.Add(base, f.offset)
		path := join(prefix, f.path)
		switch f.kind {
		case viewField:
			m.add(reflect.NewAt(f.typ, p).Interface().(safety.View), (*safety.Hold)(unsafe.Add(p, f.hold)), path)
		case workerField:
			m.workers = append(m.workers, (*Worker)(p))
		case maybeField:
			if *(*bool)(p) {
				m.find(f.elem, p, path)
			}
		case sliceField:
			s, size := valueAt(f.typ, p), f.typ.Elem().Size()
			own := reflect.MakeSlice(f.typ, s.Len(), s.Len())
			reflect.Copy(own, s)
			first := own.UnsafePointer()
			*(*[]byte)(p) = unsafe.Slice((*byte)(first), s.Len()) // so many elements
			for k := range own.Len() {
				m.find(f.elem, unsafe.Add(first, uintptr(k)*size), path+"["+strconv.Itoa(k)+"]")
			}
		}
	}
}

// valueAt returns the value of a type that is no pointer, as it lies there. reflect.NewAt would make the type of its pointer, if
// nobody has it, in memory that the race detector sees: it does not see what orders those who make it and those who look.
func valueAt(t reflect.Type, p unsafe.Pointer) reflect.Value {
	var v any
	*(*[2]unsafe.Pointer)(unsafe.Pointer(&v)) = [2]unsafe.Pointer{(*[2]unsafe.Pointer)(unsafe.Pointer(&t))[1], p}
	return reflect.ValueOf(v)
}

// binderOf returns the binder of a view. A type that has a view's fields and not its methods, as
// one declared by type own array.Writer[int], is a violation.
func binderOf(v safety.View, path string) safety.Binder {
	defer func() {
		if recover() != nil { // the conversion by the view's kind
			t := reflect.TypeOf(v).Elem().String()
			bad := safety.NewViolation(safety.ErrField, "a job has a field "+path+" of type "+t+", which has the fields of a view and not its methods", "Carry the view as its container returns it.")
			bad.Field = path
			panic(bad)
		}
	}()
	return safety.BinderOf(v)
}

func (m *image) add(v safety.View, h *safety.Hold, path string) {
	b := binderOf(v, path)
	if r, ok := b.(safety.RangeView); ok {
		m.ranges = append(m.ranges, rangeRef{view: r, claim: len(m.views)})
	}
	if r, ok := b.(safety.SpanView); ok {
		m.runs = append(m.runs, r)
		m.watched = true
	}
	if c, ok := b.(batchView); ok {
		m.batches = append(m.batches, c)
		m.watched = true
	}
	m.views = append(m.views, v)
	m.paths = append(m.paths, path)
	m.binders = append(m.binders, b)
	m.holds = append(m.holds, h)
}
