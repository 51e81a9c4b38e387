package parallelfor

import (
	"reflect"
	"strconv"
	"unsafe"

	"example.com/custody/safety"
)

// This file is how strict builds find out that a body writes a plain field of its job. Each worker has a copy of the
// job, so what is written there is lost with the copy, and which cells see it before depends on who runs them.

// plain is a plain field: a word, or a few, that a body must leave as they were.
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
		l.plain = append(l.plain, plain{offset: at, size: t.Size(), path: path})
	}
}

// writtenField returns the path of a plain field in which the worker's copy of a job is not what the job was scheduled
// with, if there is one.
func (l *layout) writtenField(copy, value unsafe.Pointer, prefix string) (path string, written bool) {
	for i := range l.plain {
		p := &l.plain[i]
		if !sameMemory(unsafe.Add(copy, p.offset), unsafe.Add(value, p.offset), p.size) {
			return join(prefix, p.path), true
		}
	}
	for i := range l.fields {
		f := &l.fields[i]
		a, b := unsafe.Add(copy, f.offset), unsafe.Add(value, f.offset)
		path := join(prefix, f.path)
		switch f.kind {
		case maybeField:
			x, y := reflect.NewAt(f.typ, a).Interface().(safety.Maybe), reflect.NewAt(f.typ, b).Interface().(safety.Maybe)
			if x.Present() != y.Present() {
				return path, true
			}
			if path, written := f.elem.writtenField(a, b, path); written {
				return path, true
			}
		case sliceField:
			x, y, size := valueAt(f.typ, a), valueAt(f.typ, b), f.typ.Elem().Size()
			if x.Len() != y.Len() {
				return path, true
			}
			for k := range x.Len() {
				at := uintptr(k) * size
				if path, written := f.elem.writtenField(unsafe.Add(x.UnsafePointer(), at), unsafe.Add(y.UnsafePointer(), at), path+"["+strconv.Itoa(k)+"]"); written {
					return path, true
				}
			}
		}
	}
	return "", false
}

func sameMemory(a, b unsafe.Pointer, size uintptr) bool {
	return unsafe.String((*byte)(a), size) == unsafe.String((*byte)(b), size)
}

// spoiled fails the cell that ends if it has written a plain field, and says whether it has. Then the worker has another
// copy.
func (r *Cells) spoiled() bool {
	w := r.worker.work
	path, written := w.plan.layout.writtenField(r.worker.copy, w.value, "")
	if !written {
		return false
	}
	name := r.job.name
	what := "job " + name + " wrote its plain field " + path
	if path == "" {
		what = "job " + name + " wrote its value"
	}
	v := safety.NewViolation(safety.ErrPlainField, what+", which is lost: each worker has a copy of the job",
		"Keep results in a container that the job carries a view of, and what a body needs for itself in local variables; "+
			"or, if the field is a scratch of the worker's, tag it `custody:\"unguarded\"`.")
	v.Job, v.Field = name, path
	r.job.fail(&failure{cell: r.failingCell(), violation: v})
	r.abandon()
	return true
}
