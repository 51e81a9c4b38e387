package queue

import (
	"iter"
	"slices"
)

// Peek returns the first item and leaves it in the ring. It returns false if the ring was empty.
// Its cost is that of [Queue.Peek].
func (r *Ring[T]) Peek() (v T, ok bool) {
	r.guard.CheckLook()
	r.observer.begin()
	defer r.observer.end()
	var l pauses
	for {
		h := r.head.Load()
		k := r.place(h)
		switch s := r.slots[k].stamp.Load(); {
		case s&^more == r.free(h)|filled:
			r.guard.CheckLook() // (I7)
			return r.slots[k].item, true
		case r.tail.Load()&^flags == h&^flags:
			return v, false
		}
		l.pause()
	}
}

// All ranges over the items that are in the ring when the range begins, as [Queue.All] does.
func (r *Ring[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		r.guard.CheckLook()
		slices.Values(r.snapshot())(yield)
	}
}

// snapshot returns the items of one moment.
func (r *Ring[T]) snapshot() []T {
	r.observer.begin()
	defer r.observer.end()
	h, t := r.ends()
	r.guard.CheckLook() // (I7): takers that move the head from now on wait
	s := make([]T, 0, r.between(h, t))
	for at := h; at != t; {
		k, n := r.filledFrom(at, t)
		for i := range r.slots[k : k+n] {
			s = append(s, r.slots[k+i].item)
		}
		at = r.after(at, k, n)
	}
	return s
}

// filledFrom waits until the place of the position at, which comes before t, is filled. It returns
// the number k of the place, and the number n of filled places from there on, before t and before
// the end of the lap.
func (r *Ring[T]) filledFrom(at, t uint64) (k, n int) {
	k = r.place(at)
	most := len(r.slots) - k
	if at>>r.lap == t>>r.lap {
		most = r.place(t) - k
	}
	for l := (pauses{}); ; l.pause() {
		if n, _ = r.ready(k, r.free(at)|filled, most); n > 0 {
			return k, n
		}
	}
}

// Len returns the exact number of items at a moment of the call. It is a violation while a job that
// writes holds the ring, and while both jobs that read and jobs that share hold it.
func (r *Ring[T]) Len() int {
	r.guard.CheckLook()
	return r.count()
}

func (r *Ring[T]) count() int { return r.between(r.ends()) }

// ends returns where the items begin and end at a moment.
func (r *Ring[T]) ends() (h, t uint64) {
	for {
		t = r.tail.Load() &^ flags
		h = r.head.Load() &^ flags
		if r.tail.Load()&^flags == t { // so it was t when the head was h
			return h, t
		}
	}
}

// Cap returns the number of items for which the ring has room, also while jobs hold the ring.
func (r *Ring[T]) Cap() int {
	r.guard.CheckExists()
	return len(r.slots)
}
