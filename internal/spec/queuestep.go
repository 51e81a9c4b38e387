package spec

import "example.com/custody/internal/linear"

// stepper is the behavior of a queue with states S.
type stepper[S line[S]] queue

// room returns the number of items that can be appended to s.
func (q stepper[S]) room(s S) int {
	if s.closed() {
		return 0
	}
	return q.capacity - s.length()
}

// step is the sequential behavior.
func (q stepper[S]) step(s S, in QueueIn, out QueueOut) (S, bool) {
	switch in.Op {
	case TryEnqueue:
		if out.OK != (q.room(s) > 0) {
			return s, false
		}
		if out.OK {
			return s.push(in.Value), true
		}
		return s, true
	case Enqueue:
		if !out.OK {
			return s, s.closed()
		}
		if q.room(s) == 0 {
			return s, false
		}
		return s.push(in.Value), true
	case TryDequeue, Dequeue:
		if s.length() == 0 {
			return s, !out.OK && (in.Op == TryDequeue || s.closed())
		}
		if !out.OK || s.front() != out.Value {
			return s, false
		}
		return s.pop(), true
	case Peek:
		if s.length() == 0 {
			return s, !out.OK
		}
		return s, out.OK && s.front() == out.Value
	case Len:
		return s, out.N == s.length()
	case All:
		if out.Batch.Len() != s.length() {
			return s, false
		}
		_, ok := popAll(s, out.Batch)
		return s, ok
	case EnqueueAll:
		most := min(q.room(s), in.Batch.Len())
		if !q.moves(out.N, most) {
			return s, false
		}
		return pushAll(s, in.Batch.first(out.N)), true
	case DequeueInto:
		if !q.moves(out.Batch.Len(), min(s.length(), in.Value)) {
			return s, false
		}
		return popAll(s, out.Batch)
	case Clear:
		return s.empty(), true
	case Close:
		return s.shut(), true
	}
	unknown(in.Op, "Queue")
	return s, false
}

// moves reports whether a batch that could move most items may move n.
func (q stepper[S]) moves(n, most int) bool {
	return n == most || q.shortBatches && 0 < n && n < most
}

func pushAll[S line[S]](s S, items Batch) S {
	for i := range items.Len() {
		s = s.push(items.At(i))
	}
	return s
}

// popAll removes the given items, of which there are at most as many as in s. It reports whether
// they are the first items of s.
func popAll[S line[S]](s S, items Batch) (S, bool) {
	for i := range items.Len() {
		if s.front() != items.At(i) {
			return s, false
		}
		s = s.pop()
	}
	return s, true
}

// next lists the states that a pending operation may leave.
func (q stepper[S]) next(s S, in QueueIn) []S {
	switch in.Op {
	case TryEnqueue, Enqueue:
		if q.room(s) > 0 {
			return []S{s.push(in.Value)}
		}
	case TryDequeue, Dequeue:
		if s.length() > 0 {
			return []S{s.pop()}
		}
	case EnqueueAll:
		return q.upTo(s, min(q.room(s), in.Batch.Len()), func(s S, i int) S { return s.push(in.Batch.At(i)) })
	case DequeueInto:
		return q.upTo(s, min(s.length(), in.Value), func(s S, _ int) S { return s.pop() })
	case Clear:
		return []S{s.empty()}
	case Close:
		return []S{s.shut()}
	}
	return nil
}

// upTo lists the states that a pending batch may leave. The batch moves most items, or with short
// batches any smaller number.
func (q stepper[S]) upTo(s S, most int, move func(s S, i int) S) (states []S) {
	for i := range most {
		s = move(s, i)
		if q.shortBatches || i == most-1 {
			states = append(states, s)
		}
	}
	return states
}

// split splits a batch into single operations: one for each item that was moved, and a refused one
// if the batch ended early. A pending batch may have moved any number of its items.
func (q queue) split(op *linear.Op[QueueIn, QueueOut]) (pieces []linear.Op[QueueIn, QueueOut]) {
	add := func(kind Op, value int, ok bool) {
		p := linear.Op[QueueIn, QueueOut]{In: QueueIn{Op: kind}, Out: QueueOut{OK: ok}}
		if kind == TryEnqueue {
			p.In.Value = value
		} else {
			p.Out.Value = value
		}
		pieces = append(pieces, p)
	}
	asked, moved := 0, 0
	switch op.In.Op {
	case EnqueueAll:
		asked, moved = op.In.Batch.Len(), op.Out.N
		if op.Pending() {
			moved = asked
		}
		if moved < 0 || moved > asked {
			return nil // step refuses this answer
		}
		for i := range moved {
			add(TryEnqueue, op.In.Batch.At(i), true)
		}
		if moved < asked && !(q.shortBatches && moved > 0) {
			add(TryEnqueue, op.In.Batch.At(moved), false)
		}
	case DequeueInto:
		asked, moved = op.In.Value, op.Out.Batch.Len()
		if op.Pending() {
			moved = asked
		}
		if moved > asked {
			return nil
		}
		for i := range moved {
			if op.Pending() {
				add(TryDequeue, 0, true)
			} else {
				add(TryDequeue, op.Out.Batch.At(i), true)
			}
		}
		if moved < asked && !(q.shortBatches && moved > 0) {
			add(TryDequeue, 0, false)
		}
	default:
		return nil
	}
	if pieces == nil {
		pieces = []linear.Op[QueueIn, QueueOut]{} // an empty batch
	}
	return pieces
}
