package parallelfor

import (
	"reflect"
	"strconv"
	"unsafe"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// This file finds bodies that write a plain field of their job. Each worker has a copy of the job,
// so what a body writes there is lost with the copy, and which batches see it before depends on
// which worker executes them.
//
// Strict builds compare the copy with the job after every batch. Checked builds compare it after
// batch 0 of every loop, because every run that is not cancelled executes that batch. The worker of
// batch 0 begins it with a copy that no other batch has written.

// looksOnce reports whether only batch 0 is compared.
const looksOnce = safety.Enabled && !safety.Strict

// plain is memory of plain fields that a body must leave as it was: that of one field, with its
// path, if the layout is named, and otherwise that of neighbouring fields.
type plain struct {
	offset uintptr
	size   uintptr
	path   string
}

// addPlain adds what of a value of type t at the offset is to be compared: everything but padding.
func (l *layout) addPlain(t reflect.Type, at uintptr, path string) {
	switch t.Kind() {
	case reflect.Struct:
		for f := range t.Fields() {
			if f.Name != "_" {
				l.addPlain(f.Type, at+f.Offset, path)
			}
		}
	case reflect.Array:
		for i := range t.Len() {
			l.addPlain(t.Elem(), at+uintptr(i)*t.Elem().Size(), path)
		}
	default:
		if k := len(l.plain); k > 0 && !l.named && l.plain[k-1].offset+l.plain[k-1].size == at {
			l.plain[k-1].size += t.Size()
			return
		}
		l.plain = append(l.plain, plain{offset: at, size: t.Size(), path: path})
	}
}

// compares reports whether values of the type have anything to compare.
func (l *layout) compares() bool { return len(l.plain) > 0 || l.varies }

// writtenField reports whether a plain field of the worker's copy differs from that of the value
// that was scheduled. It returns the field's path if the layout is named.
func (l *layout) writtenField(copy, value unsafe.Pointer) (path string, written bool) {
	for i := range l.plain {
		p := &l.plain[i]
		if !sameMemory(unsafe.Add(copy, p.offset), unsafe.Add(value, p.offset), p.size) {
			return p.path, true
		}
	}
	if !l.varies {
		return "", false
	}
	for i := range l.fields {
		f := &l.fields[i]
		a, b := unsafe.Add(copy, f.offset), unsafe.Add(value, f.offset)
		switch f.kind {
		case maybeField:
			if *(*bool)(a) != *(*bool)(b) {
				return f.path, true
			}
			if path, written := f.elem.writtenField(a, b); written {
				return join(f.path, path), true
			}
		case sliceField:
			x, y, size := valueAt(f.typ, a), valueAt(f.typ, b), f.typ.Elem().Size()
			if x.Len() != y.Len() {
				return f.path, true
			}
			for k := range x.Len() {
				at := uintptr(k) * size
				if path, written := f.elem.writtenField(unsafe.Add(x.UnsafePointer(), at), unsafe.Add(y.UnsafePointer(), at)); written {
					return join(f.path+"["+strconv.Itoa(k)+"]", path), true
				}
			}
		}
	}
	return "", false
}

func sameMemory(a, b unsafe.Pointer, size uintptr) bool {
	return unsafe.String((*byte)(a), size) == unsafe.String((*byte)(b), size)
}

// spoiled fails the batch that ends if it has written a plain field, and reports whether it has. In
// strict builds the worker then has another copy.
func (r *Batches) spoiled() bool {
	w := r.worker.work
	if _, written := w.plan.layout.writtenField(r.worker.copy, w.value); !written {
		return false
	}
	atom.Hide() // package reflect has caches
	path, _ := layoutIn(w.plan.typ, nil, true).writtenField(r.worker.copy, w.value)
	atom.Show()
	name := r.job.name
	what := "job " + name + " wrote its plain field " + path
	if path == "" {
		what = "job " + name + " wrote its value"
	}
	v := safety.NewViolation(safety.ErrPlainField, what+", which is lost: each worker has a copy of the job",
		"Keep results in a container that the job carries a view of, and what a body needs for itself in local variables; "+
			"or, if the field is a scratch of the worker's, tag it `custody:\"unguarded\"`.")
	v.Job, v.Field, v.At = name, path, w.stands()
	r.job.fail(&failure{batch: r.failingBatch(), violation: v})
	r.abandon()
	return true
}
