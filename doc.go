// Package custody is the root of a library of concurrent containers that know which job may touch
// them.
//
// A container is always in custody: its owner's, or that of the jobs it was lent to. A job
// declares, by the views it carries, what it will read, write or append to; a parallel loop runs it
// over batches of an index range; and every access outside the declared custody is reported on
// every run, not only when two goroutines happen to collide (that of a view that is kept after its
// batch, in strict and -race builds). Loops are serially equivalent: they leave bit for bit what
// the sequential loop leaves, at any number of workers.
//
// The packages:
//
//	array        Array and its Parts, List, Stream, Value, Double, DoubleList: index-addressed data
//	counter      Counter, Sum, Min, Max, Histogram
//	hashmap      Map, MultiMap
//	lane         the ordered append of parallel writers, for authors of containers
//	queue        Queue, Ring, SPSC
//	table        Table: rows of several columns, staged while loops run; Pipeline
//	parallelfor  loops: For, Schedule, Indices and their kin; handles; pools
//	timeline     pictures of recorded jobs
//	safety       guards, claims, tickets and violations; what authors of containers and drivers need
//	custodytest  assertions for the tests of programs that use all this
//	fuzz         suites that test containers and drivers of loops, those of others too
//
// Directory vet, a module of its own, has analyzers for go vet that find at compile time what
// bodies reach beside their views.
//
// Start with package parallelfor.
package custody
