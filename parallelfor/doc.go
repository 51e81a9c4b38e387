// Package parallelfor runs loops over containers in parallel, under the custody that package safety
// keeps.
//
// The lowest rung is loops over the program's own slices, whose bodies are closures:
//
//	Indices, Ranges          call a body for every index, or for every batch of indices
//	MapSlice, SortSlice      compute a slice of another; sort one
//
// Loops over containers take a job and a body. A job is a struct of views of containers and plain
// parameters, or one view. The driver finds the views, takes their containers into the job's
// custody, gives every worker a copy of the job with views bound to it, and executes the indices
// batch by batch. A body is a function of a pointer to the worker's copy; methods of the job type
// serve by method expression:
//
//	For, ForBatch, Do        call a body for every index, for every batch, or once
//	Schedule, ScheduleBatch, ScheduleDo
//	                         start it and return a Handle: After, Complete, Combine
//	Go                       starts a goroutine that may block, and holds containers
//	Reduce, Scan, Filter, Find, Compact, Sort, SortStable
//	                         compute something of all indices, or of a slice that a view gives
//	RunKind, ScheduleKind    jobs of a kind of one's own: see docs/custom-job.md
//
// Functions whose names end in Err take a context, and a body that can fail.
//
// What each method guarantees, what it may wait for and what it allocates:
// docs/consistency.md#parallelfor.
//
// # Serial equivalence
//
// [0, n) is cut into batches at multiples of the batch length, by a rule that does not depend on
// workers, GOMAXPROCS or time (grid.go). Every call of a body, every write range, every run of
// additions and every partial sum is a whole number of batches. So what a loop leaves is what it
// leaves under [Sequential], bit for bit. For bodies that do not depend on where they are cut, it
// is also what the plain loop leaves. If batches fail, those below the lowest that fails still run,
// and its failure is the loop's.
//
// Not covered: which worker runs a batch ([Worker.Index]), time, the moment of a cancellation,
// fields tagged custody:"unguarded", Unrestricted views. A body that ends its goroutine
// (runtime.Goexit) while it runs on the caller's ends the caller, also when a lower batch returned
// an error.
//
// # Fields of a job
//
// Views may lie in nested structs, arrays and slices. Plain fields are copied for each worker. What
// a body writes into them is lost, and is a violation (safety.ErrPlainField) where it is seen:
// checked builds compare them after batch 0 of every loop, strict builds after every batch.
// Strings, time.Time, the types of net/netip and those named to [Immutable] are plain. A field that
// would be shared unseen (slice, map, pointer, channel, function, interface) is refused, unless it
// is tagged custody:"unguarded".
//
// # Nested loops
//
// A body may run and schedule jobs, on views that it was given and on containers that it made in
// the same batch. The window of a Writer is then an array of its own, whose index 0 is its first
// element. The body must complete these jobs before it returns. A loop over batches may pass its
// Writers on. A loop over indices may only where a batch is one index, as with Batch(1), because
// the window is the batch's. Waiting for a job that waits for the body is reported.
//
// # Map
//
//	for.go, indices.go   the loops; with them goroutine.go, handle.go, option.go, worker.go
//	reduce.go, scan.go, filter.go, compact.go, find.go, sort.go, mapslice.go
//	                     loops with a result; mask.go, merge.go and shape.go serve several
//	scratch.go           temporary memory for bodies
//	context.go           contexts of batches
//	lengthof.go, inline.go, autoorder.go
//	                     options that measure, run or order jobs
//	custom.go, kinds.go  what kinds of jobs are made of; the kinds that only call a body
//	exec.go              one execution of a loop, from its schedule to its completion; its steps are
//	                     in admit.go, join.go, batches.go, failure.go, caller.go and complete.go
//	after.go, wait.go    which jobs a job runs after; which jobs wait for which
//	callback.go          functions that jobs call and wait for
//	typed.go, work.go, memory.go
//	                     what depends on a job's type; the memory of jobs, kept for later ones
//	grid.go              where loops are cut; distribution.go assigns batches to workers
//	fieldplan.go         what is in a job's type; bindings.go what is in a value of it
//	plainfield.go        whether a body has written a plain field
//	pool.go              pools; poolworker.go their goroutines; call.go and cost.go when to wake them
//	bubble.go            jobs in bubbles of testing/synctest
//	observer.go          jobs seen from outside: progress.go, record.go; string.go what %v prints
//	engine_pool.go       how scheduled jobs are started; engine_batch.go does so in builds with the
//	                     race detector, with a goroutine for each batch
package parallelfor
