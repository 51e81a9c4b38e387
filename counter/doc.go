// Package counter holds what many add to: counts, sums, extremes and histograms.
//
//	Counter     an int64; Local gives one goroutine a batch of its own
//	Sum[T]      a sum of any number type; of floats bit for bit the same at any number of workers
//	Min[T]      the smallest number observed, Max[T] the largest
//	Histogram   a fixed number of counts, the bins
//
// Outside jobs any goroutine may use them at any time. Jobs carry views:
//
//	ParallelWriter   adds, plainly, from any batch of a parallel loop
//	Writer           of a Histogram: reads and writes the bins of the batch
//	Reader           reads
//
// What each method guarantees, whom it may wait for and what it allocates: docs/consistency.md#counter.
//
// Terms: a batch of a loop is what safety calls a batch; a batch of a container is a word with the cache
// line it lies on. A stripe is a batch that all goroutines share, a local batch that of a Local. A lane
// is where a worker of a job adds; a part is what one run of its batches adds up to.
//
// # Invariants
//
//	(I1) A Counter's value is the sum of its base, stripes and local batches, each of which changes only
//	     by atomic additions and exchanges: so nothing is added twice or lost.
//	(I2) Batches, and the lanes and blocks of different workers, have at least a cache line between
//	     them, wherever the allocator puts them.
//	(I3) A count moves between batches only under the lock that whoever reads all batches holds: so a
//	     reader sees it once.
//	(I4) Only one worker touches a lane or a partial sum during a phase, and no ordinary use does: so
//	     an ordinary use that a guard was too late to refuse is wholly before or after the phase.
//	(I5) The runs that begin below the number of kept batches hold exactly what counts.
//	(I6) What depends on the order is folded in the order of the loop's batches.
//	(I7) A histogram's block that is not in use is all 0.
//
// sync/atomic is sequentially consistent, and the comments here rely on that.
//
// Map: counter.go Counter, batch.go its stripes, local.go Local, views.go its views; lane.go lanes;
// sum.go, sumviews.go Sum; number.go its words; extremum.go, extremumviews.go Min and Max;
// histogram.go, blocks.go, histogramviews.go Histogram; held.go what views of whole containers share;
// stats.go what a Counter has; string.go what %v prints.
package counter
