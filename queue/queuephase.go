package queue

import (
	"math"

	"example.com/custody/internal/amount"
	"example.com/custody/lane"
	"example.com/custody/safety"
)

// queuePhases hears of the phases of a Queue.
type queuePhases[T any] Queue[T]

// OpenPhase implements safety.Phased. It keeps (I6): the ledger refuses from the schedule on, and the queue from here on,
// those who had passed the guard before.
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
		panic(q.guard.Violation(safety.ErrClosed, "a job was to add to "+q.guard.Container()+", which is closed", "Close a queue when the jobs that add to it were completed."))
	}
	if q.jobs++; q.jobs == 1 && p.Mode != safety.Append {
		q.halt()
		q.all = q.stretches()
	}
	p.State = q.all // of those that add it is another one
	q.mu.Unlock()
	q.lanes.Open(p)
}

// halt keeps everybody from being handed places, and waits for those who look at items. Who asks for the items next waits
// for those who are about to put some in.
//
// The race detector does not see the lock under which halt is called, because jobs that read need
// no order.
//
//go:norace
func (q *Queue[T]) halt() {
	for q.at = nil; q.at == nil; {
		s := q.ultimate()
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
	if q.watch.on() {
		q.watch.wait()
	}
}

// stretches returns the items by position. It waits for the items that are about to be there.
func (q *Queue[T]) stretches() (all stretches[T]) {
	s := q.head.Load()
	q.walk(s, int(s.head.Load()&^halted), q.end(), func(piece []T) { all = all.add(piece) })
	return all
}

// outline implements lent.
func (q *Queue[T]) outline() stretches[T] { return q.stretches() }

// extent implements lent.
func (q *Queue[T]) extent() int { return math.MaxInt }

// SealPhase implements safety.Phased. What a job has added becomes the last items at one moment.
//
//go:norace
func (x *queuePhases[T]) SealPhase(p *safety.Phase) {
	q := (*Queue[T])(x)
	if p.Mode == safety.Shared {
		return
	}
	q.lanes.Seal(p, q.adopt)
	p.State = nil // its ticket may outlive the items
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

// ReturnPhase implements safety.Returner: who waits for items may have them now.
func (x *queuePhases[T]) ReturnPhase(bool) {
	q := (*Queue[T])(x)
	if q.takers.any() {
		q.takers.call(everybody)
	}
}

// adopt puts what a job has added behind the last item: it takes the memory of large pieces, and copies small ones.
func (q *Queue[T]) adopt(added lane.Items[T]) {
	if added.Len() == 0 {
		return
	}
	if most := amount.Most[T](); added.Len() > most {
		panic(amount.Refusal(&q.guard, "was to get", added.Len(), 0, most, "item"))
	}
	var chain chain[T]
	for _, piece := range added.Take() {
		chain.add(piece, q.most)
	}
	q.splice(chain.end())
}

// splice puts segments, the last of which has no places left, behind all others.
func (q *Queue[T]) splice(first, last *segment[T]) {
	for {
		s := q.ultimate()
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

// chain is segments to be linked in.
type chain[T any] struct {
	first, last *segment[T]
	small       []T // pieces not worth a segment of their own, copied
}

// add adds a piece. One of less than a quarter of what a segment has is copied.
func (c *chain[T]) add(piece []T, most int) {
	if len(piece) < most/4 {
		for len(piece) > 0 {
			if c.small == nil {
				c.small = make([]T, 0, most)
			}
			n := min(len(piece), cap(c.small)-len(c.small))
			c.small = append(c.small, piece[:n]...)
			piece = piece[n:]
			if len(c.small) == cap(c.small) {
				c.flush()
			}
		}
		return
	}
	c.flush()
	c.link(piece)
}

// flush makes the small pieces a segment.
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

// end returns the first and the last segment.
func (c *chain[T]) end() (first, last *segment[T]) {
	c.flush()
	return c.first, c.last
}
