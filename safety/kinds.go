package safety

import "errors"

// The kinds of violation, for errors.Is.
var (
	// ErrConflict: two jobs hold one container in modes that exclude each other, and neither runs
	// after the other; or two goroutines use at one time what is for one goroutine; or a function
	// calls a method of a table while the table's call that runs the function goes on.
	ErrConflict = errors.New("conflicting jobs")
	// ErrInFlight: a container is used by its owner while a job that was not completed holds it.
	ErrInFlight = errors.New("container in flight")
	// ErrAliased: one job holds a container twice, once to write it.
	ErrAliased = errors.New("container held twice by one job")
	// ErrUnassigned: a view or container was never made.
	ErrUnassigned = errors.New("not assigned")
	// ErrDisposed: a container is used after Dispose.
	ErrDisposed = errors.New("container disposed")
	// ErrSplit: a container is used while it is split into parts.
	ErrSplit = errors.New("container in parts")
	// ErrCopied: a container was copied as a value.
	ErrCopied = errors.New("container copied")
	// ErrNoRange: a parallel loop holds a container to write it through a view that has no write
	// range; or the claim of a view is Ranged and the view is no RangeView.
	ErrNoRange = errors.New("no write range")
	// ErrOwnerInJob: a body uses a container by its own methods, without a view. Strict builds
	// report it; others do if the job holds the container in a way that excludes the use.
	ErrOwnerInJob = errors.New("container used without a view")
	// ErrBorrowed: a slice, view or iterator that a container handed out under a borrow is used
	// after the container has changed, or after a job took the container to change it. Ranges over
	// the hash maps have a borrow, which only jobs end. Ranges over a table, its columns and its
	// Key have one that an Apply which removes rows ends. Ranges over arrays and lists have none.
	ErrBorrowed = errors.New("stale borrow")
	// ErrStaleView: a view is used outside the job and batch that it was bound for.
	ErrStaleView = errors.New("stale view")
	// ErrWriteRange: an index is inside the container and outside the range of the current batch,
	// or of a window.
	ErrWriteRange = errors.New("outside the write range")
	// ErrTwice: a Permuted view writes one element twice in a job.
	ErrTwice = errors.New("element written twice")
	// ErrOverlap: two batches use one element through an Unrestricted view, and one writes it.
	// Strict builds only.
	ErrOverlap = errors.New("batches overlap")
	// ErrIndex: an index is outside the container.
	ErrIndex = errors.New("index out of range")
	// ErrLength: lengths do not fit each other; or a length, a capacity or a number of elements is
	// negative, too small, or more than memory can hold.
	ErrLength = errors.New("length mismatch")
	// ErrArgument: an argument or option has no meaning.
	ErrArgument = errors.New("bad argument")
	// ErrField: a job struct has a field that would be shared between workers unseen.
	ErrField = errors.New("unguarded job field")
	// ErrPlainField: a body writes a plain field of its job, and that write is lost. Strict builds
	// look after every batch, checked builds after batch 0 of each loop.
	ErrPlainField = errors.New("plain field written")
	// ErrNotLent: a job scheduled by a body holds what the body cannot pass on: a container that
	// the body does not hold, a container to write of which the body owns only the elements of one
	// index, or a container that has adopted memory of the body's own.
	ErrNotLent = errors.New("container not lent")
	// ErrNotCompleted: a body ended its batch while a job that it scheduled was not completed.
	ErrNotCompleted = errors.New("nested job not completed")
	// ErrWaitCycle: a body, or a Progress function, waits for a job that waits for it; or a
	// function that computes a value of a map waits for that value.
	ErrWaitCycle = errors.New("wait cycle")
	// ErrClosed: a pool or handle is used after Close, or a job is to add to a closed queue. It is
	// not queue.ErrClosed, which operations on a closed queue return.
	ErrClosed = errors.New("closed")
)
