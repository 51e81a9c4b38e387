// Package array holds index-addressed containers: the data of parallel loops.
//
//	Array[T]   a fixed number of elements; New makes them, Of adopts a slice
//	List[T]    a number of elements that changes; loops append to it in the order of the sequential loop
//	Stream[T]  rows of any number of items: what each index of a loop finds, one after the other
//	Value[T]   one guarded value
//	Double[T]  two arrays, one written while the other is read, that change places; DoubleList[T] two lists
//
// Outside jobs they are used like slices, by one goroutine at a time or by several that order
// themselves; every use is checked against the jobs that hold the container. Jobs carry views:
//
//	Reader     reads everything
//	Writer     reads and writes the elements of the current batch's indices: index i owns element i, or
//	           with Rows(k) elements [i*k, (i+1)*k), or with ByOffsets [offsets[i], offsets[i+1])
//	ParallelWriter  appends to a list, or to the rows of a stream
//
// A Writer's index test is the bounds test of a slice, the window of the batch, so a guarded loop costs
// what a loop over a slice costs. In the innermost loops range over Slice().
//
// What each method guarantees, whom it may wait for and what it allocates: docs/consistency.md#array.
//
// # Invariants
//
//	(I1) The windows that the batches of one loop get from one Writer do not overlap, because batches do
//	     not and each index owns elements of its own.
//	(I2) A window never reaches beyond its length: its capacity is cut.
//	(I3) A view that is not bound has no window, so no accessor needs to ask whether it is.
//
// Nested jobs: a view lent on by a body is an array of its own, the window: index 0 is its first element.
//
// Map: array.go Array; parts.go Parts of a split one; window.go what views share; writer.go, offsets.go, permuted.go,
// reader.go the views, and length.go how many indices they serve; shadow.go what strict builds note of
// Unrestricted views; value.go Value; double.go Double and DoubleList; list.go List, and listphase.go how loops append to it; stream.go
// Stream, streamphase.go and streamrow.go the views that append to it, streamfill.go what a loop appends, streammerge.go what becomes of
// that, streamreader.go and streamwriter.go its other views; stats.go what memory they have; string.go what %v prints of them all.
package array
