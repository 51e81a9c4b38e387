package queue

import "example.com/custody/internal/atom"

// observer lets one goroutine at a time read items and leave them in their places. The goroutine
// sets active first and reads the head afterwards. An operation that takes an item moves the head
// first and reads active afterwards. So either the observer sees that the item is gone, or the
// operation sees the observer. Then the operation waits once before it clears the place: the next
// observer sees the head moved. The zero value is ready.
type observer struct {
	mu     atom.Mutex
	active atom.Uint32
}

// on reports whether there is an observer.
func (o *observer) on() bool { return o.active.Load() != 0 }

// wait waits for the observer, if there is one.
func (o *observer) wait() {
	if o.on() {
		o.await()
	}
}

func (o *observer) await() {
	o.mu.Lock()
	//lint:ignore SA2001 the wait is all
	o.mu.Unlock()
}

// begin makes the caller the observer.
func (o *observer) begin() {
	o.mu.Lock()
	o.active.Store(1)
}

// end ends what begin began.
func (o *observer) end() {
	o.active.Store(0)
	o.mu.Unlock()
}
