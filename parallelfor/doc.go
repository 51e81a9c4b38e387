// Package parallelfor runs loops over containers in parallel, under the custody that package safety keeps.
//
// A job is a struct whose fields are views of containers and plain parameters, with an Execute method; or
// a views value and a function. The driver finds the views, takes their containers into the job's
// custody, gives every worker a copy of the job with views bound to it, and runs the indices cell by cell:
//
//	Run, RunBatch, RunSingle                 run a struct job and return when it is done
//	RunErr, RunBatchErr, RunSingleErr        the same for bodies that can fail, under a context
//	Schedule..., as all of the above         start it and return a Handle: After, Complete, Combine
//	For, ForBatch, Do, ForErr, ...           the same for a views value and a function
//	Reduce, Scan, Filter, Compact, Sort,     loops that compute something of all indices, or of a slice that
//	Find, Any, All, Each                     a view gives
//	Go                                       a goroutine that may block, and holds containers
//	RunKind, ScheduleKind                    jobs of a kind of one's own: see docs/custom-job.md
//
// What each method guarantees, whom it may wait for and what it allocates: docs/consistency.md#parallelfor.
//
// # Serial equivalence
//
// [0, n) is cut into cells at multiples of the batch, by a rule that knows nothing of workers, GOMAXPROCS
// or time (grid.go). Every call of a body, every write range, every run of additions and every partial
// sum is a whole number of cells. So what a loop leaves is what it leaves under [Sequential], bit for bit,
// and for bodies that do not care where they are cut, what the plain loop leaves. If cells fail, those
// below the lowest that fails still run, and its failure is the loop's.
//
// Not covered: which worker runs a cell ([Worker.Index]), time, the moment of a cancellation, fields
// tagged custody:"unguarded", Unrestricted views; and a body that ends its goroutine (runtime.Goexit)
// while it runs on the caller's ends the caller, also when a lower cell returned an error.
//
// # Fields of a job
//
// Views may lie in nested structs, arrays and slices. Plain fields are copied for each worker: what a body
// writes into them is lost, and a violation (safety.ErrPlainField): checked builds look after batch 0 of every
// loop, strict builds after every batch. Strings, time.Time, the types of net/netip and those named to [Immutable] are
// plain. A field that would be shared unseen (slice, map, pointer, channel, function, interface) is
// refused, unless it is tagged custody:"unguarded".
//
// # Nested loops
//
// A body may run and schedule jobs, on views that it was given (the window of a Writer is then an array
// of its own, whose index 0 is its first element) and on containers that it made in the same cell. It
// must complete them before it returns. A loop over indices lends on its Writers only where a batch is one
// index, as with Batch(1): the window is that of the batch. A loop over batches always may. Waiting for a job that waits for the body is reported.
//
// # Which forms there are
//
//	                                     of a struct job                views and a function       Err
//	for each index, for each cell, once  Run..., Schedule...            For, ForBatch, Do; Go      all
//	Reduce, Find, Filter                 RunReduce, RunFind, RunFilter  by that name               all
//	Any, All, Each, Compact, ScanFunc,
//	ScanExclusiveFunc                    -                              by that name               all
//	FilterAppend                         -                              also ScheduleFilterAppend  all
//	Sort, SortStable                     -                              also ScheduleSort...       -
//	Scan, ScanExclusive                  -                              by that name               -
//	kinds of one's own                   RunKind, ScheduleKind          -                          always
//
// A function on a views value is run and waited for. To schedule a loop write a struct job, or [Go] for one body; of the
// rest only what leaves all that it makes in a container, FilterAppend and Sort, can be scheduled. What returns a value
// (Reduce, Find, Any, All, Filter, Compact, Scan and its kin) has no Schedule form: the value would need a place in a
// container. Where only a compare or combine function is called (Sort, SortStable, Scan, ScanExclusive) there is no Err
// form: these must not fail.
//
// # Map
//
//	kinds.go, funcs.go  what users call, and loops.go the loops behind it; run.go, handle.go, option.go,
//	                    worker.go, failure.go with it
//	autoorder.go, lengthof.go, inline.go
//	                    the options that order jobs, give them a length when they start, or run them at once
//	custom.go           what kinds of jobs are made of, and cells.go a worker's way through its cells
//	reduce.go, scan.go, filter.go, compact.go, sort.go, find.go, each.go, goroutine.go
//	                    the further kinds; mask.go, merge.go and shape.go what they have in common
//	scratch.go          temporary memory for bodies; context.go what tells them that the loop needs them no more
//	grid.go             where loops are cut
//	plan.go             what is in a job's type; image.go in a job; plainfield.go whether its body
//	                    writes what is no view; stands.go where the body begins
//	typed.go            what depends on a job's type; frame.go the memory of a job and a worker's copy of its value;
//	                    memory.go what is kept to be used again; spend.go when a job with a handle is
//	job.go              a job from schedule to its end, finish.go that end; keeper.go the life of a job whose caller
//	                    waits in the same call; complete.go who completes a handle; wait.go who waits for whom;
//	                    callback.go the functions that jobs call and wait for
//	cost.go             what loops and wake-ups have cost
//	hand.go             how cells are handed out and stolen
//	pool.go             pools; resident.go their workers; call.go how these are woken and offered jobs; bubble.go how jobs
//	                    run in bubbles of testing/synctest
//	watch.go, stats.go, progress.go, record.go, dot.go, timeline.go, svg.go, string.go
//	                    jobs seen from outside
//	engine_pool.go      how scheduled jobs are started; in builds with the race detector it is engine_cell.go, which has
//	                    a goroutine for each cell
package parallelfor
