package queue

// Stats says what a [Queue], [Ring] or [SPSC] has at a moment. It has no Bytes, as Stats of other packages have: what memory an item takes is in the doc of
// each type. Cap counts as array.Stats does, and Room in the Stats of hashmap and table.
type Stats struct {
	// Len is how many items there are, exactly, at a moment of the call.
	Len int
	// Cap is how many items the memory that there is can have, those that are there among them. A Ring and an SPSC take no more; a Queue gets another segment then, and
	// uses each place once, so that it falls. While a job has a Queue by position, and when it is closed, there is room for no more.
	Cap int
	// Segments is how many pieces of memory there are: of a Ring and an SPSC 1.
	Segments int
}

// Stats returns what the queue has. Len is that of one moment; the other figures are read after it, segment by segment: they may miss what others do
// meanwhile, and are exact when nobody does anything. It waits for nobody, and is a violation when Len is.
//
// Cost: a look at each segment, of which there is one for each 32 KiB of items or so.
func (q *Queue[T]) Stats() Stats {
	q.guard.CheckLook()
	s := Stats{Len: q.count()}
	for at := q.head.Load(); at != nil; at = at.next.Load() {
		taken, handed := int(at.head.Load()&^halted), at.tail.Load()
		room := len(at.items) - taken
		if handed&marks != 0 { // it hands out no more
			room = at.handed(handed) - taken
		}
		if n := max(room, 0); n > 0 || at.next.Load() == nil {
			s.Cap += n
			s.Segments++
		}
	}
	return s
}

// Stats returns what the ring has: Len at one moment, and what never changes. It waits for nobody, and is a violation when Len is.
func (r *Ring[T]) Stats() Stats {
	r.guard.CheckLook()
	return Stats{Len: r.count(), Cap: len(r.slots), Segments: 1}
}

// Stats returns what the queue has: Len at one moment, and what never changes. Any goroutine may call it at any time, whoever uses the ends. It is lock-free, and
// a violation when Len is: after Dispose.
func (q *SPSC[T]) Stats() Stats {
	q.guard.CheckExists()
	return Stats{Len: q.count(), Cap: len(q.producer.items), Segments: 1}
}
