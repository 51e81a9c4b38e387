package spec

import (
	"fmt"

	"example.com/custody/internal/linear"
)

// bounds judges a Len that runs beside other operations. An item enqueued before the Len may be
// missing if a dequeue that removed it may have begun before the Len's end. An item enqueued before
// the Len's end must be missing if a dequeue that removed it ended before the Len.
func (q queue) bounds(h []linear.Op[QueueIn, QueueOut], i int) error {
	least, most := 0, 0
	cleared := false
	at := &h[i]
	for k := range h {
		o := &h[k]
		if at.Before(o) {
			continue
		}
		in, out := q.moved(o)
		if o.Before(at) {
			least += in.least
			most -= out.least
		}
		most += in.most
		least -= out.most
		cleared = cleared || o.In.Op == Clear
	}
	if cleared { // the number of items that a Clear removed is unknown
		least, most = 0, q.possible(h, i)
	}
	least, most = max(least, 0), min(most, q.capacity)
	if n := at.Out.N; n < least || n > most {
		return fmt.Errorf("there were between %d and %d items", least, most)
	}
	return nil
}

// span is the range of the number of items that an operation moved.
type span struct{ least, most int }

// moved returns how many items an operation enqueued and dequeued. For a Clear it returns 0 and 0.
func (q queue) moved(o *linear.Op[QueueIn, QueueOut]) (in, out span) {
	asked, answered := 0, 0
	put := false
	switch o.In.Op {
	case TryEnqueue, Enqueue:
		put, asked = true, 1
		if o.Out.OK {
			answered = 1
		}
	case EnqueueAll:
		put, asked, answered = true, o.In.Batch.Len(), o.Out.N
	case TryDequeue, Dequeue:
		asked = 1
		if o.Out.OK {
			answered = 1
		}
	case DequeueInto:
		asked, answered = o.In.Value, o.Out.Batch.Len()
	}
	s := span{answered, answered}
	if o.Pending() {
		s = span{0, asked}
	}
	if put {
		return s, span{}
	}
	return span{}, s
}

// possible returns the largest number of items that can have been present at some moment of h[i].
func (q queue) possible(h []linear.Op[QueueIn, QueueOut], i int) (most int) {
	w := window[QueueIn, QueueOut]{h, i}
	for k := range h {
		if in, _ := q.moved(&h[k]); in.most > 0 && w.possible(k, func(k int) bool { return h[k].In.Op == Clear }) {
			most += in.most
		}
	}
	return most
}
