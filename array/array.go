package array

import (
	"iter"

	"example.com/custody/internal/amount"
	"example.com/custody/internal/elem"
	"example.com/custody/safety"
)

// Array is a fixed number of elements that jobs use through views, and the owner through methods.
// Elements start as T's zero value. Make an Array with [New] or [Of]; it must not be copied.
//
// Outside jobs an Array is like a slice: it is not safe for concurrent use that writes, and each
// use costs one more load, which checks custody. While an uncompleted job writes the array, every
// use is a violation; while one reads it, every change is. Custody covers the elements, not what
// they point to. A copy of an array is Of(slices.Clone(a.Slice())).
//
// Memory model: see package safety.
//
// Guarantees (consistency, progress, cost, allocations), beside those of every container (safety):
//
//	Len              constant       wait-free  O(1)      never
//	At, All          owner reads    wait-free  O(1)      never
//	CopyTo           owner reads    wait-free  O(n)      never
//	Set, Slice       owner changes  wait-free  O(1)      never
//	CopyFrom, Clear  owner changes  wait-free  O(n)      never
//	Split, SplitAt   ledger         lock       O(parts)  some a part
type Array[T any] struct {
	guard   safety.Guard
	data    []T     // its length is constant until Dispose, except in a list
	n       int     // that length, also after Dispose; read for claims that are not admitted yet
	size    uintptr // of an element
	grows   bool    // the array is that of a list
	adopted bool    // the elements lie in a slice that Of or ListOf adopted
}

// New returns an array of n elements. It is a violation if n is negative or more than memory can
// hold.
func New[T any](n int, opts ...safety.Option) *Array[T] {
	a := new(Array[T])
	a.guard.Init(a, 0, opts...)
	(*core)(elem.Pointer(a)).fits(n, uintptr(amount.Size[T]()))
	a.data = make([]T, n)
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
	(*core)(elem.Pointer(a)).fits(len(data), uintptr(amount.Size[T]()))
	a.data = data[:len(data):len(data)]
	(*core)(elem.Pointer(a)).adopt()
	return a
}

// Len returns the number of elements. It is allowed while jobs hold the array.
func (a *Array[T]) Len() int {
	a.guard.CheckExists()
	return len(a.data)
}

// At returns element i. An index outside [0, Len) is a violation, in unchecked builds the panic of
// a slice.
func (a *Array[T]) At(i int) T {
	if !safety.Enabled {
		return a.data[i]
	}
	a.guard.CheckRead()
	if data := a.data; uint(i) < uint(len(data)) {
		return data[i]
	}
	panic((*core)(elem.Pointer(a)).Outside(i))
}

// Set sets element i. An index outside [0, Len) is a violation, in unchecked builds the panic of a
// slice.
func (a *Array[T]) Set(i int, v T) {
	if !safety.Enabled {
		a.data[i] = v
		return
	}
	a.guard.CheckWrite()
	if data := a.data; uint(i) < uint(len(data)) {
		data[i] = v
		return
	}
	panic((*core)(elem.Pointer(a)).Outside(i))
}

// Slice returns the elements themselves, to be read and written. Custody is checked by this call
// only: uses of the slice while a job holds the array are seen by nothing except the race detector.
func (a *Array[T]) Slice() []T {
	a.guard.CheckWrite()
	return a.data
}

// All returns an iterator over the indices and elements in order. It checks custody at every step:
// a step while a job holds the array in a mode that excludes reads by the owner is a violation.
//
// The loop may change the array, also through a job that it completes. The iterator yields each
// element as it is when the loop reaches its index.
func (a *Array[T]) All() iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		a.guard.CheckRead()
		for i, n := 0, len(a.data); i < min(n, len(a.data)) && yield(i, a.data[i]); i++ {
			a.guard.CheckRead()
		}
	}
}

// CopyFrom copies src into the array. Unequal lengths are a violation.
func (a *Array[T]) CopyFrom(src []T) {
	a.guard.CheckWrite()
	(*core)(elem.Pointer(a)).sameLength("copied from a slice", len(src))
	copy(a.data, src)
}

// CopyTo copies the array into dst. Unequal lengths are a violation.
func (a *Array[T]) CopyTo(dst []T) {
	a.guard.CheckRead()
	(*core)(elem.Pointer(a)).sameLength("copied to a slice", len(dst))
	copy(dst, a.data)
}

// Clear sets every element to T's zero value.
func (a *Array[T]) Clear() {
	a.guard.CheckWrite()
	clear(a.data)
}

// Reader returns a view that reads all elements.
func (a *Array[T]) Reader() (r Reader[T]) {
	r.of = (*core)(elem.Pointer(a)).holds(&r.hold, safety.Read, readers)
	return r
}

// Writer returns a view that reads and writes the elements that the current batch's indices own.
func (a *Array[T]) Writer() (w Writer[T]) {
	w.of, w.stride = (*core)(elem.Pointer(a)).holds(&w.hold, safety.Write, writers), 1
	return w
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
func (a *Array[T]) DisposeAfter(h safety.Handle) {
	a.guard.DisposeAfter(h, (*core)(elem.Pointer(a)).drop)
}

// Disposed reports whether the array was disposed.
func (a *Array[T]) Disposed() bool { return a.guard.Disposed() }
