package array

import (
	"iter"

	"example.com/custody/safety"
)

// Double is an array with two buffers: while a job writes the back one, everybody reads the front one,
// which holds what the last completed job wrote. They change places when custody of the back one
// returns: at Complete, of the job or of one that runs after it, and only if the job ran to its end.
//
// So a frame can be drawn from the results of the last while the next is computed. A job that reads
// the front must be completed, or run before, when the next but one writes that buffer; that is checked
// like every claim. What a job finds in the back buffer is what the last job but one wrote.
//
// Outside jobs it is like an Array of the front buffer. Make it with [NewDouble]; it must not be copied.
type Double[T any] struct {
	buffers [2]Array[T]
	choice  safety.Choice // which buffer is the front
}

// NewDouble returns a Double of n elements. A negative n is a violation, and so is one beyond what
// memory can hold.
func NewDouble[T any](n int, opts ...safety.Option) *Double[T] {
	d := new(Double[T])
	for i := range d.buffers {
		d.buffers[i].init(d, nil, opts)
		d.buffers[i].make(n)
	}
	d.choice.Init(&d.buffers[0].guard, &d.buffers[1].guard)
	return d
}

func (d *Double[T]) front() *Array[T] { return &d.buffers[d.choice.Front()] }

func (d *Double[T]) back() *Array[T] { return &d.buffers[d.choice.Back()] }

func (d *Double[T]) chosen() *safety.Choice { return &d.choice }

// doubled is a container with two buffers, for its views.
type doubled[T any] interface {
	front() *Array[T]
	back() *Array[T]
	chosen() *safety.Choice
}

// ReturnPhase implements safety.Returner: only the back buffer is ever lent to be written.
func (d *Double[T]) ReturnPhase(bool) { d.choice.Swap() }

// Len returns the number of elements.
func (d *Double[T]) Len() int { return d.front().Len() }

// At returns element i of the front buffer.
func (d *Double[T]) At(i int) T { return d.front().At(i) }

// Set sets element i of the front buffer.
func (d *Double[T]) Set(i int, v T) { d.front().Set(i, v) }

// Slice returns the front buffer itself; see [Array.Slice].
func (d *Double[T]) Slice() []T { return d.front().Slice() }

// All ranges over what is the front buffer when the range begins, as [Array.All] does. The range
// stays with this buffer when the buffers change places.
func (d *Double[T]) All() iter.Seq2[int, T] {
	return func(yield func(int, T) bool) { d.front().All()(yield) }
}

// CopyFrom copies src into the front buffer. Unequal lengths are a violation.
func (d *Double[T]) CopyFrom(src []T) { d.front().CopyFrom(src) }

// CopyTo copies the front buffer into dst. Unequal lengths are a violation.
func (d *Double[T]) CopyTo(dst []T) { d.front().CopyTo(dst) }

// Clear sets every element of the front buffer to T's zero value.
func (d *Double[T]) Clear() { d.front().Clear() }

// Reader returns a view that reads the buffer that is the front when the job is scheduled.
func (d *Double[T]) Reader() Reader[T] {
	if d == nil {
		return Reader[T]{}
	}
	return Reader[T]{pair: d}
}

// Writer returns a view that writes the buffer that is the back when the job is scheduled.
func (d *Double[T]) Writer() Writer[T] {
	if d == nil {
		return Writer[T]{}
	}
	return Writer[T]{pair: d, stride: 1}
}

// Dispose ends the container: every later use is a violation. It is one itself while an uncompleted
// job holds either buffer, and the second time.
func (d *Double[T]) Dispose() {
	d.choice.Dispose(&d.buffers[0].guard, &d.buffers[1].guard)
	d.buffers[0].data, d.buffers[1].data = nil, nil
}

// DisposeAfter is Dispose for a container that jobs hold: every use from now on is a violation, but that of the
// handle's job and of those that it runs after. Another job that holds it is a violation; then nothing changes. The
// memory of a buffer is let go of when the last that holds it is completed.
func (d *Double[T]) DisposeAfter(h safety.Handle) {
	d.choice.DisposeAfter(&d.buffers[0].guard, &d.buffers[1].guard, h, func(which int) { d.buffers[which].data = nil })
}

// Disposed says whether the container was disposed.
func (d *Double[T]) Disposed() bool { return d.front().Disposed() }
