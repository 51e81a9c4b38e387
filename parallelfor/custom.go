package parallelfor

import (
	"context"

	"example.com/custody/safety"
)

// Kind is a way to execute jobs of type J: what [For], [ForBatch] and all others here are made of,
// and what a package of its own can add. A Kind is a small value without state: one is shared by
// all workers of a job.
//
// J may be the user's job, or a struct that holds it beside views of the kind's own: the driver
// finds views in nested structs too. If the field is tagged custody:"inline", violations name the
// job's fields as its author does. See docs/custom-job.md.
type Kind[J any] interface {
	// Loop executes batches on one worker until r.Next returns false. job is the worker's copy: its plain fields
	// are there from the start, its views work between Next and Next. An error is a failure of the current batch, and
	// so is a panic; then Loop may be called again, for batches below, and so it may when it returns early.
	// What Loop does outside batches is done once or more for each worker; strict builds call it for each batch anew. The
	// plain fields are parameters for Loop, too: what it keeps for the batches is in its variables, or in a field tagged
	// custody:"unguarded"; and containers that batches use it makes in the batch.
	Loop(job *J, r *Batches) error
	// PerIndex says that the indices of a batch are independent of each other: strict builds then let Loop
	// at one index at a time.
	PerIndex() bool
}

// RunKind runs a job of a kind that the caller brings. Otherwise it is [ForErr].
func RunKind[J any](ctx context.Context, n int, job J, k Kind[J], opts ...Option) error {
	checkKind(k == nil)
	return build(ctx, n, &job, k, false, opts, called).run()
}

// ScheduleKind starts what [RunKind] does.
func ScheduleKind[J any](ctx context.Context, n int, job J, k Kind[J], opts ...Option) Handle {
	checkKind(k == nil)
	return build(ctx, n, &job, k, false, opts, scheduled).handOut()
}

func checkKind(missing bool) {
	if missing {
		panic(safety.NewViolation(safety.ErrArgument, "a job was scheduled with a nil Kind", "Pass a value of a type that has the methods of Kind."))
	}
}
