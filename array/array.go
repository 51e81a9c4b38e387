package array

import (
	"iter"
	"math"
	"strconv"

	"example.com/custody/internal/amount"
	"example.com/custody/safety"
)

// Array is a fixed number of elements that jobs use through views, and the owner through methods.
// Elements start as T's zero value. Make an Array with [New] or [Of]; it must not be copied.
//
// Outside jobs an Array is like a slice: it is not safe for concurrent use that writes, and each use
// costs one more load, which checks custody. While an uncompleted job writes the array, every use is
// a violation; while one reads it, every change is. Custody covers the elements, not what they point
// to.
//
// Memory model: see package safety.
type Array[T any] struct{ elements[T] }

// elements is the part that Array and List share.
type elements[T any] struct {
	guard   safety.Guard
	data    []T  // the length of an Array's is constant until Dispose
	n       int  // that length, also after Dispose; read by claims that are not admitted yet
	grows   bool // the elements are those of a list
	adopted bool // the elements lie in a slice that Of or ListOf adopted
}

// New returns an array of n elements. It is a violation if n is negative or more than memory can
// hold.
func New[T any](n int, opts ...safety.Option) *Array[T] {
	a := new(Array[T])
	a.guard.Init(a, 0, opts...)
	a.make(n)
	return a
}

// Of returns an array whose elements are those of data. Nothing is copied: the array adopts the
// slice, and each shows the changes of the other. Capacity beyond the length is not used. It is a
// violation if data has more elements, which then have no size, than memory has bytes.
//
// A slice may be adopted several times. Jobs on arrays and lists whose adopted slices overlap
// exclude each other as jobs on one container do. A body that makes an array of memory which its
// job holds through such a container passes on the job's view instead: a job on the new array is
// a violation, except if both jobs read.
//
// Cost: the schedule and the return of a job on such an array visit each adopted slice that jobs
// hold at the time, under a lock that all these jobs share. With thousands of adopted slices in
// jobs that takes tens of microseconds a job.
//
// Only the race detector reports the following: a use of the slice itself while a job holds the
// array; a use of the array by its owner while a job holds another array or list that overlaps it;
// and, if data came from the Slice of a container that has adopted nothing, or of a view of it, a
// conflict with jobs on that container. If two batches make arrays of one slice that their job does
// not hold, and schedule jobs on these, the checks find the conflict only if one job is scheduled
// while the other runs; the race detector finds it on every run.
func Of[T any](data []T, opts ...safety.Option) *Array[T] {
	a := new(Array[T])
	a.guard.Init(a, 0, opts...)
	a.fits(len(data))
	a.data, a.n = data[:len(data):len(data)], len(data)
	a.adopts()
	return a
}

// make allocates the n elements of an array that has none yet.
func (e *elements[T]) make(n int) {
	e.fits(n)
	e.data, e.n = make([]T, n), n
}

// fits panics with a violation if n is no length of an array that is being made.
func (e *elements[T]) fits(n int) {
	if most := amount.Most[T](); n < 0 || n > most {
		e.guard.Dispose() // the caller never gets the array, so it must not count as a leak
		panic(amount.Refusal(&e.guard, "was asked to have", n, 0, most, "element"))
	}
}

// Len returns the number of elements. It is allowed while jobs hold the array.
func (a *Array[T]) Len() int {
	a.guard.CheckExists()
	return len(a.data)
}

// At returns element i. An index outside [0, Len) is a violation, in unchecked builds the panic of
// a slice.
func (e *elements[T]) At(i int) T {
	if !safety.Enabled {
		return e.data[i]
	}
	e.guard.CheckRead()
	if data := e.data; uint(i) < uint(len(data)) {
		return data[i]
	}
	return e.outside(i)
}

// Set sets element i. An index outside [0, Len) is a violation, in unchecked builds the panic of a
// slice.
func (e *elements[T]) Set(i int, v T) {
	if !safety.Enabled {
		e.data[i] = v
		return
	}
	e.guard.CheckWrite()
	if data := e.data; uint(i) < uint(len(data)) {
		data[i] = v
		return
	}
	e.outside(i)
}

// outside panics with the violation of using element i.
func (e *elements[T]) outside(i int) T {
	v := e.guard.Violation(safety.ErrIndex, "index "+strconv.Itoa(i)+" of "+e.guard.Container()+" was used, which has length "+strconv.Itoa(len(e.data)),
		"Indices begin at 0 and end at length-1.")
	v.Index, v.Max, v.Length = i, len(e.data), len(e.data)
	panic(v)
}

// Slice returns the elements themselves, to be read and written until the container changes its
// length. Custody is checked by this call only: uses of the slice while a job holds the container are
// seen by nothing except the race detector.
func (e *elements[T]) Slice() []T {
	e.guard.CheckWrite()
	return e.data[:len(e.data):len(e.data)]
}

// All returns an iterator over the indices and elements in order. It checks custody at every step:
// a step while a job holds the container in a mode that excludes reads by the owner is a violation.
//
// The loop may change the container, also through a job that it completes. The iterator yields each
// element as it is when the loop reaches its index. It ends at the length at the beginning of the
// loop, or at the current length if that is less.
func (e *elements[T]) All() iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		e.guard.CheckRead()
		for i, n := 0, len(e.data); i < min(n, len(e.data)) && yield(i, e.data[i]); i++ {
			e.guard.CheckRead()
		}
	}
}

// CopyFrom copies src over the elements. Unequal lengths are a violation.
func (e *elements[T]) CopyFrom(src []T) {
	e.guard.CheckWrite()
	e.sameLength("copied from a slice", len(src))
	copy(e.data, src)
}

// CopyTo copies the elements into dst. Unequal lengths are a violation.
func (e *elements[T]) CopyTo(dst []T) {
	e.guard.CheckRead()
	e.sameLength("copied to a slice", len(dst))
	copy(dst, e.data)
}

func (e *elements[T]) sameLength(what string, n int) {
	if n == len(e.data) {
		return
	}
	do := "The lengths must be equal: cut the longer one."
	if e.grows {
		do = "The lengths must be equal: cut the longer one, or Resize the list to " + strconv.Itoa(n) + " first."
	}
	v := e.guard.Violation(safety.ErrLength, e.guard.Container()+" of length "+strconv.Itoa(len(e.data))+" was "+what+" of length "+strconv.Itoa(n), do)
	v.N, v.Length = n, len(e.data)
	panic(v)
}

// Clear sets every element to T's zero value.
func (a *Array[T]) Clear() {
	a.guard.CheckWrite()
	clear(a.data)
}

// Reader returns a view that reads all elements.
func (a *Array[T]) Reader() Reader[T] {
	if a == nil {
		return Reader[T]{}
	}
	return a.reader()
}

// Writer returns a view that reads and writes the elements that the current batch's indices own.
func (a *Array[T]) Writer() Writer[T] {
	if a == nil {
		return Writer[T]{}
	}
	return a.writer()
}

func (e *elements[T]) reader() Reader[T] {
	return Reader[T]{hold: e.guard.Hold(safety.Read, (*readerKind[T])(nil)), of: e}
}

func (e *elements[T]) writer() Writer[T] {
	return Writer[T]{window: window[T]{hold: e.guard.Hold(safety.Write, (*writerKind[T])(nil)), of: e}, stride: 1}
}

// serves returns the number of elements that a claim which is not admitted yet may count on. A list
// that jobs hold may grow, so it serves any number.
func (e *elements[T]) serves() int {
	if e.grows && (!safety.Enabled || e.guard.Held()) {
		return math.MaxInt
	}
	return e.n
}

// Dispose ends the array: every later use is a violation, and so is a second Dispose. Dispose is a
// violation while an uncompleted job holds the array. The garbage collector frees the memory.
func (a *Array[T]) Dispose() {
	a.guard.Dispose()
	a.data = nil
}

// DisposeAfter is Dispose for an array that jobs hold. From now on every use is a violation, except
// those of h's job and of the jobs that it runs after. If another job holds the array, DisposeAfter
// is a violation and changes nothing. The memory is released when the last of the jobs is
// completed.
func (a *Array[T]) DisposeAfter(h safety.Handle) { a.guard.DisposeAfter(h, func() { a.data = nil }) }

// Disposed reports whether the container was disposed.
func (e *elements[T]) Disposed() bool { return e.guard.Disposed() }
