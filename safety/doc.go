// Package safety knows who may touch a container.
//
// A container is in the custody of its owner, or of the jobs that hold it. A job declares what it
// does with a container by the view that it carries as a field. A schedule is refused if another
// job that is not completed holds the container in a way that excludes the claim, and neither job
// runs after the other. Inside the job the view works, in its batch and range; outside, the
// container's own methods do. Whatever breaks these rules is reported as a [Violation], on every
// run.
//
// # What users meet
//
//   - A [Violation] tells what happened, what to do and at which line, and errors.Is tells its kind,
//     such as [ErrConflict]. docs/violations.md has all kinds, each with its text.
//   - [Named] gives a container a name for these texts.
//   - [Leaks] returns the jobs that were not completed, [VerifyNoLeaks] fails a test for them,
//     [OnLeak] tells of those that are lost, and [SetLeakMode] also tracks containers.
//   - [Dump] writes which jobs hold each container, and which job runs after which.
//   - [Optional] is a field of a job that may carry a view, or none.
//   - [Handle] is what DisposeAfter of a container takes.
//
// # Levels
//
// Checked, the default: custody is verified when a job is scheduled and at the borders of batches,
// the range at every access, the scope whenever a window is handed out. Strict (-tags
// custody_strict, and always with -race): the scope at every access, and the range per index in
// per-index loops. Unchecked (-tags custody_unchecked): nothing but the bounds of slices.
//
// # Memory model
//
// What happens before a job is scheduled happens before its batches; its batches happen before
// whatever follows the Complete of it, or of a job that runs after it, and before the batches of
// jobs that run after it, and before those of jobs in AutoOrder that are scheduled later and
// conflict with it. Nothing else here orders anything, and the race detector is told so.
//
// # What authors of containers need
//
// A container has a [Guard], whose Check methods begin its methods. Its views embed a [Hold], and
// what a driver calls of them are the methods of a [Binder], or of a [ViewKind] that keeps these
// out of the views' pages. A container that is told when jobs begin and end is [Phased], a
// [Returner], or has a type for that (Guard.Phases). docs/custom-container.md makes one. It has
// the standing of the built-in containers.
//
// # What authors of drivers need
//
// A driver fills and opens a [Ticket] for each job, and runs its workers under a [Scope] each.
//
// What each method guarantees, whom it may wait for and what it allocates: docs/consistency.md#safety.
//
// # Map
//
//	guard.go      Guard: the handle inside a container; the checks of ordinary use
//	copy.go       how these checks find copies
//	ticket.go     Ticket: the custody of one job, from Open to Seal; return.go from there to its owner
//	judge.go      the rules that a job's claims must keep; mode.go which modes go together
//	ledger.go     the ledger: who holds what; walk.go who runs after whom
//	overlap.go    jobs on two containers that have adopted the same memory
//	order.go      how a job comes to run after those that hold what it claims
//	length.go     claims of views that are asked how long they are
//	leak.go       Leaks: what was not completed or disposed; track.go how much is noted of it; dump.go Dump: all there is now
//	text.go       what a container's String says; log.go what log/slog is told of violations and leaks
//	disposal.go   DisposeAfter: a container is left to the jobs that hold it
//	division.go   Division: a container split into parts with guards of their own
//	hold.go       Hold: the handle inside a view; room.go the memory of claims
//	borrow.go       Borrow: what is borrowed from a container and ends with a change
//	scope.go      Scope: one worker's hold, from batch to batch; what a body may pass on
//	numbers.go    the numbers by which scopes are found on a stack
//	owner.go      what strict builds refuse to bodies that have no view
//	view.go       View and its kinds, Claim, Binding, Phase: what containers and drivers agree on; optional.go Optional
//	violation.go  Violation and its text; kinds.go its kinds; refusal.go what a guard refuses
//	site.go       Site: a place in the program; place.go the line that broke a rule
//	option.go     Option: how a container is made; line.go cache lines
//	level_*.go    the three levels, by build tag
package safety
