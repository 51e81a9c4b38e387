// Package counter has containers that many goroutines add to: counts, sums, extremes and
// histograms.
//
//	Counter          an int64; a Local adds to it for one goroutine
//	Sum[T]           a sum of any number type; bit for bit the same at any number of workers
//	Min[T], Max[T]   the smallest and the largest number observed
//	Histogram        a fixed number of counts, the bins
//
// Outside jobs any goroutine may use them at any time. Jobs carry views:
//
//	ParallelWriter   adds, plainly, from any batch of a parallel loop
//	Writer           of a Histogram: reads and writes the bins of the batch
//	Reader           reads
//
// The method ParallelWriter of each container returns a type of its own: [ParallelWriter] of a
// Counter, [SumParallelWriter], [ExtremumParallelWriter] of a Min or Max, and
// [HistogramParallelWriter].
//
// Guarantees are in the words of docs/consistency.md. Those of functions:
// NewHistogram: new; wait-free; O(bins); allocates the bins.
// CountAll: lane; wait-free; O(n); allocates never.
//
// Terms: a stripe is a count of a Counter that all goroutines share, on a cache line of its own. A
// lane is where a worker of a job adds. A span is a maximal sequence of neighbouring batches that a
// worker executes; a part is the result of one span.
//
// # Invariants
//
//	(counter.I1) A Counter's value is the sum of its base, its stripes and the counts of its Locals,
//	     which change only by atomic additions and exchanges. So nothing is added twice or lost.
//	(counter.I2) Stripes, counts of Locals, and the lanes and blocks of different workers have at
//	     least a cache line between them, wherever the allocator puts them.
//	(counter.I3) A count moves between them only under a lock that a reader of all of them holds. So
//	     a reader sees it once.
//	(counter.I4) Only one worker touches a lane or a partial sum during a phase, and no ordinary use
//	     does. So an ordinary use that a guard was too late to refuse is wholly before or after the
//	     phase.
//	(counter.I5) The spans that begin below the number of kept batches hold exactly what counts.
//	(counter.I6) Results that depend on the order are folded in the order of the loop's batches.
//	(counter.I7) A histogram's block that is not in use is all 0.
//
// sync/atomic is sequentially consistent, and the comments here rely on that.
//
// Map: counter.go Counter, stripes.go its stripes, local.go Local, views.go its views; sum.go and
// sumviews.go Sum; number.go its numbers as words; extremum.go and extremumviews.go Min and Max;
// histogram.go, blocks.go and histogramviews.go Histogram; lane.go the lanes; held.go what
// views share; string.go the texts of %v.
package counter
