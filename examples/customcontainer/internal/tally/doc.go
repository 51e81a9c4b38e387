// Package tally has a counter for parallel loops, made on what packages safety and lane export, as
// docs/custom-container.md teaches it.
//
//	Counter          an int64; one goroutine's at a time
//	Reader           a view that reads it; any number of jobs may have one
//	Writer           a view that uses it as its own, in single jobs; parallel loops
//	                 that have one are refused
//	Atomic           a view that adds atomically, from any batch of any number of jobs
//	ParallelWriter   a view that adds plainly, to the partial sum of its run of batches; a failed
//	                 loop leaves what the sequential loop leaves
//
// # Invariants
//
//	(I1) One worker uses a partial sum while its run lasts, and the fold uses it when the job is
//	     sealed.
//	(I2) The partial sums that are folded are exactly the additions of the sequential loop.
//	(I3) A view that is not bound has no lane, and does not use the count.
//
// Map: counter.go Counter and its phases; views.go Reader, Writer and Atomic; parallel.go
// ParallelWriter.
package tally
