// Package tally has a counter for parallel loops, made on what packages safety and lane export, as
// docs/custom-container.md teaches it.
//
//	Counter          an int64; one goroutine's at a time
//	Reader           a view that reads it; any number of jobs may have one
//	Writer           a view that uses it as its own, in single jobs; parallel loops that have one are refused
//	Atomic           a view that adds atomically, from any cell of any number of jobs
//	ParallelWriter   a view that adds plainly, to what its run of batches adds up to; what a failed loop leaves is what the sequential one does
//
// # Invariants
//
//	(I1) A partial result is touched by one worker, in its batches, and by the fold, when the job is sealed.
//	(I2) The runs that are folded hold exactly what the sequential loop adds.
//	(I3) A view that is not bound has no place to add to.
//
// Map: counter.go Counter and its phases; views.go Reader, Writer and Atomic; parallel.go ParallelWriter.
package tally
