// Package tally has a counter for parallel loops, made on what package safety exports and nothing else: what
// docs/custom-container.md teaches, where package lane is no help, because a counter keeps no items.
//
//	Counter          an int64; one goroutine's at a time
//	Reader           a view that reads it; any number of jobs may have one
//	Writer           a view that uses it as its own, in single jobs; parallel loops that have one are refused
//	Atomic           a view that adds atomically, from any cell of any number of jobs
//	ParallelWriter   a view that adds plainly, into a lane for each worker; what a failed loop leaves is what the sequential one does
//
// # Invariants
//
//	(I1) A lane is touched by one worker between OpenPhase and SealPhase, and by nobody else but those.
//	(I2) Two lanes have a cache line between the words that their workers write.
//	(I3) The runs that begin below the number of kept cells hold exactly what the sequential loop adds.
//	(I4) A view that is not bound has no place to add to.
//
// Map: counter.go Counter and its phases; views.go Reader, Writer and Atomic; parallel.go ParallelWriter; lane.go lanes.
package tally
