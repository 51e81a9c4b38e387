package queue

import (
	"math"

	"example.com/custody/internal/amount"
	"example.com/custody/internal/lanes"
	"example.com/custody/safety"
)

// Reader returns a view that reads the items by position. Until the job is completed no operation
// may put items in or take them out; Peek, Len and All are allowed.
func (q *Queue[T]) Reader() Reader[T] {
	if q == nil {
		return Reader[T]{}
	}
	return Reader[T]{byPosition[T](&q.guard, safety.Read, readers, q)}
}

// Writer returns a view that reads and writes the items by position, in place. It excludes all
// other uses of the queue until the job is completed. A loop may have any number of indices: those
// beyond the items own nothing. With parallelfor.LengthOf(q.Reader()) a loop has as many as there
// are items when it starts.
func (q *Queue[T]) Writer() Writer[T] {
	if q == nil {
		return Writer[T]{}
	}
	return Writer[T]{positions: byPosition[T](&q.guard, safety.Write, writers, q)}
}

// queuePhases has the methods of a Queue that the ledger calls when a phase opens and when it ends.
type queuePhases[T any] Queue[T]

// OpenPhase implements safety.Phased. It keeps (I6): the guard refuses operations from the schedule
// on, and the queue from here on refuses those that had passed the guard before.
//
//go:norace
func (x *queuePhases[T]) OpenPhase(p *safety.Phase) {
	q := (*Queue[T])(x)
	if p.Mode == safety.Shared {
		return
	}
	q.mu.Lock()
	if p.Mode == safety.Append && q.closed.Load() != 0 {
		q.mu.Unlock()
		panic(q.guard.Violation(safety.ErrClosed,
			"a job was to add to "+q.guard.Container()+", which is closed",
			"Close a queue when the jobs that add to it were completed."))
	}
	if q.jobs++; q.jobs == 1 && p.Mode != safety.Append {
		q.halt()
		q.all = q.stretches()
	}
	p.State = q.all // Open replaces the State of a job that adds
	q.mu.Unlock()
	lanes.Open[T](&q.lanes, p)
}

// halt marks the tail of the last segment and the head of the first, so that no places are handed
// out, and waits for the observer. stretches then waits until the places are filled.
//
// The race detector does not see the lock under which halt is called, because jobs that read need
// no order.
//
//go:norace
func (q *Queue[T]) halt() {
	for q.at = nil; q.at == nil; {
		s := q.last()
		t := s.tail.Load()
		if t&final != 0 {
			break
		}
		if s.none(t) {
			q.follow(s)
		} else if s.tail.CompareAndSwap(t, mark(t, halted)) {
			q.at, q.was = s, t
		}
	}
	for {
		s := q.head.Load()
		h := s.head.Load()
		if n := s.next.Load(); n != nil && int(h) == s.handed(s.tail.Load()) {
			q.head.CompareAndSwap(s, n)
		} else if s.head.CompareAndSwap(h, h|halted) {
			break
		}
	}
	q.observer.wait()
}

// stretches implements positional. It waits for places that are about to be filled.
func (q *Queue[T]) stretches() *stretches {
	s := q.head.Load()
	return stretchesOf(func(f func(piece []T)) { q.walk(s, int(s.head.Load()&^halted), q.end(), f) })
}

// extent implements positional.
func (q *Queue[T]) extent() int { return math.MaxInt }

// SealPhase implements safety.Phased. The items that a job has added become the last, all at once.
//
//go:norace
func (x *queuePhases[T]) SealPhase(p *safety.Phase) {
	q := (*Queue[T])(x)
	if p.Mode == safety.Shared {
		return
	}
	q.lanes.Seal(p, q.adopt)
	p.State = nil // the job's ticket may outlive the items
	q.mu.Lock()
	if q.jobs--; q.jobs == 0 && p.Mode != safety.Append {
		unflag(&q.head.Load().head, halted)
		if q.at != nil {
			q.at.tail.Store(q.was)
			q.at = nil
		}
		q.all = nil
	}
	q.mu.Unlock()
}

// ReturnPhase implements safety.Returner. It calls the goroutines that wait for items.
func (x *queuePhases[T]) ReturnPhase(bool) {
	q := (*Queue[T])(x)
	q.notEmpty.call(everyWaiter)
}

// adopt puts the items that a job has added behind the last one. It links in the memory of large
// pieces and copies small ones.
func (q *Queue[T]) adopt(added lanes.Items) {
	if added.Len() == 0 {
		return
	}
	if most := amount.Most[T](); added.Len() > most {
		panic(amount.Refusal(&q.guard, "was to get", added.Len(), 0, most, "item"))
	}
	var c chain[T]
	for _, piece := range lanes.Take[T](added) {
		c.add(piece, q.most)
	}
	c.flush()
	q.splice(c.first, c.last)
}

// splice puts segments, the last of which has no places left, behind all others. The mark ended
// keeps an enqueue from making a next segment of its own before splice has stored the first.
func (q *Queue[T]) splice(first, last *segment[T]) {
	for {
		s := q.last()
		t := s.tail.Load()
		base := s.base + uint64(s.handed(t))
		for n := first; n != nil; n = n.next.Load() {
			n.base = base
			base += uint64(len(n.items))
		}
		if s.none(t) {
			if !s.next.CompareAndSwap(nil, first) {
				continue
			}
		} else {
			if !s.tail.CompareAndSwap(t, mark(t, ended)) {
				continue
			}
			s.next.Store(first)
		}
		q.tail.CompareAndSwap(s, last)
		return
	}
}

// chain is a list of segments to be linked in.
type chain[T any] struct {
	first, last *segment[T]
	small       []T // small pieces, copied into one segment
}

// add adds a piece behind the others. It copies a piece of fewer items than a quarter of most, the
// largest number of places of a segment.
func (c *chain[T]) add(piece []T, most int) {
	if len(piece) >= most/4 {
		c.flush()
		c.link(piece)
		return
	}
	if len(piece) > cap(c.small)-len(c.small) {
		c.flush()
		c.small = make([]T, 0, most)
	}
	c.small = append(c.small, piece...)
}

// flush adds a segment of the small pieces that were copied since the last flush, if there are any.
func (c *chain[T]) flush() {
	if len(c.small) > 0 {
		c.link(c.small)
	}
	c.small = nil
}

func (c *chain[T]) link(items []T) {
	s := adopt(items)
	if c.first == nil {
		c.first = s
	} else {
		c.last.next.Store(s)
	}
	c.last = s
}
