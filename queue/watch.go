package queue

import "example.com/custody/internal/atom"

// watch is for who looks at items and leaves them where they are, one at a time. It says so first and looks at the head
// then; who takes an item moves the head first and looks then whether somebody watches. So either the watcher sees that
// the item is gone, or the taker that it is looked at; then it waits until the watcher has done, and only then empties
// the place. It waits once: whoever watches next sees the head moved. The zero value is ready.
type watch struct {
	mu     atom.Mutex
	active atom.Uint32
}

// on says whether somebody watches.
func (w *watch) on() bool { return w.active.Load() != 0 }

// wait waits until who watches now has done.
func (w *watch) wait() {
	w.mu.Lock()
	//lint:ignore SA2001 the wait is all
	w.mu.Unlock()
}

// begin waits for its turn to watch.
func (w *watch) begin() {
	w.mu.Lock()
	w.active.Store(1)
}

// end ends the watch.
func (w *watch) end() {
	w.active.Store(0)
	w.mu.Unlock()
}
