package parallelfor

import (
	"reflect"
	"unsafe"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// This file finds bodies that write a plain field of their job. Each worker has a copy of the job,
// so what a body writes there is lost with the copy. Until then the batches that the same worker
// executes see it.
//
// Strict builds compare the copy with the job after every batch. Checked builds compare it after
// batch 0 of every loop, because every run that is not cancelled executes that batch. The worker of
// batch 0 begins it with a copy that no other batch has written.

// looksOnce reports whether only batch 0 is compared.
const looksOnce = safety.Enabled && !safety.Strict

// plain is memory of plain fields that a body must leave as it was: that of one field, with its
// path, if the plan is named, and otherwise that of neighbouring fields.
type plain struct {
	offset uintptr
	size   uintptr
	path   string
}

// addPlain adds all memory of a value of type t at the offset, except padding.
func (p *fieldPlan) addPlain(t reflect.Type, at uintptr, path string) {
	switch t.Kind() {
	case reflect.Struct:
		for f := range t.Fields() {
			if f.Name != "_" {
				p.addPlain(f.Type, at+f.Offset, path)
			}
		}
	case reflect.Array:
		for i := range t.Len() {
			p.addPlain(t.Elem(), at+uintptr(i)*t.Elem().Size(), path)
		}
	default:
		if k := len(p.plain); k > 0 && !p.named && p.plain[k-1].offset+p.plain[k-1].size == at {
			p.plain[k-1].size += t.Size()
			return
		}
		p.plain = append(p.plain, plain{offset: at, size: t.Size(), path: path})
	}
}

// compares reports whether values of the type have anything to compare.
func (p *fieldPlan) compares() bool { return len(p.plain) > 0 || p.varies }

// writtenField reports whether a plain field of the worker's copy differs from that of the value
// that was scheduled. It returns the field's path if the plan is named.
func (p *fieldPlan) writtenField(copy, value unsafe.Pointer) (path string, written bool) {
	for i := range p.plain {
		f := &p.plain[i]
		if !sameMemory(unsafe.Add(copy, f.offset), unsafe.Add(value, f.offset), f.size) {
			return f.path, true
		}
	}
	if !p.varies {
		return "", false
	}
	for i := range p.fields {
		f := &p.fields[i]
		if f.elem == nil {
			continue
		}
		a, n := f.elements(unsafe.Add(copy, f.offset))
		b, m := f.elements(unsafe.Add(value, f.offset))
		if n != m {
			return f.path, true
		}
		for k := range n {
			at := uintptr(k) * f.size
			if path, written := f.elem.writtenField(unsafe.Add(a, at), unsafe.Add(b, at)); written {
				return join(f.elementPath(f.path, k), path), true
			}
		}
	}
	return "", false
}

func sameMemory(a, b unsafe.Pointer, size uintptr) bool {
	return unsafe.String((*byte)(a), size) == unsafe.String((*byte)(b), size)
}

// spoiled reports whether the batch that ends has written a plain field, and fails the batch if so.
// In strict builds the worker then has another copy.
func (r *worker) spoiled() bool {
	w := r.work
	if _, written := w.plan.fields.writtenField(r.copy, w.value); !written {
		return false
	}
	atom.Hide() // package reflect has caches
	path, _ := planFields(w.plan.typ, nil, true).writtenField(r.copy, w.value)
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
