package queue

import "iter"

// Peek returns the first item and leaves it there. False says that the ring was empty.
//
// Cost: a lock; goroutines that look wait for each other, and one that takes an item just then waits for them.
func (r *Ring[T]) Peek() (v T, ok bool) {
	r.guard.CheckLook()
	r.watch.begin()
	defer r.watch.end()
	var l looks
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

// All ranges over the items that are in the ring when the range begins, the first first, and leaves them there: it copies
// them at one moment. What happens to the ring during the range does not show in it.
//
// Cost: the copy. Meanwhile who takes an item waits.
func (r *Ring[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		r.guard.CheckLook()
		for _, v := range r.snapshot() {
			if !yield(v) {
				return
			}
		}
	}
}

// snapshot returns the items of one moment.
func (r *Ring[T]) snapshot() []T {
	r.watch.begin()
	defer r.watch.end()
	h, t := r.span()
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

// span returns where the items began and ended at one moment, for who watches: so it looks again only as often as there
// are others that were about to take an item.
func (r *Ring[T]) span() (h, t uint64) {
	var l looks
	for {
		h, t = r.head.Load(), r.tail.Load()
		if r.head.Load() == h {
			r.guard.CheckLook() // (I7)
			return h &^ flags, t &^ flags
		}
		l.pause()
	}
}

// filledFrom waits until the place of a position before t is filled, and returns its number and how many from there on
// are, up to t.
func (r *Ring[T]) filledFrom(at, t uint64) (k, n int) {
	k = r.place(at)
	most := len(r.slots) - k
	if at>>r.lap == t>>r.lap {
		most = r.place(t) - k
	}
	var l looks
	for ; n == 0; l.pause() {
		n, _ = r.ready(k, r.free(at)|filled, most)
	}
	return k, n
}

// Len returns how many items there are, exactly, at a moment of the call; what others put in and take out since is not counted. It is a violation
// while a job holds the ring that writes, and while there are both jobs that read it and jobs that share it; beside either it is legal.
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
		if r.tail.Load()&^flags == t { // it was that when the head was h
			return h, t
		}
	}
}

// Cap returns for how many items there is room. It is allowed while jobs hold the ring.
func (r *Ring[T]) Cap() int {
	r.guard.CheckExists()
	return len(r.slots)
}
