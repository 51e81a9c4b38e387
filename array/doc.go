// Package array has index-addressed containers, the data of parallel loops.
//
//	Array[T]   a fixed number of elements; New makes them, Of adopts a slice
//	List[T]    a sequence that grows; loops append to it in the order of the sequential loop
//	Stream[T]  rows of any number of items: a row for each index of the loop that fills them, or for
//	           each key to which it adds items
//	Value[T]   one guarded value
//	Double[T]  two arrays that swap: one is written, one is read; DoubleList[T] has two lists
//
// Outside jobs a container is used like a slice: by one goroutine at a time, or by several that
// order themselves. Each use is checked against the jobs that hold the container. Jobs carry views:
//
//	Reader          reads all elements
//	Writer          reads and writes the elements that the indices of the current batch own
//	ParallelWriter  appends to a list; a StreamParallelWriter appends to the rows of a stream, and a
//	                StreamKeyedWriter to the rows of any keys
//
// Index i of a loop owns element i; with [ByRows] the elements [i*k, (i+1)*k); with [ByOffsets] the
// elements [offsets[i], offsets[i+1]). ByRows is called before the job is scheduled and returns a
// view. Row is called in the body and returns the elements of one index. Methods that take an index
// take one of the whole array. A Writer's Slice is the batch, a Reader's the whole array.
//
// The index test of a Writer is the bounds test of its window, so a guarded loop costs what a loop
// over a slice costs. The innermost loops range over Slice().
//
// Guarantees of the functions (consistency, progress, cost, allocations; docs/consistency.md):
//
//	Of, ListOf                       new        wait-free  O(1)               the container
//	New, NewDouble                   new        wait-free  O(n)               the elements
//	StreamOf                         new        wait-free  O(items)           a copy
//	GroupValues, GroupIndices        lane       wait-free  O(1), nested O(n)  chunks
//	ByRows, ByOffsets, Unrestricted  constant   wait-free  O(1)               never
//	SplitAt                          own batch  wait-free  O(1)               never
//	Permuted                         constant   wait-free  O(1), nested O(n)  bits, nested
//
// # Invariants
//
//	(view.I1) The windows that the batches of one loop get from one Writer do not overlap, because
//	     batches do not and each index owns elements of its own.
//	(view.I2) The capacity of a window is its length, so an append to it writes no other window.
//	(view.I3) An unbound view has no window, so accessors need not test whether it is bound.
//
// A view that a body passes on to a nested job is an array of its own: the window, whose first
// element has index 0.
//
// Map: array.go Array; parts.go its Parts; window.go what Writers share; reader.go, writer.go,
// offsets.go, permuted.go the views; shadow.go the strict checks of Unrestricted views; value.go
// Value; double.go Double and DoubleList; list.go List; listphase.go loops that append to it;
// stream.go Stream; streamphase.go and streamrow.go the views that append; streamfill.go what one
// loop appends; streammerge.go how that is added; streamkeyed.go and streamsource.go loops that add
// items by key, one by one and from arrays; streamsort.go how these are put into rows;
// streamreader.go, streamwriter.go the other views; stats.go memory; string.go the texts of %v.
package array
