package array

import (
	"example.com/custody/internal/lanes"
	"example.com/custody/internal/quiet"
	"example.com/custody/safety"
)

// listPhases has the methods of a List that the ledger calls when a phase opens and when it ends.
type listPhases list

// OpenPhase opens the lanes of a job that appends. For others it gives a set or shadow its size if
// the job was scheduled before the length was known.
func (l *listPhases) OpenPhase(p *safety.Phase) {
	if p.Mode == safety.Append {
		behind := l.data.part(l.data.len, l.data.cap, l.size)
		l.lanes.Lend(behind.p, behind.len, l.size)
		l.lanes.Open(p)
		return
	}
	p.State = p.Into
	if s, ok := p.Into.(unsized); ok && safety.Enabled {
		s.size(&l.guard, l.data.len)
	}
}

// unsized is a set or a shadow, which the copies of a view share. size makes its n bits or marks.
type unsized interface{ size(g *safety.Guard, n int) }

// SealPhase implements safety.Phased.
//
//go:norace
func (l *listPhases) SealPhase(p *safety.Phase) { l.lanes.Seal(p, (*list)(l).take) }

// take adds the elements that a job has appended, when the job is sealed.
//
//go:norace
func (l *list) take(added lanes.Items) {
	n, more := l.data.len, added.Len()
	if more == 0 {
		return
	}
	l.grow(more)
	l.data.len, l.n = n+more, n+more
	added.CopyTo(l.data.at(n, l.size), more)
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
	_    [0]*T // ParallelWriters of other types do not convert
	hold `custody:"part"`
	lane *lanes.Lane // nil in an unbound view
}

// Append appends v to what the sequential loop has appended before.
func (w *ParallelWriter[T]) Append(v T) { lanes.Append(w.lane, quiet.Of(&w.hold), v) }

// AppendAll appends all of vs, in their order.
func (w *ParallelWriter[T]) AppendAll(vs []T) { lanes.AppendAll(w.lane, quiet.Of(&w.hold), vs) }

// AvailableBuffer returns an empty slice with some capacity, to append to and to pass to AppendAll,
// which does not copy what found room in it. In innermost loops that is faster than an Append for
// each element. The slice is valid until the batch appends to the list, by any view. To append it
// later is a violation, which only strict builds report for old slices. With -race all is copied.
func (w *ParallelWriter[T]) AvailableBuffer() []T {
	return lanes.Available[T](w.lane, quiet.Of(&w.hold))
}
