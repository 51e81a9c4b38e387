package queue

import "example.com/custody/safety"

// OpenPhase implements safety.Phased. It keeps (I7): the ledger refuses from the schedule on, and the ring from here on,
// those who had passed the guard before.
//
//go:norace
func (r *Ring[T]) OpenPhase(p *safety.Phase) {
	if p.Mode == safety.Shared {
		return
	}
	r.mu.Lock()
	if r.jobs++; r.jobs == 1 {
		r.stop()
		r.all = r.stretches()
	}
	p.State = r.all
	r.mu.Unlock()
}

// stop keeps everybody from moving head and tail, and waits for those who have.
func (r *Ring[T]) stop() {
	t := flag(&r.tail, shut) &^ flags
	h := flag(&r.head, shut) &^ flags
	for h != t {
		k, n := r.filledFrom(h, t)
		h = r.after(h, k, n)
	}
	if r.watch.on() {
		r.watch.wait()
	}
}

// SealPhase implements safety.Phased.
//
//go:norace
func (r *Ring[T]) SealPhase(p *safety.Phase) {
	if p.Mode == safety.Shared {
		return
	}
	r.mu.Lock()
	if r.jobs--; r.jobs == 0 {
		unflag(&r.head, shut)
		unflag(&r.tail, shut)
		r.all = nil
	}
	r.mu.Unlock()
}

// stretches implements lent.
func (r *Ring[T]) stretches() (all stretches[T]) {
	h, t := r.ends()
	k, n := r.place(h), r.between(h, t)
	if end := k + n - len(r.items); end > 0 {
		return all.add(r.items[k:]).add(r.items[:end])
	}
	return all.add(r.items[k : k+n])
}

// extent implements lent.
func (r *Ring[T]) extent() int { return len(r.items) }

// Reader returns a view that reads the items by position. While a job that was not completed holds one, nobody may put
// items in or take some out; to look at them with Peek, Len and All is allowed.
func (r *Ring[T]) Reader() Reader[T] {
	if r == nil {
		return Reader[T]{}
	}
	return Reader[T]{access: r.guard.Access(safety.Read), of: r}
}

// Writer returns a view that reads and writes the items by position, in place. A loop may have as many indices as the ring
// has room for items; those beyond the items own nothing. While a job that was not completed holds one, the ring is nobody
// else's.
func (r *Ring[T]) Writer() Writer[T] {
	if r == nil {
		return Writer[T]{}
	}
	return Writer[T]{access: r.guard.Access(safety.Write), of: r}
}
