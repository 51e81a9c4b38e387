package array

import (
	"example.com/custody/internal/amount"
	"example.com/custody/internal/elem"
	"example.com/custody/safety"
)

// Double is two arrays of equal length that swap: jobs and the owner read the front, while the next
// frame is written to the back. The owner calls Swap between frames:
//
//	job := step{Now: d.Front().Reader(), Next: d.Back().Writer()}
//	h := parallelfor.Schedule(n, job, (*step).Execute)
//	draw(d.Front()) // the last frame, while the next one is computed
//	h.Complete()
//	d.Swap()
//
// A job holds the array that its view was made of, regardless of later swaps. A reader of frame N
// must be completed, or ordered before, the job that writes frame N+2, which reuses its buffer.
// This is checked as every claim is. The back has the contents of two frames ago.
//
// Front, Back and Swap are for one goroutine at a time, or several that order themselves; jobs that
// hold a buffer do not exclude Front and Back. Each buffer is a container of its own, also in texts
// and leak reports; both have the name that NewDouble is given. Make a Double with [NewDouble]; it
// must not be copied.
//
// Front, Back, Swap: owner reads; wait-free; O(1); allocates never.
// Dispose: owner changes; lock; O(1); allocates never.
type Double[T any] struct {
	buffers [2]Array[T]
	front   int
}

// NewDouble returns a Double of n elements. It is a violation if n is negative or more than memory
// can hold.
func NewDouble[T any](n int, opts ...safety.Option) *Double[T] {
	d := new(Double[T])
	for i := range d.buffers {
		a := &d.buffers[i]
		a.guard.Init(a, 0, opts...)
		(*core)(elem.Pointer(a)).fits(n, uintptr(amount.Size[T]()))
		a.data = make([]T, n)
	}
	return d
}

// Front returns the array with the last finished frame.
func (d *Double[T]) Front() *Array[T] { return &d.buffers[d.front] }

// Back returns the array that the next frame is written to.
func (d *Double[T]) Back() *Array[T] { return &d.buffers[1-d.front] }

// Swap exchanges the front and the back. It is a violation while an uncompleted job writes one of
// them. Jobs that read them may be uncompleted.
func (d *Double[T]) Swap() { swap(&d.front, &d.buffers[0].guard, &d.buffers[1].guard) }

// Dispose ends both arrays: every later use is a violation, and so is a second Dispose. Dispose is
// a violation while an uncompleted job holds either array, and then ends neither.
func (d *Double[T]) Dispose() {
	d.buffers[1].guard.CheckWrite()
	d.buffers[0].Dispose()
	d.buffers[1].Dispose()
}

// DoubleList is two lists that swap, as the arrays of a [Double] do. The lists may differ in
// length. A frame that is to begin with an empty back calls d.Back().Clear() first. Make a
// DoubleList with [NewDoubleList]; it must not be copied.
//
// Front, Back, Swap: owner reads; wait-free; O(1); allocates never.
// Dispose: owner changes; lock; O(1); allocates never.
type DoubleList[T any] struct {
	buffers [2]List[T]
	front   int
}

// NewDoubleList returns a DoubleList of two empty lists.
func NewDoubleList[T any](opts ...safety.Option) *DoubleList[T] {
	d := new(DoubleList[T])
	for i := range d.buffers {
		d.buffers[i].init(nil, opts)
	}
	return d
}

// Front returns the list with the last finished frame.
func (d *DoubleList[T]) Front() *List[T] { return &d.buffers[d.front] }

// Back returns the list that the next frame is written or appended to.
func (d *DoubleList[T]) Back() *List[T] { return &d.buffers[1-d.front] }

// Swap exchanges the front and the back. It is a violation while an uncompleted job writes or
// appends to one of them. Jobs that read them may be uncompleted.
func (d *DoubleList[T]) Swap() { swap(&d.front, &d.buffers[0].of.guard, &d.buffers[1].of.guard) }

// Dispose ends both lists, as [Double.Dispose] does.
func (d *DoubleList[T]) Dispose() {
	d.buffers[1].of.guard.CheckWrite()
	d.buffers[0].Dispose()
	d.buffers[1].Dispose()
}

// swap makes the other buffer the front, unless a job changes one of them.
func swap(front *int, first, second *safety.Guard) {
	first.CheckRead()
	second.CheckRead()
	*front = 1 - *front
}
