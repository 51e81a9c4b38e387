package main

import "example.com/custody/safety"

// kind is a kind of violation: its name in package safety, its comment there, and a function that
// repairs the first misuse of the kind.
type kind struct {
	is   error
	name string
	fix  func()
	when string
}

// kinds are all of them.
var kinds = []kind{
	{safety.ErrConflict, "ErrConflict", ordered, "two jobs hold one container in modes that exclude each other, and neither runs after the other; or two goroutines use at one time what is for one goroutine; or a function calls a method of a table while the table's call that runs the function goes on."},
	{safety.ErrInFlight, "ErrInFlight", completedBefore, "a container is used by its owner while a job that was not completed holds it."},
	{safety.ErrOwnerInJob, "ErrOwnerInJob", withView, "a body uses a container by its own methods, without a view. Strict builds report it; others do if the job holds the container in a way that excludes the use."},
	{safety.ErrAliased, "ErrAliased", twoContainers, "one job holds a container twice, once to write it."},
	{safety.ErrNoRange, "ErrNoRange", partialSums, "a parallel loop holds a container to write it through a view that has no write range; or the claim of a view is Ranged and the view is no RangeView."},
	{safety.ErrPlainField, "ErrPlainField", sumInContainer, "a body writes a plain field of its job, and that write is lost. Strict builds look after every batch, checked builds after batch 0 of each loop."},
	{safety.ErrField, "ErrField", viewInField, "a job struct has a field that would be shared between workers unseen."},
	{safety.ErrUnassigned, "ErrUnassigned", assigned, "a view or container was never made."},
	{safety.ErrDisposed, "ErrDisposed", disposedLast, "a container is used after Dispose."},
	{safety.ErrSplit, "ErrSplit", partUsed, "a container is used while it is split into parts."},
	{safety.ErrCopied, "ErrCopied", pointerKept, "a container was copied as a value."},
	{safety.ErrBorrowed, "ErrBorrowed", copiedFirst, "a slice, view or iterator that a container handed out under a borrow is used after the container has changed, or after a job took the container to change it. Ranges over the hash maps have a borrow, which only jobs end. Ranges over a table, its columns and its Key have one that an Apply which removes rows ends. Ranges over arrays and lists have none."},
	{safety.ErrStaleView, "ErrStaleView", ownMethod, "a view is used outside the job and batch that it was bound for."},
	{safety.ErrWriteRange, "ErrWriteRange", ownIndex, "an index is inside the container and outside the range of the current batch, or of a window."},
	{safety.ErrTwice, "ErrTwice", permuted, "a Permuted view writes one element twice in a job."},
	{safety.ErrOverlap, "ErrOverlap", twoBuffers, "two batches use one element through an Unrestricted view, and one writes it. Strict builds only."},
	{safety.ErrIndex, "ErrIndex", lastIndex, "an index is outside the container."},
	{safety.ErrLength, "ErrLength", ownLength, "lengths do not fit each other; or a length, a capacity or a number of elements is negative, too small, or more than memory can hold."},
	{safety.ErrArgument, "ErrArgument", oneBatch, "an argument or option has no meaning."},
	{safety.ErrNotLent, "ErrNotLent", passedOn, "a job scheduled by a body holds what the body cannot pass on: a container that the body does not hold, a container to write of which the body owns only the elements of one index, or a container that has adopted memory of the body's own."},
	{safety.ErrNotCompleted, "ErrNotCompleted", completedInside, "a body ended its batch while a job that it scheduled was not completed."},
	{safety.ErrWaitCycle, "ErrWaitCycle", orderedOutside, "a body, or a Progress function, waits for a job that waits for it; or a function that computes a value of a map waits for that value."},
	{safety.ErrClosed, "ErrClosed", closedLast, "a pool or handle is used after Close, or a job is to add to a closed queue. It is not queue.ErrClosed, which operations on a closed queue return."},
}
