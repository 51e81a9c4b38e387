package queue

import (
	"iter"
	"math"
)

// Drain ranges over the items, the first first, and takes them out, until the queue is empty at a moment: neighbouring
// items come together, as a slice of the queue's own memory. The slice was taken out as a whole when the body gets it, is
// the body's alone, to read and to write, and good until the body returns: then it may be used for what later jobs add. When the range ends early, by break or by a
// panic, the items of that slice are taken, and the later ones are still there.
//
// Other goroutines may take items between the slices, and put some in, which then come too: against producers that do not
// stop it does not end.
//
// Cost: that of one TryDequeue for each slice; nothing is copied. It is the fastest way to have all that a job has added. When
// each worker of a loop adds much more than 256 KiB, the next such loop allocates little.
func (q *Queue[T]) Drain() iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		for {
			q.guard.CheckShared()
			s, k, n, o := q.claim(math.MaxInt)
			if o != done {
				return
			}
			more := q.yield(s.items[k:k+n:k+n], yield)
			if n == len(s.items) && s.stamps == nil { // a job's, and nobody else was handed a place of it
				q.lanes.Reuse(s.items)
			}
			if !more {
				return
			}
		}
	}
}

// yield has a body use items that somebody was handed, and clears their places (I4) when nobody looks at them (I5).
func (q *Queue[T]) yield(items []T, body func([]T) bool) bool {
	if q.watch.on() {
		q.watch.wait()
	}
	if q.holds {
		defer clear(items)
	}
	return body(items)
}
