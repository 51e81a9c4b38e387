package queue

// EnqueueAll puts the first items of vs behind the last item, in their order, as many as there is room for, and returns
// how many: fewer than all means that the ring was full, or closed, at a moment of the call. The items of other
// goroutines may come between them.
//
// Cost: that of one TryEnqueue and a copy, once for each stretch of room in one lap.
func (r *Ring[T]) EnqueueAll(vs []T) int {
	r.guard.CheckShared()
	n, _ := r.putAll(vs)
	return n
}

// DequeueInto takes the first items, as many as there are and as dst has room for, puts them into dst in their order and
// returns how many: fewer than len(dst) means that the ring was empty at a moment of the call. Other goroutines may take
// items between them.
//
// Cost: that of one TryDequeue and a copy, once for each stretch of items in one lap.
func (r *Ring[T]) DequeueInto(dst []T) int {
	r.guard.CheckShared()
	n, _ := r.takeInto(dst)
	return n
}

// putAll is EnqueueAll for who has passed the guard.
func (r *Ring[T]) putAll(vs []T) (n int, o outcome) {
	r.takers.wakeable(min(len(vs), len(r.slots)))
	l := looks{away: away}
	for n < len(vs) {
		t := r.tail.Load()
		k, free := r.place(t), r.free(t)
		m, rest := r.ready(k, free, min(len(vs)-n, len(r.slots)-k, longest))
		switch {
		case m > 0 && t&flags == 0:
			if !r.tail.CompareAndSwap(t, r.after(t, k, m)) {
				retreat()
				continue
			}
			if rest > 0 {
				r.slots[k+m].stamp.Store(free | uint64(rest-1)) // (I3)
			}
			fill(r.slots[k:k+m], vs[n:])
			r.slots[k].stamp.Store(free | filled | uint64(m-1))
			if r.takers.any() {
				r.takers.call(m)
			}
			n += m
			continue
		case t&closed != 0:
			return n, over
		case t&shut != 0:
			r.refuse()
		case r.full(r.head.Load(), t):
			return n, blocked
		}
		l.pause()
	}
	return n, done
}

// takeInto is DequeueInto for who has passed the guard.
func (r *Ring[T]) takeInto(dst []T) (n int, o outcome) {
	r.givers.wakeable(min(len(dst), len(r.slots)))
	l := looks{away: away}
	for n < len(dst) {
		h := r.head.Load()
		k, full := r.place(h), r.free(h)|filled
		m, rest := r.ready(k, full, min(len(dst)-n, len(r.slots)-k, longest))
		if m > 0 && h&flags == 0 {
			if !r.head.CompareAndSwap(h, r.after(h, k, m)) {
				retreat()
				continue
			}
			if rest > 0 {
				r.slots[k+m].stamp.Store(full | uint64(rest-1)) // (I3)
			}
			read(dst[n:], r.slots[k:k+m])
			r.empty(h, k, m)
			n += m
			continue
		}
		if h&shut != 0 {
			r.refuse()
		} else if t := r.tail.Load(); t&^flags == h {
			if t&closed != 0 {
				return n, over
			}
			return n, blocked
		}
		l.pause()
	}
	return n, done
}

// fill copies the first items of vs to the places.
func fill[T any](to []slot[T], vs []T) {
	vs = vs[:len(to)]
	for i := range to {
		to[i].item = vs[i]
	}
}

// read copies the items of the places to the front of dst.
func read[T any](dst []T, from []slot[T]) {
	dst = dst[:len(from)]
	for i := range from {
		dst[i] = from[i].item
	}
}
