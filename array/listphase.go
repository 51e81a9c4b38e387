package array

import (
	"example.com/custody/internal/elem"
	"example.com/custody/internal/quiet"
	"example.com/custody/lane"
	"example.com/custody/safety"
)

// listPhases has the methods of a List that the ledger calls when a phase opens and when it ends.
type listPhases[T any] List[T]

// OpenPhase opens the lanes of a job that appends.
func (x *listPhases[T]) OpenPhase(p *safety.Phase) {
	l := (*List[T])(x)
	if p.Mode == safety.Append {
		l.lanes.Lend(l.of.data)
		l.lanes.Open(p)
		return
	}
	(*list)(elem.Pointer(l)).OpenPhase(p)
}

// SealPhase implements safety.Phased.
//
//go:norace
func (x *listPhases[T]) SealPhase(p *safety.Phase) { x.lanes.Seal(p, x.add) }

// adopt adds the elements that a job has appended, when the job is sealed.
//
//go:norace
func (l *List[T]) adopt(added lane.Items[T]) {
	n, more := len(l.of.data), added.Len()
	if more == 0 {
		return
	}
	(*list)(elem.Pointer(l)).grow(more)
	l.of.data = l.of.data[:n+more]
	added.CopyTo(l.of.data[n:])
	l.of.n = n + more
}

// ParallelWriter returns a view that appends. While an uncompleted job holds it, every use of the
// list is a violation.
//
// Cost: that of an append to a slice for each element, and when the job ends a parallel copy. The
// elements that the worker of batch 0 appends, in that batch and those behind it, are not copied if
// the list has room for them.
func (l *List[T]) ParallelWriter() ParallelWriter[T] {
	if l == nil {
		return ParallelWriter[T]{}
	}
	return ParallelWriter[T]{hold: quiet.Appending(&l.of.guard)}
}

// ParallelWriter is a view that appends to a [List] from all batches of a parallel loop. When the
// job has ended, the elements stand at the end of the list in the order in which the sequential
// loop appends them, at any number of workers. If a batch fails, they are those that the sequential
// loop appends before it fails. There is no capacity to exceed. A ParallelWriter works only inside
// the job that carries it.
//
// Other containers have a ParallelWriter method, too, each with a type of its own: a
// [StreamParallelWriter] here, and types of packages counter, queue and hashmap.
// Each method: lane; wait-free; O(elements); allocates chunks.
type ParallelWriter[T any] struct {
	hold `custody:"part"`
	lane *lane.Lane[T] // nil in an unbound view
}

// Append appends v to what the sequential loop has appended before.
func (w *ParallelWriter[T]) Append(v T) { w.lane.Append(quiet.Of(&w.hold), v) }

// AppendAll appends all of vs, in their order.
func (w *ParallelWriter[T]) AppendAll(vs []T) { w.lane.AppendAll(quiet.Of(&w.hold), vs) }

// AvailableBuffer returns an empty slice with some capacity, to append to and to pass to AppendAll,
// which does not copy what found room in it. In innermost loops that is faster than an Append for
// each element. The slice is valid until the view appends. It is nil in builds with the race
// detector.
func (w *ParallelWriter[T]) AvailableBuffer() []T { return w.lane.AvailableBuffer(quiet.Of(&w.hold)) }
