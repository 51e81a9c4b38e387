package parallelfor

import (
	"context"
	"unsafe"

	"example.com/custody/internal/pad"
)

// typed is a job of type J: its value and its kind, in one piece with its work.
type typed[J any] struct {
	work  work
	value J
	kind  kind[J]
}

// operation is what is done differently for each type of job.
type operation uint8

const (
	opNew   operation = iota // returns new work
	opCopy                   // returns memory for a copy of the value, on cache lines of its own
	opFill                   // makes the copy at p what the value is
	opWipe                   // makes the copy at p zero
	opClear                  // makes the value itself zero
	opLoop                   // has the kind execute batches with the copy at p
)

// operateOn does what depends on the type of a job. A compiler makes it anew for each type, so it
// is one function, and little.
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

// newCopy returns a copy of the job's value.
func (w *work) newCopy() unsafe.Pointer {
	at, _ := w.plan.operate(w, opCopy, nil, nil)
	return at
}

// kind is [Kind] without a name, for which a compiler makes less.
type kind[J any] = interface {
	Loop(job *J, r *Batches) error
	PerIndex() bool
}

// build makes a job of the value and the kind and has it admitted. Whoever calls it is called by who schedules the job.
func build[J any](ctx context.Context, n int, value *J, k kind[J], single bool, opts []Option, how mode) *work {
	fine := k.PerIndex()
	key, code, form := costKey(k)
	p := planOf((*J)(nil))
	if p == nil {
		p = makePlan((*J)(nil), operateOn[J])
	}
	w := p.takeWork(how, opts)
	t := (*typed[J])(unsafe.Pointer(w))
	t.value, t.kind = *value, k
	w.fine, w.single = fine, single
	w.code, w.form = code, form
	w.admit(ctx, n, opts, key)
	return w
}
