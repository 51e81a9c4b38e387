package queue

import "example.com/custody/internal/atom"

// EnqueueAll puts the first items of vs behind the last item, in their order, as many as there is
// room for, and returns their number. It returns less than len(vs) if the ring was full, or closed,
// at a moment of the call. Items of other goroutines may come between them.
//
// Cost: that of one TryEnqueue and a copy, once for each stretch of room in one lap.
func (r *Ring[T]) EnqueueAll(vs []T) int {
	r.guard.CheckShared()
	return r.putAll(vs)
}

// DequeueInto takes the first items, as many as there are and fit into dst, copies them to dst in
// their order and returns their number. It returns less than len(dst) if the ring was empty at a
// moment of the call. Other goroutines may take items between them.
//
// Cost: that of one TryDequeue and a copy, once for each stretch of items in one lap.
func (r *Ring[T]) DequeueInto(dst []T) int {
	r.guard.CheckShared()
	return r.takeInto(dst)
}

// putAll is EnqueueAll for a caller that has passed the guard.
func (r *Ring[T]) putAll(vs []T) (n int) {
	r.notEmpty.wakeable(min(len(vs), len(r.slots)))
	l := pauses{delay: meetDelay}
	for n < len(vs) {
		t := r.tail.Load()
		k, free := r.place(t), r.free(t)
		m, rest := r.ready(k, free, min(len(vs)-n, len(r.slots)-k, longest))
		switch {
		case m > 0 && t&flags == 0:
			if !r.tail.CompareAndSwap(t, r.after(t, k, m)) {
				l.meet(t)
				continue
			}
			if rest > 0 {
				r.slots[k+m].stamp.Store(free | uint64(rest-1)) // (I3)
			}
			fill(r.slots[k:k+m], vs[n:])
			r.slots[k].stamp.Store(free | filled | uint64(m-1))
			if r.notEmpty.any() {
				r.notEmpty.call(m)
			}
			n += m
			continue
		case t&closed != 0, r.full(r.head.Load(), t) && t&shut == 0:
			return n
		case t&shut != 0:
			r.refuse()
		}
		l.pause()
	}
	return n
}

// takeInto is DequeueInto for a caller that has passed the guard.
func (r *Ring[T]) takeInto(dst []T) (n int) {
	r.notFull.wakeable(min(len(dst), len(r.slots)))
	for n < len(dst) {
		h, k, m := r.claim(len(dst) - n)
		if m == 0 {
			break
		}
		read(dst[n:], r.slots[k:k+m])
		r.empty(h, k, m)
		n += m
	}
	return n
}

// claim claims the places of up to most first items that lie in one lap: n places from k on, at the
// position h. n is 0 if the ring was empty at a moment of the call.
func (r *Ring[T]) claim(most int) (h uint64, k, n int) {
	l := pauses{delay: meetDelay}
	for {
		h = r.head.Load()
		k = r.place(h)
		full := r.free(h) | filled
		n, rest := r.ready(k, full, min(most, len(r.slots)-k, longest))
		if n > 0 && h&flags == 0 {
			if !r.head.CompareAndSwap(h, r.after(h, k, n)) {
				l.meet(h)
				continue
			}
			if rest > 0 {
				r.slots[k+n].stamp.Store(full | uint64(rest-1)) // (I3)
			}
			return h, k, n
		}
		if h&shut != 0 {
			r.refuse()
		} else if r.tail.Load()&^flags == h {
			return h, k, 0
		}
		l.pause()
	}
}

// fill copies the first items of vs to the places.
func fill[T any](to []slot[T], vs []T) {
	vs = vs[:len(to)]
	atom.WritesAll(to)
	for i := range to {
		to[i].item = vs[i]
	}
}

// read copies the items of the places to the front of dst.
func read[T any](dst []T, from []slot[T]) {
	dst = dst[:len(from)]
	atom.ReadsAll(from)
	for i := range from {
		dst[i] = from[i].item
	}
}
