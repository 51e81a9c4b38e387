package parallelfor

import (
	"unsafe"

	"example.com/custody/internal/pad"
)

// typed is a job of type J: its value and its kind, in one piece with its work.
type typed[J any] struct {
	work  work
	value J
	kind  kind[J]
}

// fill sets the value and the kind of a job of type J.
func fill[J any](w *work, value *J, k kind[J]) {
	t := (*typed[J])(unsafe.Pointer(w))
	t.value, t.kind = *value, k
}

// kind is [Kind] without a name, for which a compiler generates less code.
type kind[J any] = interface {
	Loop(job *J, r *Batches) error
	PerIndex() bool
}

// operation is an operation that depends on the type of a job.
type operation uint8

const (
	opNew   operation = iota // returns new work
	opCopy                   // returns memory for a copy of the value, on cache lines of its own
	opFill                   // sets the copy at p to the value
	opWipe                   // sets the copy at p to zero
	opClear                  // sets the value to zero
	opLoop                   // has the kind execute batches with the copy at p
)

// operateOn performs an operation on a job of type J. A compiler generates it for each type, so it
// is one small function.
func operateOn[J any](w *work, what operation, p unsafe.Pointer, r *Batches) (unsafe.Pointer, error) {
	t := (*typed[J])(unsafe.Pointer(w))
	switch what {
	case opNew:
		t = new(typed[J])
		t.work.value = unsafe.Pointer(&t.value)
		return unsafe.Pointer(t), nil
	case opCopy:
		return unsafe.Pointer(&new(struct {
			_    pad.Bytes
			copy J
			_    pad.Bytes
		}).copy), nil
	case opFill:
		*(*J)(p) = t.value
	case opWipe:
		var zero J
		*(*J)(p) = zero
	case opClear:
		var zero J
		t.value, t.kind = zero, nil
	case opLoop:
		return nil, t.kind.Loop((*J)(p), r)
	}
	return nil, nil
}

// newWork returns a job of the plan's type.
func (p *plan) newWork() *work {
	at, _ := p.operate(nil, opNew, nil, nil)
	w := (*work)(at)
	w.plan = p
	return w
}

// newCopy returns memory for a copy of the job's value.
func (w *work) newCopy() unsafe.Pointer {
	at, _ := w.plan.operate(w, opCopy, nil, nil)
	return at
}
