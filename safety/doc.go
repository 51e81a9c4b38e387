// Package safety has the rules for which job may use a container, and reports what breaks them.
//
// A container is in the custody of its owner, or of the jobs that hold it. A job declares what it
// does with a container by the view that it carries as a field. A schedule is refused if another
// job that is not completed holds the container in a way that excludes the claim, and neither job
// runs after the other. Inside the job the view works, in its batch and range; outside, the
// container's own methods do. A [Violation] reports whatever breaks these rules, on every run.
//
// # What users meet
//
//   - A [Violation] has what happened, what to do and at which line; errors.Is tests its kind, such
//     as [ErrConflict]. go doc safety.ErrConflict lists all kinds, docs/violations.md has the text
//     of each.
//   - [Named] gives a container a name for these texts.
//   - [Leaks] returns the jobs that were not completed, [OnLeak] sets a function for those that are
//     lost, and [SetLeakMode] also tracks containers. custodytest.NoLeaks fails a test for leaks.
//   - [Dump] writes which jobs hold each container, and which job runs after which.
//   - [Optional] is a field of a job that may carry a view, or none.
//   - [Handle] is the argument of a container's DisposeAfter.
//
// Guarantees of the functions (consistency, progress, cost, allocations; docs/consistency.md):
//
//	Some         constant           wait-free  O(1)             never
//	Leaks, Dump  weakly consistent  lock       O(jobs), sorted  the list
//	SetLeakMode  switch             lock       O(1)             never
//	OnLeak       switch             lock       O(1)             one
//
// Guarantees of every container, with as many of these methods as it has:
//
//	Reader, Writer, ParallelWriter, Shared  constant      wait-free  O(1)        never
//	Dispose, DisposeAfter                   ledger        lock       O(1)        DisposeAfter: some
//	Disposed                                linearizable  wait-free  O(1)        never
//	String                                  glance        lock       O(holders)  the text
//
// A view of a nil container is unassigned: a schedule with it is refused. The String of a nil
// container is <nil>; no String returns elements.
//
// # Levels
//
// Checked, the default, checks custody when a job is scheduled and at the borders of batches, the
// range at every access, and the batch of a view when the view hands out a slice. Strict (-tags
// custody_strict, and always with -race) checks the batch at every access too, and in per-index
// loops the range per index. Unchecked (-tags custody_unchecked) checks the bounds of slices only.
//
// # Memory model
//
// What happens before a job is scheduled happens before its batches. Its batches happen before what
// follows a Complete of the job, or of a job that runs after it. They happen before the batches of
// jobs that run after it, and of jobs in AutoOrder that are scheduled later and conflict with it.
// Nothing else in this package orders goroutines, and the race detector sees the same order.
//
// # For authors of containers and drivers
//
// A container has a [Guard], whose Check methods begin its methods. Its views embed a [Hold]; a
// driver calls the methods of their [Binder], or of a [ViewKind], which keeps these out of the
// views' pages. A container that hears when jobs begin and end is [Phased] or a [Returner], or
// gives [Guard.Phases] a type that is. docs/custom-container.md makes a container. It has all means
// of the library's own.
//
// A driver fills and opens a [Ticket] for each job, and runs each worker under a [Scope].
//
// Guarantees for authors (consistency, progress, cost, allocations; docs/consistency.md):
//
//	Caller        constant  wait-free  O(skip)                 never
//	CurrentScope  constant  wait-free  O(1), O(stack) in jobs  never
//	NewViolation  new       wait-free  O(1)                    one
//	NewScope      new       lock       O(1)                    one
//	NewBinding    driver    wait-free  O(1)                    never
//	FieldOf       driver    wait-free  O(1)                    one
//
// # Map
//
//	violation.go  Violation and its text; kinds.go its kinds; refusal.go what a guard refuses
//	guard.go      Guard: the handle inside a container; copy.go how its checks find copies
//	ticket.go     Ticket: the custody of one job, up to Seal; return.go from there to its owner
//	judge.go      the rules that a job's claims must keep; mode.go which modes go together
//	ledger.go     which jobs hold what; walk.go which runs after which; room.go their memory
//	overlap.go    jobs on two containers that have adopted the same memory
//	order.go      how a job comes to run after those that hold what it claims
//	leak.go       Leaks: what was not completed or disposed; track.go its tracking; dump.go Dump
//	text.go       the String of containers; log.go violations and leaks for log/slog
//	disposal.go   DisposeAfter; division.go Division: a container split into parts
//	view.go       View, Field, Claim, Binding, Phase: between container and driver
//	optional.go   Optional: a field of a job that may have no view
//	hold.go       Hold: the handle inside a view; borrow.go Borrow: what ends with a change
//	scope.go      Scope: a worker's hold, batch by batch; numbers.go how a stack leads to it
//	owner.go      what strict builds refuse to bodies that have no view
//	site.go       Site: a place in the program; place.go the line that broke a rule
//	option.go     Option: how a container is made; level_*.go the three levels, by build tag
package safety
