package array

import (
	"iter"

	"example.com/custody/internal/elem"
	"example.com/custody/internal/lanes"
	"example.com/custody/safety"
)

// List is a sequence of elements that grows and shrinks: by its methods like a slice, and by the
// bodies of parallel loops. A [ParallelWriter] appends in the order of the sequential loop at any
// number of workers. Make a List with [NewList] or [ListOf]; it must not be copied.
//
// Outside jobs a List is like a slice: for one goroutine at a time, or several that order
// themselves. While an uncompleted job writes it or appends to it, every use is a violation; while
// one reads it, every change is. The standard library sorts and searches it:
// slices.Sort(l.Slice()).
//
// A loop over a list that an earlier job fills is scheduled with -1 indices and
// parallelfor.LengthOf(l.Reader()), because the length is not known yet. A loop of a given number
// of indices is refused if the list is known to be shorter; if that is known only when an earlier
// job ends, the first batch with an index too many fails.
//
// Memory: the elements, and capacity for at most as many more. What loops append lies in memory of
// the workers until the loop ends; that memory is kept for the next loop until [List.Trim].
//
// Memory model: see package safety.
//
// Guarantees (consistency, progress, cost, allocations), beside those of every container (safety):
//
//	Len, Cap, At, All              owner reads    wait-free  O(1)                      never
//	Stats                          owner reads    wait-free  O(pieces kept)            never
//	CopyTo                         owner reads    wait-free  O(n)                      never
//	Set, Slice, RemoveSwapBack     owner changes  wait-free  O(1)                      never
//	Clear                          owner changes  wait-free  O(1), O(n) if pointers    never
//	CopyFrom, Remove, RemoveRange  owner changes  wait-free  O(elements moved)         never
//	Append, AppendAll, Insert      owner changes  wait-free  O(elements moved)         growth
//	Resize, Grow, Reserve          owner changes  wait-free  O(change), O(n) if moved  growth
//	Trim                           owner changes  wait-free  O(n), or O(1)             one copy
type List[T any] struct {
	of    Array[T]
	lanes lanes.Lanes
}

// Invariants of List:
//
//	(list.I1) Nothing beyond the length keeps memory alive.
//	(list.I2) Slices and windows that are handed out are capped at the length, so only operations
//	     that may change the list reach what is beyond it.

// NewList returns an empty list.
func NewList[T any](opts ...safety.Option) *List[T] {
	l := new(List[T])
	l.init(nil, opts)
	return l
}

// ListOf returns a list whose elements are those of data. Nothing is copied: the list and the slice
// show each other's changes until the list grows, because then it moves to other memory. Until then
// it takes part in the checks of adopted slices that [Of] describes, with the same limits. Capacity
// beyond the length is not used.
func ListOf[T any](data []T, opts ...safety.Option) *List[T] {
	l := new(List[T])
	l.init(data[:len(data):len(data)], opts)
	(*list)(elem.Pointer(l)).fits(len(data), l.lanes.Elem.Size)
	(*list)(elem.Pointer(l)).adopt()
	return l
}

// init makes l a list of data. The user's call is two frames up.
func (l *List[T]) init(data []T, opts []safety.Option) {
	l.lanes.Elem = elem.TypeOf[T]()
	l.of.guard.Init(l, 1, opts...)
	l.of.data = data
	(*list)(elem.Pointer(l)).init()
}

// Len returns the number of elements.
func (l *List[T]) Len() int {
	l.of.guard.CheckRead()
	return len(l.of.data)
}

// Cap returns how many elements fit without another allocation, the present ones included.
func (l *List[T]) Cap() int {
	l.of.guard.CheckRead()
	return cap(l.of.data)
}

// At returns element i, as [Array.At] does.
func (l *List[T]) At(i int) T { return l.of.At(i) }

// Set sets element i, as [Array.Set] does.
func (l *List[T]) Set(i int, v T) { l.of.Set(i, v) }

// Slice returns the elements themselves, to be read and written until the list changes its length.
// Custody is checked by this call only, as by [Array.Slice].
func (l *List[T]) Slice() []T {
	s := l.of.Slice()
	return s[:len(s):len(s)]
}

// All returns an iterator over the indices and elements in order, as [Array.All] does. It ends at
// the length that the list had at the beginning of the loop, or at the current length if that is
// less.
func (l *List[T]) All() iter.Seq2[int, T] { return l.of.All() }

// CopyFrom copies src over the elements. Unequal lengths are a violation.
func (l *List[T]) CopyFrom(src []T) { l.of.CopyFrom(src) }

// CopyTo copies the elements into dst. Unequal lengths are a violation.
func (l *List[T]) CopyTo(dst []T) { l.of.CopyTo(dst) }

// Append adds v at the end. It is a violation if the list would be longer than memory can hold.
//
// Cost: that of the built-in append.
func (l *List[T]) Append(v T) {
	l.of.guard.CheckWrite()
	if len(l.of.data) == cap(l.of.data) {
		(*list)(elem.Pointer(l)).grow(1)
	}
	l.of.data = append(l.of.data, v)
	l.of.n = len(l.of.data)
}

// AppendAll adds all of vs at the end, in their order. In all else it is as Append.
func (l *List[T]) AppendAll(vs []T) {
	l.of.guard.CheckWrite()
	(*list)(elem.Pointer(l)).grow(len(vs))
	l.of.data = append(l.of.data, vs...)
	l.of.n = len(l.of.data)
}

// Insert puts vs before element i, or at the end if i is the length. It is a violation if i is
// outside [0, Len], or if the list would be longer than memory can hold.
//
// Cost: a move of all elements from i on.
func (l *List[T]) Insert(i int, vs ...T) {
	(*list)(elem.Pointer(l)).open(i, len(vs), uintptr(elem.Data(vs)))
	copy(l.of.data[i:], vs)
}

// Remove removes element i and moves those behind it up. An index outside [0, Len) is a violation.
func (l *List[T]) Remove(i int) { (*list)(elem.Pointer(l)).remove(i, i+1, true) }

// RemoveRange removes the elements begin <= i < end and moves those behind them up. A range that
// does not lie in [0, Len] is a violation.
func (l *List[T]) RemoveRange(begin, end int) { (*list)(elem.Pointer(l)).remove(begin, end, false) }

// RemoveSwapBack removes element i and puts the last one into its place. An index outside [0, Len)
// is a violation.
//
// Cost: the same for a list of any length.
func (l *List[T]) RemoveSwapBack(i int) {
	l.of.guard.CheckWrite()
	s, last := l.of.data, len(l.of.data)-1
	if uint(i) >= uint(len(s)) {
		panic((*core)(elem.Pointer(l)).Outside(i))
	}
	s[i] = s[last]
	(*list)(elem.Pointer(l)).cut(last)
}

// Resize makes the list n elements long: it removes the last elements or appends zero values. The
// capacity never shrinks. It is a violation if n is negative or more than memory can hold.
func (l *List[T]) Resize(n int) { (*list)(elem.Pointer(l)).Resize(n) }

// Grow makes room for n more elements, which can then be added without another allocation. It is a
// violation if n is negative, or if the list would be longer than memory can hold.
func (l *List[T]) Grow(n int) {
	l.of.guard.CheckWrite()
	(*list)(elem.Pointer(l)).grow(n)
}

// Reserve makes room for n elements in all and no more, unless there is room already. The list then
// grows to n elements without another allocation. It is a violation if n is negative or more than
// memory can hold.
func (l *List[T]) Reserve(n int) { (*list)(elem.Pointer(l)).Reserve(n) }

// Trim frees the memory that the elements do not need, and the memory that is kept for the next
// loop that appends.
//
// Cost: a copy of the elements, if there is memory to free.
func (l *List[T]) Trim() {
	l.of.guard.CheckWrite()
	l.lanes.Trim()
	if data := l.of.data; cap(data) > len(data) {
		(*list)(elem.Pointer(l)).move(len(data))
	}
}

// Clear removes all elements. The capacity is kept.
func (l *List[T]) Clear() { (*list)(elem.Pointer(l)).Clear() }

// Reader returns a view that reads all elements that are in the list when the job starts.
func (l *List[T]) Reader() Reader[T] {
	return (*Array[T])(elem.Pointer(l)).Reader()
}

// Writer returns a view that reads and writes the elements that the current batch's indices own. It
// does not change the length.
func (l *List[T]) Writer() Writer[T] {
	return (*Array[T])(elem.Pointer(l)).Writer()
}

// Dispose ends the list, as [Array.Dispose] does.
func (l *List[T]) Dispose() { (*list)(elem.Pointer(l)).Dispose() }

// DisposeAfter is Dispose for a list that jobs hold, as [Array.DisposeAfter].
func (l *List[T]) DisposeAfter(h safety.Handle) {
	l.of.guard.DisposeAfter(h, (*list)(elem.Pointer(l)).drop)
}

// Disposed reports whether the list was disposed.
func (l *List[T]) Disposed() bool { return l.of.Disposed() }
