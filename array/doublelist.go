package array

import (
	"iter"

	"example.com/custody/safety"
)

// DoubleList is a list with two buffers, as [Double] is an array with two: while a job appends to the back one, or writes it, everybody reads
// the front one, which holds what the last completed job left; and they change places when custody of the back one returns.
//
// The first job that holds the back buffer after custody of it has returned finds it empty if it appends, and otherwise with what the last job
// but one left, or a last one that failed. Those that run after it, before custody returns, find what it left.
//
// Outside jobs it is a list of the front buffer. Make it with [NewDoubleList]; it must not be copied.
type DoubleList[T any] struct {
	buffers [2]List[T]
	choice  safety.Choice // which buffer is the front
	begun   uint32        // the choice's Turns when a job held the back buffer last
}

// NewDoubleList returns a DoubleList whose buffers are empty.
func NewDoubleList[T any](opts ...safety.Option) *DoubleList[T] {
	d := new(DoubleList[T])
	for i := range d.buffers {
		d.buffers[i].init(d, nil, opts)
	}
	d.choice.Init(&d.buffers[0].of.guard, &d.buffers[1].of.guard)
	return d
}

func (d *DoubleList[T]) list() *List[T] { return &d.buffers[d.choice.Front()] }

func (d *DoubleList[T]) front() *Array[T] { return &d.list().of }

func (d *DoubleList[T]) back() *Array[T] { return &d.buffers[d.choice.Back()].of }

func (d *DoubleList[T]) chosen() *safety.Choice { return &d.choice }

// OpenPhase implements safety.Phased: only the back buffer is ever lent to be appended to or written.
//
//go:norace
func (d *DoubleList[T]) OpenPhase(p *safety.Phase) {
	l := d.list()
	if p.Mode != safety.Read {
		l = &d.buffers[d.choice.Back()]
		if n := d.choice.Turns(); n != d.begun {
			if d.begun = n; p.Mode == safety.Append {
				l.cut(0)
			}
		}
	}
	l.OpenPhase(p)
}

// SealPhase implements safety.Phased.
func (d *DoubleList[T]) SealPhase(p *safety.Phase) { d.buffers[d.choice.Back()].SealPhase(p) }

// ReturnPhase implements safety.Returner.
func (d *DoubleList[T]) ReturnPhase(bool) { d.choice.Swap() }

// Len returns the number of elements.
func (d *DoubleList[T]) Len() int { return d.list().Len() }

// At returns element i of the front buffer.
func (d *DoubleList[T]) At(i int) T { return d.list().At(i) }

// Set sets element i of the front buffer.
func (d *DoubleList[T]) Set(i int, v T) { d.list().Set(i, v) }

// Slice returns the front buffer itself; see [List.Slice].
func (d *DoubleList[T]) Slice() []T { return d.list().Slice() }

// All ranges over what is the front buffer when the range begins, as [List.All] does. The range
// stays with this buffer when the buffers change places.
func (d *DoubleList[T]) All() iter.Seq2[int, T] {
	return func(yield func(int, T) bool) { d.list().All()(yield) }
}

// CopyFrom copies src over the elements of the front buffer. Unequal lengths are a violation.
func (d *DoubleList[T]) CopyFrom(src []T) { d.list().CopyFrom(src) }

// CopyTo copies the front buffer into dst. Unequal lengths are a violation.
func (d *DoubleList[T]) CopyTo(dst []T) { d.list().CopyTo(dst) }

// Append adds v at the end of the front buffer.
func (d *DoubleList[T]) Append(v T) { d.list().Append(v) }

// AppendAll adds all of vs at the end of the front buffer, in their order.
func (d *DoubleList[T]) AppendAll(vs []T) { d.list().AppendAll(vs) }

// Resize makes the front buffer n elements long; see [List.Resize].
func (d *DoubleList[T]) Resize(n int) { d.list().Resize(n) }

// Clear takes all elements out of the front buffer. The capacity is kept.
func (d *DoubleList[T]) Clear() { d.list().Clear() }

// Both calls do with both buffers, the front one first: for who changes the length or the structure
// of both, as a table does with its columns. It is a violation while an uncompleted job holds
// either, and with a nil do. It is also a violation if do disposes of a list, or leaves a job that
// holds one. do must not keep the lists: these are the DoubleList's. When it panics in the second
// call the two stay different, in length, too.
func (d *DoubleList[T]) Both(do func(l *List[T])) {
	k := d.choice.Front()
	front, back := &d.buffers[k], &d.buffers[1-k]
	if do == nil {
		g := &front.of.guard
		panic(g.Violation(safety.ErrArgument, "Both of "+g.Container()+" was given a nil function", "Give it one."))
	}
	for _, l := range [...]*List[T]{front, back, nil} {
		back.of.guard.CheckWrite() // both, before anything is changed, and after each call
		front.of.guard.CheckWrite()
		if l != nil {
			do(l)
		}
	}
}

// Reader returns a view that reads the buffer that is the front when the job is scheduled: what is in it when the job starts.
func (d *DoubleList[T]) Reader() Reader[T] {
	if d == nil {
		return Reader[T]{}
	}
	return Reader[T]{pair: d}
}

// Writer returns a view that writes the buffer that is the back when the job is scheduled. Its length stays.
func (d *DoubleList[T]) Writer() Writer[T] {
	if d == nil {
		return Writer[T]{}
	}
	return Writer[T]{pair: d, stride: 1}
}

// ParallelWriter returns a view that appends to the buffer that is the back when the job is scheduled; see [List.ParallelWriter].
func (d *DoubleList[T]) ParallelWriter() ParallelWriter[T] {
	if d == nil {
		return ParallelWriter[T]{}
	}
	return ParallelWriter[T]{pair: d}
}

// Dispose ends the container: every later use is a violation. It is one itself while an uncompleted job
// holds either buffer, and the second time.
func (d *DoubleList[T]) Dispose() {
	d.choice.Dispose(&d.buffers[0].of.guard, &d.buffers[1].of.guard)
	d.buffers[0].drop()
	d.buffers[1].drop()
}

// DisposeAfter is Dispose for a container that jobs hold: every use from now on is a violation, but that of the
// handle's job and of those that it runs after. Another job that holds it is a violation; then nothing changes. The
// memory of a buffer is let go of when the last that holds it is completed.
func (d *DoubleList[T]) DisposeAfter(h safety.Handle) {
	d.choice.DisposeAfter(&d.buffers[0].of.guard, &d.buffers[1].of.guard, h, func(which int) { d.buffers[which].drop() })
}

// Disposed says whether the container was disposed.
func (d *DoubleList[T]) Disposed() bool { return d.front().Disposed() }
