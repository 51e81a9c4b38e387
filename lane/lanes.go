package lane

import (
	"example.com/custody/internal/elem"
	"example.com/custody/internal/lanes"
	"example.com/custody/safety"
)

// Lanes are the lanes of the job that holds a container in mode Append: a [Lane] for each worker.
// A container has a field of type Lanes and passes its phases on to it. The zero value is ready. A
// Lanes must not be copied.
//
// A Lanes keeps its memory from phase to phase, but no items. So a container that loops of the same
// size append to again and again allocates nothing. [Lanes.Trim] drops the memory. With
// [Lanes.Share] most of it goes to whichever container is appended to next.
//
// Memory: what the workers append, in chunks of 1 KiB to 256 KiB, and five cache lines a worker.
//
// Guarantees (consistency, progress, cost, allocations; docs/consistency.md):
//
//	Open               driver         wait-free           O(workers)          lanes, at first
//	Seal               driver         waits: for helpers  O(spans log spans)  never; some if shared
//	Lane               driver         wait-free           O(1)                never
//	Lend, Share, Trim  owner changes  wait-free           O(1)                never
//	Bytes              owner reads    wait-free           O(chunks)           never
//	Reuse              any time       as sync.Pool        O(1)                never; one if a chunk
type Lanes[T any] struct {
	_  [0]*T // Lanes of other items do not convert
	of lanes.Lanes
}

// Open begins a phase. A container's OpenPhase calls it in every mode. It does nothing in modes
// other than Append. It stores the lanes in p.State, where [Of] finds them. If p.Into is a lane,
// the job is nested: it gets other lanes, whose items Seal will append to that lane.
//
// A container with several Lanes, of different items, or with a State of its own, opens and seals
// each with a copy of p that has the Into of that Lanes. It keeps what Open has stored for [Of].
//
// A second Open before Seal is a violation: either a view that a body passed on did not name its
// lane as the Into of its claim, or the container does not call Seal.
func (ls *Lanes[T]) Open(p *safety.Phase) {
	q := untyped(p)
	lanes.Open[T](&ls.of, &q)
	p.State = q.State
}

// cored is a Lane.
type cored interface{ core() *lanes.Lane }

// untyped returns a phase whose Into is a lane without its type, if that of p is a Lane.
func untyped(p *safety.Phase) safety.Phase {
	q := *p
	if l, ok := p.Into.(cored); ok {
		q.Into = l.core()
	}
	return q
}

// Of returns the lane of the worker that a view is bound for, to its Bind. A State of the
// container's own has a method Lanes() any: it returns what Open has stored, or a []any of these.
func Of[T any](b safety.Binding) *Lane[T] {
	return (*Lane[T])(elem.Pointer(lanes.Of(b, (*T)(nil))))
}

// Lane returns the lane of a worker of a job that is not nested, in which [Of] finds others. It is
// for containers with a State of their own.
func (ls *Lanes[T]) Lane(worker int) *Lane[T] { return (*Lane[T])(elem.Pointer(ls.of.Lane(worker))) }

// Seal ends the phase. A container's SealPhase calls it in every mode. Seal calls add once with the
// items of the spans that count, also if there are none, and the container copies them or takes
// their memory. If their number overflows, which only items without a size can cause, Len is
// math.MaxInt and the container refuses it. Seal appends the items of a nested job to the lane of
// the job around it instead, and does not call add. The lanes are empty afterwards, also when add
// panics.
//
// Cost: sorting the spans, most often one or a few for each worker; and clearing what was appended
// if it may hold pointers, in parallel if there is much.
func (ls *Lanes[T]) Seal(p *safety.Phase, add func(Items[T])) {
	q := untyped(p)
	ls.of.Seal(&q, func(s lanes.Items) { add(Items[T]{of: s}) })
}

// Lend makes the memory behind the last item of data the destination of the next phase, unless that
// phase is nested: [Items.CopyTo] does not copy items that lie in their place. The container must
// not use that memory until Seal. Seal clears what was written there, if it may keep memory alive,
// except the items of CopyTo. Lend does nothing during a phase, nor in builds with the race
// detector, which does not see the writes of a lane.
func (ls *Lanes[T]) Lend(data []T) { lanes.Lend(&ls.of, data) }

// Reuse gives the lanes a slice from [Items.Take] for the chunks of later phases. No goroutine may
// use the slice or a part of it any more, and its items must not keep memory alive. Any goroutine
// may call Reuse at any time. The garbage collector takes slices that are not a whole chunk of
// 256 KiB, and those that no phase has used for 16 collections, or for two in a program that
// allocates next to nothing.
func (ls *Lanes[T]) Reuse(piece []T) { lanes.Reuse(&ls.of, piece) }

// Share makes the lanes use the spare chunks of from: they take large chunks there, and give them
// back when a phase ends. So containers of one type that large loops fill one after the other use
// the same memory, which the garbage collector takes as that of Reuse. Seal allocates once for each
// large chunk. A container calls Share before its first phase.
func (ls *Lanes[T]) Share(from *Lanes[T]) { ls.of.Share((*lanes.Lanes)(elem.Pointer(from))) }

// Trim drops the memory that is kept for later phases, except spare chunks, see Reuse and Share.
// During a phase Trim does nothing.
func (ls *Lanes[T]) Trim() { ls.of.Trim() }

// Bytes returns the size in bytes of the memory that Trim drops. Bytes is called outside phases.
//
// Cost: O(1) for each chunk. A worker has one for each 256 KiB that it has appended, and a few
// shorter ones.
func (ls *Lanes[T]) Bytes() int { return ls.of.Bytes() }
