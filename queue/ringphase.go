package queue

import "example.com/custody/safety"

// ringPhases hears of the phases of a Ring.
type ringPhases[T any] Ring[T]

// OpenPhase implements safety.Phased. It keeps (I7): the ledger refuses from the schedule on, and the ring from here on,
// those who had passed the guard before.
//
//go:norace
func (x *ringPhases[T]) OpenPhase(p *safety.Phase) {
	r := (*Ring[T])(x)
	if p.Mode == safety.Shared {
		return
	}
	r.mu.Lock()
	if r.jobs++; r.jobs == 1 {
		r.stop()
		r.lend()
	}
	r.written = r.written || p.Mode == safety.Write
	p.State = stretches[T](nil).add(r.all)
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
func (x *ringPhases[T]) SealPhase(p *safety.Phase) {
	r := (*Ring[T])(x)
	if p.Mode == safety.Shared {
		return
	}
	r.mu.Lock()
	if r.jobs--; r.jobs == 0 {
		if r.written {
			r.receive()
		}
		if r.holds {
			clear(r.all) // views of the job may outlive it
		}
		r.all, r.written = nil, false
		unflag(&r.head, shut)
		unflag(&r.tail, shut)
	}
	r.mu.Unlock()
}

// lend copies the items to where jobs have them by position, together.
//
//go:norace
func (r *Ring[T]) lend() {
	h, t := r.ends()
	r.all = make([]T, r.between(h, t))
	for i := range r.all {
		r.all[i] = r.slots[r.behind(h, i)].item
	}
}

// receive copies them back.
//
//go:norace
func (r *Ring[T]) receive() {
	h := r.head.Load() &^ flags
	for i := range r.all {
		r.slots[r.behind(h, i)].item = r.all[i]
	}
}

// behind returns the number of the place i places behind a position, i at most the capacity.
func (r *Ring[T]) behind(p uint64, i int) int {
	k := r.place(p) + i
	if k >= len(r.slots) {
		k -= len(r.slots)
	}
	return k
}

// outline implements lent.
func (r *Ring[T]) outline() stretches[T] { return stretches[T](nil).add(make([]T, r.count())) }

// extent implements lent.
func (r *Ring[T]) extent() int { return len(r.slots) }

// Reader returns a view that reads the items by position. While a job that was not completed holds one, nobody may put
// items in or take some out; to look at them with Peek, Len and All is allowed.
//
// Cost: before the job starts the items are copied, once for all jobs that hold the ring together.
func (r *Ring[T]) Reader() Reader[T] {
	if r == nil {
		return Reader[T]{}
	}
	return Reader[T]{hold: r.guard.Hold(safety.Read, (*readerKind[T])(nil)), of: r}
}

// Writer returns a view that reads and writes the items by position. A loop may have as many indices as the ring
// has room for items; those beyond the items own nothing. While a job that was not completed holds one, the ring is nobody
// else's.
//
// Cost: before the job starts the items are copied, and back when it was sealed.
func (r *Ring[T]) Writer() Writer[T] {
	if r == nil {
		return Writer[T]{}
	}
	return Writer[T]{hold: r.guard.Hold(safety.Write, (*writerKind[T])(nil)), of: r}
}
