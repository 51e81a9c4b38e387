// Package hashmap has hash maps for many goroutines.
//
// [Map] is a map from keys to values with the operations of sync.Map and more, typed. Word keys and values lie side by side in one
// table, without locks and without an allocation for each.
//
// Files:
//
//	map.go      Map, and which kind of map its types get
//	compute.go  Compute, and what it wants done
//	iterate.go  All, Keys, Values, DeleteFunc
//	hasher.go   hash functions, and users' own
//	table.go    tables: how they fill up, and how keys go from one to the next
//	words.go    keys and values that are words
//	boxes.go    keys in boxes of their own: what smalls.go and bigs.go have in common
//	smalls.go   with values that are words and are overwritten
//	bigs.go     with values of any kind
//	cursor.go   operations that ask a function what to do, and computations
//	records.go  values that lie aside for the time
//
// The operations of sync/atomic, on which all of this stands, are sequentially consistent.
package hashmap
