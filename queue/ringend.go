package queue

import "example.com/custody/safety"

// Clear takes out the items that are there, as DequeueInto does: what others put in meanwhile may stay.
func (r *Ring[T]) Clear() {
	r.guard.CheckShared()
	r.givers.wakeable(r.count())
	r.clear()
}

func (r *Ring[T]) clear() {
	t := r.tail.Load() &^ flags
	var l looks
	for {
		h := r.head.Load()
		n := r.between(h&^flags, t)
		if n <= 0 || n > len(r.slots) { // others have taken them
			return
		}
		k, full := r.place(h), r.free(h)|filled
		m, _ := r.ready(k, full, min(n, len(r.slots)-k, longest)) // no run goes on behind what once was the tail
		switch {
		case h&shut != 0:
			r.refuse()
		case m > 0 && r.head.CompareAndSwap(h, r.after(h, k, m)):
			r.empty(h, k, m)
			continue
		case m > 0:
			retreat()
			continue
		}
		l.pause()
	}
}

// Close makes the ring take no more items: those that are in it can still be taken out. Who waits for room gets
// [ErrClosed] now, and who waits for an item when there is none. To close again does nothing.
func (r *Ring[T]) Close() {
	r.guard.CheckShared()
	r.wakeable()
	r.close()
}

func (r *Ring[T]) close() {
	flag(&r.tail, closed)
	defer r.takers.call(everybody) // also if the call to the producers panics
	r.givers.call(everybody)
}

// wakeable panics if a goroutine waits at the ring that the caller must not wake.
func (r *Ring[T]) wakeable() {
	r.givers.wakeable(everybody)
	r.takers.wakeable(everybody)
}

// Closed says whether the ring was closed.
func (r *Ring[T]) Closed() bool {
	r.guard.CheckLook()
	return r.tail.Load()&closed != 0
}

// Dispose ends the ring: every later use is a violation. It is one itself while a job that was not completed holds the ring,
// and the second time. Who waits gets [ErrClosed], and the items are let go of.
func (r *Ring[T]) Dispose() {
	r.wakeable()
	r.guard.Dispose()
	r.drop()
}

// DisposeAfter is Dispose for a ring that jobs hold: every use from now on is a violation, but that of the handle's job and
// of those that it runs after. Another job that holds it is a violation; then nothing changes.
func (r *Ring[T]) DisposeAfter(h safety.Handle) { r.guard.DisposeAfter(h, r.drop) }

func (r *Ring[T]) drop() {
	defer r.clear() // also if a call to the goroutines that wait panics
	r.close()
}

// Disposed says whether the ring was disposed.
func (r *Ring[T]) Disposed() bool { return r.guard.Disposed() }
