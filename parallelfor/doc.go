// Package parallelfor runs loops over containers in parallel, under the custody that package safety
// keeps.
//
// The simplest loops run over the program's own slices, and their bodies are closures:
//
//	Indices, Ranges          call a body for every index, or for every batch of indices
//	MapSlice                 compute a slice of another
//	MapSeq                   the same for an iterator, whose results keep their order
//	Recurse                  run the halves of a recursion in parallel
//	SortSlice, SortSliceByKey
//	                         sort one, by comparisons or by an integer
//
// Loops over containers take a job and a body. A job is a struct of views of containers and plain
// parameters, or one view. The driver finds the views and takes their containers into the job's
// custody. It gives every worker a copy of the job with views bound to it, and executes the indices
// batch by batch. A body is a function of a pointer to the worker's copy; methods of the job type
// serve by method expression:
//
//	For, ForBatch, Do        call a body for every index, for every batch, or once
//	ForSeq                   call a body for every item of an iterator
//	Schedule, ScheduleBatch, ScheduleDo
//	                         start it and return a Handle: After, Complete, Combine
//	Go                       starts a goroutine that may block, and holds containers
//	Reduce, Scan, Filter, Find, Compact, Sort, SortByKey
//	                         compute something of all indices, or of a slice that a view gives
//	RunKind, ScheduleKind    jobs of a kind of one's own: see docs/custom-job.md
//
// Functions whose names end in Err take a context, and a body that can fail.
//
// Guarantees of the functions (consistency, progress, cost, allocations; docs/consistency.md):
//
//	For[Err], ForBatch[Err]    sequential  waits: for the loop   O(views, batches)  once warm never
//	RunKind                    sequential  waits: for the loop   O(views, batches)  once warm never
//	Do[Err]                    sequential  waits: for the loop   O(views)           once warm never
//	Schedule[Err]              scheduled   lock                  O(views)           once warm one
//	ScheduleBatch[Err]         scheduled   lock                  O(views)           once warm one
//	ScheduleDo[Err]            scheduled   lock                  O(views)           once warm one
//	ScheduleKind               scheduled   lock                  O(views)           once warm one
//	Go[Err]                    scheduled   lock                  O(views)           some
//	Combine                    scheduled   lock                  O(handles)         a few
//	Indices[Err], Ranges[Err]  sequential  waits: for the loop   O(batches)         once warm never
//	MapSlice[Err]              sequential  waits: for the loop   O(n)               the result, two
//	MapSeq[Err]                sequential  waits: for its loops  O(1)               a job a chunk
//	ForSeq[Err]                sequential  waits: for its loops  O(views)           a job a chunk
//	Recurse                    sequential  waits: for halves     O(1)               once warm never
//	Reduce[Err]                sequential  waits: for the loop   O(views, batches)  a place a batch
//	Scan[Err]                  sequential  waits: for two loops  O(n)               a place a batch
//	Filter[Err]                sequential  waits: for two loops  O(n)               bits, the list
//	Compact[Err]               sequential  waits: for two loops  O(n)               bits
//	Sort, SortSlice            sequential  waits: for its loops  O(n log n)         elements, keys
//	SortByKey, SortSliceByKey  sequential  waits: for its loops  O(n)               elements, keys
//	Find[Err]                  sequential  waits: for the loop   O(views, batches)  one
//	Scratch                    own worker  wait-free             O(n)               once warm never
//	Immutable                  switch      lock                  O(1)               one
//	Record                     switch      lock                  O(graphs)          the graph
//	Labels                     switch      lock                  O(1)               never; jobs do
//	Progress                   option      wait-free             O(1)               never; jobs do
//	After                      option      wait-free             O(handles)         one, or none
//	LengthOf                   option      wait-free             O(1)               the view
//
// # Serial equivalence
//
// [0, n) is cut into batches at multiples of the batch length, by a rule that does not depend on
// workers, GOMAXPROCS or time (grid.go). Every call of a body, every write range, every span of
// additions and every partial sum is a whole number of batches. So what a loop leaves is what it
// leaves under [Sequential], bit for bit. For bodies that do not depend on where they are cut, it
// is also what the plain loop leaves, except floats that a Sum, [Reduce] or [Scan] adds up: these
// are added batch by batch. If batches fail, those below the lowest that fails still run, and its
// failure is the loop's.
//
// Not covered: which worker runs a batch ([Worker.Index]), time, the moment of a cancellation,
// fields tagged custody:"unguarded", Unrestricted views. If a body that runs on the caller's
// goroutine ends it (runtime.Goexit), the caller ends, even if a lower batch returned an error.
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
// the same batch. It must complete these jobs before it returns. A Writer that it passes on is an
// array of its own: the batch's indices, of which the first is index 0. A body of a batch may pass
// its Writers on. A body of an index may do so only where a batch is one index, as with Batch(1),
// because the array is the batch's. To wait for a job that waits for the body is a violation.
//
// # Map
//
// A call of a loop goes through these files to its body, and back:
//
//	for.go              functions that users call, and the loops over their bodies
//	admit.go            build: a job, its options and claims
//	exec.go             one execution of a loop, from its schedule to its completion
//	join.go             how workers join and leave, and a job whose caller is worker 0
//	work.go             a job of a type, and a worker's copy of its value
//	batches.go          a worker's way through its batches
//
// Beside them:
//
//	complete.go         the wait for a job, and work on it meanwhile
//	handle.go, option.go, worker.go, failure.go
//	                    further types that users meet
//	after.go            the jobs that a job runs after
//	autoorder.go, lengthof.go, inline.go
//	                    options that order jobs, measure them at their start, or run them inline
//	custom.go           kinds of one's own
//	indices.go, mapslice.go, reduce.go, scan.go, filter.go, compact.go, find.go, sort.go,
//	sortbykey.go, seq.go, goroutine.go
//	                    the further loops; mask.go and shape.go are common to several, flow.go is
//	                    how those over iterators go on, merge.go and radix.go are the sorts
//	scratch.go          temporary memory for bodies
//	context.go          contexts of batches, which end when the loop no longer needs the batch
//	grid.go             where loops are cut
//	fieldplan.go        the fields of a job's type; bindings.go those of a job
//	plainfield.go       whether a body has written a plain field
//	memory.go           what is known of a type of job, and memory that is kept for later jobs
//	wait.go             which job waits for which
//	callback.go         functions that jobs call and wait for
//	cost.go             the cost of loops and wake-ups; late.go short jobs, which are put off
//	distribution.go     how batches are assigned and stolen
//	pool.go             pools; poolworker.go their worker goroutines; call.go how these are woken
//	bubble.go           jobs in bubbles of testing/synctest
//	observer.go, progress.go, record.go, string.go
//	                    jobs seen from outside
//	engine_pool.go      how scheduled jobs are started; in builds with the race detector it is
//	                    engine_batch.go, which has a goroutine for each batch
package parallelfor
