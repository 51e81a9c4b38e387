package parallelfor

import (
	"context"

	"example.com/custody/internal/callsite"
	"example.com/custody/internal/origin"
)

// Kind is a way to execute jobs of type J: [For], [ForBatch] and the other loops here are made of
// kinds, and other packages can add some. A Kind is a small value without state: all workers of a
// job share one.
//
// J may be the user's job, or a struct that holds it beside views of the kind's own: the driver
// finds views in nested structs too. If the field is tagged custody:"inline", violations name the
// job's fields as its author does. See docs/custom-job.md.
type Kind[J any] interface {
	// Loop executes batches on one worker until r.Next returns false. job is the worker's copy: its
	// plain fields are set from the start, and its views work between Next and Next. An error is a
	// failure of the current batch, and so is a panic. Loop may then be called again, for lower
	// batches, and also after it has returned early.
	//
	// What Loop does outside batches is done once or more for each worker; strict builds call it
	// for each batch anew. The plain fields are parameters for Loop, too. What it keeps for the
	// batches is in its variables, or in a field tagged custody:"unguarded". Containers that a
	// batch uses are made in the batch.
	Loop(job *J, r *Batches) error
	// PerIndex reports whether the indices of a batch are independent of each other. Strict builds
	// then give Loop one index at a time.
	PerIndex() bool
}

// RunKind runs a job of a kind that the caller brings. In all else it is [ForErr], if the Loop of
// the kind keeps to its batches.
func RunKind[J any](ctx context.Context, n int, job J, k Kind[J], opts ...Option) error {
	checkBody(k == nil)
	return build(ctx, n, &job, k, aboutKind(k, k.PerIndex()), opts, called, 0).run()
}

// ScheduleKind starts what [RunKind] does.
func ScheduleKind[J any](ctx context.Context, n int, job J, k Kind[J], opts ...Option) Handle {
	checkBody(k == nil)
	return build(ctx, n, &job, k, aboutKind(k, k.PerIndex()), opts, scheduled, siteOf(opts, callsite.Return())).handOut()
}

// aboutKind returns the about of a kind that may be any package's.
func aboutKind(kind any, perIndex bool) (a about) {
	if c, ok := kind.(origin.Coded); ok {
		a.code, a.form = c.Code()
	}
	if perIndex {
		a.unit = indexUnit
	}
	return a
}
