// Package hashmap has hash maps for many goroutines.
//
//	a map from keys to values               New, NewWith        NewMulti, NewMultiWith
//	                                        Map                 MultiMap, many values a key
//	read it in a job, by key or position    Map.Reader          MultiMap.Reader
//	write values in a job, by position      Map.Writer          MultiMap.Writer
//	add in a job, in the order of the loop  Map.ParallelWriter  MultiMap.ParallelWriter
//	merge in a job, in the same order       Map.ParallelMerger, Add
//	use it in a job as goroutines do        Map.Shared          MultiMap.Shared
//
// A Map has the operations of sync.Map and more, typed. Keys and values that are words lie side by
// side in one table, without an allocation for each and, except for a few values, without locks. A
// MultiMap groups what a loop has added when the loop ends: the values of a key lie together, in
// the order of the sequential loop. Between jobs any goroutine may use it, under locks.
//
// Guarantees are in the words of docs/consistency.md. Those of functions:
// NewMulti, NewMultiWith: new; wait-free; O(processors); allocates the container.
// Add: any time; wait-free; O(1); allocates the string.
// Min, Max, And, Or: any time; wait-free; O(1); allocates never.
//
// Terms:
//
//   - A place of a table has a key. The probe sequence of a key is the places where it may be.
//   - A layout is the way in which a map stores keys and cells: inline, side by side in places, or
//     boxed, in allocations that places point to.
//   - A cell has the value of a key, or says why not. It lies in a place or in a box.
//   - A computation is a call of the function of [Map.Compute]. It has a number.
//   - A side table has the values that cannot be in their cells: those that look like a mark, and
//     those of keys that have a computation.
//   - A sequence number gives the order of first insertion. Positions are in that order. Keys that
//     ordinary operations put in between two jobs have one number; they are in the order of their
//     type, in which NaNs are equal.
//   - A part is the entries whose hashes have the same upper bits, and so one region of the table.
//     What a job has appended is applied part by part when the job is sealed.
//
// Invariants are numbered at their types. Those of how a map grows are (growth.I1) to (growth.I5);
// there are (table.I1), (boxes.I1), (order.I1), (phases.I1), (split.I1); and of MultiMap (part.I1),
// (keys.I1), (row.I1), (dense.I1), (spans.I1).
//
// Files:
//
//	map.go, compute.go, iterate.go, bulk.go    the operations of Map; figures
//	hasher.go, nested.go                       hash functions; violations of Hashers that use maps
//	core.go, kind.go                           what is compiled once, and what it knows of types
//	table.go, moves.go                         tables of both layouts, and how keys are moved
//	inline.go, cells.go                        the inline layout; what cells have
//	boxed.go, slots.go                         the boxed layout
//	cursor.go, sidetable.go                    operations with a function; computations
//	reader.go, writer.go, shared.go            views
//	parallelwriter.go, merger.go, combiner.go  views that append
//	phase.go, absorb.go, split.go, apply.go    how a job begins, and what is done with its entries
//	order.go, index.go                         sequence numbers and positions
//	multimap.go, multichange.go, multicore.go  the operations of MultiMap
//	multilock.go, multimemory.go               its locks and its memory
//	multipart.go, multiindex.go, multiorder.go parts, how they find keys, and the order of keys
//	multireader.go, multiwriter.go             views that read and write
//	multiviews.go                              views that add, or share
//	multibuild.go, multispans.go               how added values are grouped: by parts, or by few keys
//	multidense.go                              how they are laid out in an empty map
//
// The operations of sync/atomic, which all of this uses, are sequentially consistent.
package hashmap
