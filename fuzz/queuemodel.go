package fuzz

import (
	"fmt"
	"slices"
)

// queueModel is a queue with the slice that models it.
type queueModel struct {
	minting
	QueueOf
	capacity  int // 0: unbounded
	unordered bool
	want      []*Item
	closed    bool
}

// room returns the number of items that the queue must accept.
func (m *queueModel) room() int {
	switch {
	case m.closed:
		return 0
	case m.capacity == 0:
		return 1 << 20
	}
	return m.capacity - len(m.want)
}

// script returns the sequential contract of a queue.
func (q *queueSuite) script() *script[*queueModel] {
	s := &script[*queueModel]{make: func(size int) *queueModel {
		capacity := q.capacities[size%len(q.capacities)]
		m := &queueModel{QueueOf: q.fresh(capacity), unordered: q.has(Unordered)}
		if q.has(Bounded) {
			m.capacity = capacity
		}
		return m
	}}
	s.add(q.like.TryEnqueue != nil, 4, "TryEnqueue", 1, (*queueModel).tryEnqueue)
	s.add(q.like.Enqueue != nil, 4, "Enqueue", 1, (*queueModel).enqueue)
	s.add(true, 4, "TryDequeue", 0, (*queueModel).tryDequeue)
	s.add(q.like.Peek != nil, 2, "Peek", 0, (*queueModel).peek)
	s.add(q.like.Len != nil, 2, "Len", 0, (*queueModel).length)
	s.add(q.like.EnqueueAll != nil, 2, "EnqueueAll", 1, (*queueModel).enqueueAll)
	s.add(q.like.DequeueInto != nil, 2, "DequeueInto", 1, (*queueModel).dequeueInto)
	s.add(q.like.All != nil, 2, "All", 1, (*queueModel).all)
	s.add(q.like.Clear != nil, 1, "Clear", 0, (*queueModel).clear)
	s.add(q.like.Close != nil, 1, "Close", 1, (*queueModel).close)
	s.end = (*queueModel).drain
	return s
}

func (m *queueModel) tryEnqueue(v, _ int) string {
	x, room := m.item(v), m.room() > 0
	if ok := m.TryEnqueue(x); ok != room {
		return fmt.Sprintf("TryEnqueue(%v) is %v, expected %v with %s", x, ok, room, m.contents())
	}
	if room {
		m.want = append(m.want, x)
	}
	return ""
}

func (m *queueModel) enqueue(v, _ int) string {
	if m.closed {
		return ""
	}
	x := m.item(v)
	m.Enqueue(x)
	m.want = append(m.want, x)
	return ""
}

func (m *queueModel) tryDequeue(_, _ int) string {
	x, ok := m.TryDequeue()
	if wrong := m.head("TryDequeue", x, ok); wrong != "" || !ok {
		return wrong
	}
	m.take(x)
	return ""
}

func (m *queueModel) peek(_, _ int) string {
	x, ok := m.Peek()
	return m.head("Peek", x, ok)
}

// head returns what is wrong with an answer that must be the first item.
func (m *queueModel) head(what string, x *Item, ok bool) string {
	switch {
	case ok != (len(m.want) > 0), !ok && x != nil:
		return fmt.Sprintf("%s gave (%v, %v) with %s", what, x, ok, m.contents())
	case ok && !m.may(x):
		return fmt.Sprintf("%s gave %v with %s", what, x, m.contents())
	}
	return ""
}

// may reports whether x may be the next dequeued item.
func (m *queueModel) may(x *Item) bool {
	if m.unordered {
		return slices.Contains(m.want, x)
	}
	return len(m.want) > 0 && m.want[0] == x
}

func (m *queueModel) take(x *Item) {
	i := slices.Index(m.want, x)
	m.want = slices.Delete(m.want, i, i+1)
}

func (m *queueModel) length(_, _ int) string {
	if n := m.Len(); n != len(m.want) {
		return fmt.Sprintf("Len is %d with %s", n, m.contents())
	}
	return ""
}

func (m *queueModel) enqueueAll(v, _ int) string {
	xs := m.items(v % 160)
	room := min(len(xs), m.room())
	if n := m.EnqueueAll(slices.Clone(xs)); n != room {
		return fmt.Sprintf("EnqueueAll of %d is %d, expected %d with %s", len(xs), n, room, m.contents())
	}
	m.want = append(m.want, xs[:room]...)
	return ""
}

func (m *queueModel) dequeueInto(v, _ int) string {
	xs := make([]*Item, v%160)
	room := min(len(xs), len(m.want))
	n := m.DequeueInto(xs)
	if n != room {
		return fmt.Sprintf("DequeueInto of %d is %d, expected %d with %s", len(xs), n, room, m.contents())
	}
	for _, x := range xs[:n] {
		if !m.may(x) {
			return fmt.Sprintf("DequeueInto gave %v, of which %v cannot come with %s", xs[:n], x, m.contents())
		}
		m.take(x)
	}
	for _, x := range xs[n:] {
		if x != nil {
			return fmt.Sprintf("DequeueInto said %d and wrote %v behind them", n, x)
		}
	}
	return ""
}

// all iterates over some items of the queue, or over all of them.
func (m *queueModel) all(v, _ int) string {
	var got []*Item
	for x := range m.All() {
		got = append(got, x)
		if len(got) > v && v < 8 {
			break
		}
	}
	want := m.want
	if v < 8 {
		want = m.want[:min(v+1, len(m.want))]
	}
	if m.unordered && len(got) == len(want) {
		left := slices.Clone(m.want)
		for _, x := range got {
			i := slices.Index(left, x)
			if i < 0 {
				return fmt.Sprintf("All gave %v with %s", got, m.contents())
			}
			left = slices.Delete(left, i, i+1)
		}
		return ""
	}
	if !slices.Equal(got, want) {
		return fmt.Sprintf("All gave %v with %s", got, m.contents())
	}
	return ""
}

func (m *queueModel) clear(_, _ int) string {
	m.Clear()
	m.want = nil
	return ""
}

// close closes the queue for some operands only, so that most programs use an open queue for long.
func (m *queueModel) close(v, _ int) string {
	if v < 32 {
		m.Close()
		m.closed = true
	}
	return ""
}

// drain dequeues all items.
func (m *queueModel) drain() string {
	for range len(m.want) + 1 {
		if wrong := m.tryDequeue(0, 0); wrong != "" {
			return "at the end " + wrong
		}
	}
	if m.Len != nil {
		return m.length(0, 0)
	}
	return ""
}

// contents describes the items that should be in the queue.
func (m *queueModel) contents() string {
	text := fmt.Sprintf("%d items", len(m.want))
	if n := min(len(m.want), 4); n > 0 {
		text += fmt.Sprintf(" from %v on", m.want[:n])
	}
	if m.capacity > 0 {
		text += fmt.Sprintf(" in a queue of capacity %d", m.capacity)
	}
	if m.closed {
		text += " that is closed"
	}
	return text
}
