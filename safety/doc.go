// Package safety knows who may touch a container.
//
// A container is always in somebody's custody: its owner's, or that of the jobs it was lent to. A job
// declares what it will do with a container by the view that it carries as a field; the driver turns
// the views into claims and opens a ticket, which is refused when another job that is not completed
// holds the container in a way that does not go together and neither runs after the other. Inside the
// job the view works, in its cell and range; outside, the container's own methods do. Whatever breaks
// these rules is reported as a [Violation], on every run; docs/violations.md has all rules, each with its text.
//
// Users meet this package through errors.Is and the texts. Authors of containers and of drivers use
// the rest: it gives their types exactly the standing of the built-in ones.
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
//	hold.go       Hold: the handle inside a view; room.go the memory of claims; loan.go Loan: what is borrowed from a container and ends with a change
//	lease.go      Lease: one worker's hold, from batch to batch; what a body may pass on
//	numbers.go    the numbers by which leases are found on a stack
//	owner.go      what strict builds refuse to bodies that have no view
//	view.go       View and its kinds, Claim, Binding, Phase: what containers and drivers agree on; optional.go Optional
//	violation.go  Violation and its text; kinds.go its kinds; refusal.go what a guard refuses
//	site.go       Site: a place in the program; place.go the line that broke a rule
//	option.go     Option: how a container is made; line.go cache lines
//	level_*.go    the three levels, by build tag
//
// # Levels
//
// Checked, the default: custody is verified when a job is scheduled and at the borders of cells, the
// range at every access, the lease whenever a window is handed out. Strict (-tags custody_strict, and
// always with -race): the lease at every access, and the range per index in per-index loops. Unchecked
// (-tags custody_unchecked): nothing but the bounds of slices.
//
// # Memory model
//
// What happens before a job is scheduled happens before its cells; its cells happen before whatever
// follows the Complete of it, or of a job that runs after it, and before the cells of jobs that run
// after it, and before those of jobs in AutoOrder that are scheduled later and conflict with it. Nothing else
// here orders anything, and the race detector is told so.
package safety
