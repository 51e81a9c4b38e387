// Package hashmap has hash maps for many goroutines.
//
// [Map] is a map from keys to values with the operations of sync.Map and more, typed. Word keys and values lie side by side in one
// table, without an allocation for each and, but for a few values, without locks.
//
// [MultiMap] is a map from keys to many values, grouped in phases: what a loop has added lies together by key when it ends, in the order
// of the sequential loop. Between phases any goroutine may use it, under locks.
//
// In jobs a map is read by key or by position ([Reader]), its values are written by position ([Writer]), keys are put in and values
// merged in the order of the sequential loop ([ParallelWriter], [ParallelMerger]), or bodies use it as goroutines do ([Shared]).
//
// What each method guarantees, whom it may wait for and what it allocates: docs/consistency.md#hashmap.
//
// Terms: the age of a key says when it was put in first; positions are in the order of ages. Keys that ordinary operations have put in
// between two jobs are of one age, and in the order of their type, in which NaNs are equal. What a job has appended is applied when
// it is sealed, part by part: a part is what has hashes with the same upper bits, and so the same region of the table.
//
// Files:
//
//	map.go      Map, and which kind of map its types get
//	compute.go  Compute, and what it wants done
//	iterate.go  All, Keys, Values, DeleteFunc
//	hasher.go   hash functions and Hashers; nested.go the violations of Hashers that use maps
//	table.go    tables: how they fill up; moves.go how keys go from one to the next; typed.go what kinds of tables there are
//	words.go    keys and values that are words
//	slots.go    boxes of keys that are no words, and the buckets of slots that point to them
//	boxes.go    maps of these: what smalls.go and bigs.go have in common; boxmoves.go how boxes are moved and removed
//	smalls.go   with values that are words and are overwritten
//	bigs.go     with values of any kind
//	cursor.go   operations that ask a function what to do, and computations
//	records.go  values that lie aside for the time
//	origins.go  the computations within which a job was scheduled
//	bulk.go     many keys at once, and Clone
//
//	parallelwriter.go, merger.go, reader.go, writer.go, shared.go  the views
//	phase.go    how a job begins and ends
//	absorb.go   what a job has appended, in parts
//	split.go    how it is split, for both
//	apply.go    and what each entry does
//	order.go    the ages of keys
//	index.go    keys by position; places.go by kind of map
//	declare.go  what the race detector is told
//
//	multimap.go    MultiMap; multilock.go its locks; multichange.go what deletes, replaces and iterates; multimemory.go what empties it and
//	               gives memory back
//	multipart.go   a part: groups, and the index that finds them
//	multiorder.go  keys in the order in which they came
//	multibuild.go  what a job has added: parts beside each other, or by multispans.go where there are few keys; multidense.go where
//	               values go in an empty map
//	multireader.go, multiwriter.go, multiviews.go  its views; ahead.go for who goes through keys
//	keys.go        how keys are hashed and compared
//
//	bodies.go      what is inlined where maps are used; stats.go and string.go what maps tell of themselves
//
// The operations of sync/atomic, on which all of this stands, are sequentially consistent.
package hashmap
