package queue

// Stats are statistics of a [Queue]. The doc of [Queue] says what an item takes in bytes.
type Stats struct {
	// Len is the exact number of items at a moment of the call.
	Len int
	// Cap is the number of items for which there is memory, the present ones among them. It falls
	// while items are taken, because each place is used once. While a job has the queue by
	// position, and when it is closed, there is no memory for more items.
	Cap int
	// Segments is the number of pieces of memory.
	Segments int
}

// Stats returns statistics of the queue. It reads Len at one moment and the other numbers
// afterwards, segment by segment, so they are exact only while no other goroutine uses the queue.
// It waits for no other goroutine. It is a violation when Len is.
//
// Cost: O(1) for each segment, of about 32 KiB of items.
func (q *Queue[T]) Stats() Stats {
	q.guard.CheckLook()
	s := Stats{Len: q.count()}
	for at := q.head.Load(); at != nil; at = at.next.Load() {
		taken, tail := int(at.head.Load()&^halted), at.tail.Load()
		room := len(at.items) - taken
		if tail&marks != 0 { // it hands out no more places
			room = at.handed(tail) - taken
		}
		if n := max(room, 0); n > 0 || at.next.Load() == nil {
			s.Cap += n
			s.Segments++
		}
	}
	return s
}
