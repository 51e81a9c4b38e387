package counter

import "example.com/custody/safety"

// SumParallelWriter is a view through which the batches of a parallel loop add to a [Sum]. Each
// batch adds plainly to a partial sum of its own. When the job is sealed, the partial sums are
// added in the order of the batches: value = ((value + p0) + p1) + ... So the sum is the same, bit
// for bit, at any number of workers. For floats it depends on where the loop is cut into batches,
// which the number of indices or the Batch option decides, and is not the sum of the plain loop. If
// a batch fails, the sum gets exactly what the sequential loop adds before it fails. The view works
// only inside the job that carries it; Adds of the Sum stay legal beside it.
//
// The partial sums of a nested job are added in the same way to that of the batch that passed the
// view on.
//
// Cost: a nil test and an addition in memory. For floats that takes some nanoseconds, because each
// addition waits for the one before; a body that adds up in a local variable and calls Add once for
// each batch is faster. The size of a T for each batch, kept for later phases.
// Each method: lane; wait-free; O(1); allocates never.
type SumParallelWriter[T Number] struct {
	at *T // the partial sum of the current batch; nil in an unbound view
	hold
	parts *partials[T]
}

// ParallelWriter returns a view that adds from any batch of a loop.
func (s *Sum[T]) ParallelWriter() SumParallelWriter[T] {
	if s == nil {
		return SumParallelWriter[T]{}
	}
	return SumParallelWriter[T]{hold: s.guard.Hold(safety.Append, (*sumParallelWriterKind[T])(nil))}
}

// Add adds v. It is a violation if the view is not bound, or in strict builds not to the current
// batch.
func (w *SumParallelWriter[T]) Add(v T) {
	if safety.Strict {
		w.hold.Check()
	}
	if w.at == nil {
		panic(w.hold.Stale())
	}
	*w.at += v
}

// sumParallelWriterKind has the methods of a SumParallelWriter that drivers call.
type sumParallelWriterKind[T Number] SumParallelWriter[T]

// Of implements safety.ViewKind.
func (*sumParallelWriterKind[T]) Of(view any, _ *safety.Hold) safety.Binder {
	return (*sumParallelWriterKind[T])(view.(*SumParallelWriter[T]))
}

// Claim completes the claim.
func (w *sumParallelWriterKind[T]) Claim(c *safety.Claim) { c.Into = w.at }

// Bind implements safety.Binder.
func (w *sumParallelWriterKind[T]) Bind(b safety.Binding) {
	w.hold.Bind(b)
	w.at, w.parts = nil, b.State().(*partials[T])
}

// BeginBatch is called by drivers before each batch: see safety.Binder.
func (w *sumParallelWriterKind[T]) BeginBatch(batch int) { w.at = w.parts.of(batch) }

// SumReader is a view through which jobs read a [Sum] that no job changes meanwhile.
// Each method: job reads; wait-free; O(1); allocates never.
type SumReader[T Number] struct {
	held[Sum[T]] `custody:"part"`
}

// Reader returns a view that reads.
func (s *Sum[T]) Reader() SumReader[T] {
	if s == nil {
		return SumReader[T]{}
	}
	return SumReader[T]{held[Sum[T]]{hold: s.guard.Hold(safety.Read, nil), of: s}}
}

// Value returns the sum. It is a violation outside the batch that the view is bound to.
func (r *SumReader[T]) Value() T { return decode[T](r.use().word.Load()) }
