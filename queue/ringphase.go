package queue

import "example.com/custody/safety"

// Reader returns a view that reads the items by position. Until the job is completed no operation
// may put items in or take them out; Peek, Len and All are allowed.
//
// Cost: before the job starts the items are copied, once for all jobs that hold the ring together.
func (r *Ring[T]) Reader() Reader[T] {
	if r == nil {
		return Reader[T]{}
	}
	return Reader[T]{byPosition[T](&r.guard, safety.Read, readers, r)}
}

// Writer returns a view that reads and writes the items by position. It excludes all other uses of
// the ring until the job is completed. A loop may have as many indices as the ring has places:
// those beyond the items own nothing.
//
// Cost: the items are copied before the job starts, and back when it is sealed.
func (r *Ring[T]) Writer() Writer[T] {
	if r == nil {
		return Writer[T]{}
	}
	return Writer[T]{positions: byPosition[T](&r.guard, safety.Write, writers, r)}
}

// ringPhases has the methods of a Ring that the ledger calls when a phase opens and when it ends.
type ringPhases[T any] Ring[T]

// OpenPhase implements safety.Phased. It keeps (I7): the guard refuses operations from the schedule
// on, and the ring from here on refuses those that had passed the guard before.
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
		r.copyOut()
	}
	r.written = r.written || p.Mode == safety.Write
	p.State = piece(r.all)
	r.mu.Unlock()
}

// stop shuts head and tail. Then it waits until the places that enqueues have claimed are filled,
// and until the observer is done.
func (r *Ring[T]) stop() {
	t := flag(&r.tail, shut) &^ flags
	h := flag(&r.head, shut) &^ flags
	for h != t {
		k, n := r.filledFrom(h, t)
		h = r.after(h, k, n)
	}
	r.observer.wait()
}

// SealPhase implements safety.Phased. It keeps (I7): the last of the jobs copies the items back.
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
			r.copyBack()
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

// copyOut copies the items for jobs, by position.
//
//go:norace
func (r *Ring[T]) copyOut() {
	h, t := r.ends()
	r.all = make([]T, r.between(h, t))
	for i := range r.all {
		r.all[i] = r.slots[r.behind(h, i)].item
	}
}

// copyBack copies the items of the jobs back into their places, whose stamps stay as they are.
//
//go:norace
func (r *Ring[T]) copyBack() {
	h := r.head.Load() &^ flags
	for i := range r.all {
		r.slots[r.behind(h, i)].item = r.all[i]
	}
}

// behind returns the number of the place i places behind a position. i is at most the capacity.
func (r *Ring[T]) behind(p uint64, i int) int {
	k := r.place(p) + i
	if k >= len(r.slots) {
		k -= len(r.slots)
	}
	return k
}

// stretches implements positional.
func (r *Ring[T]) stretches() *stretches { return piece(make([]T, r.count())) }

// extent implements positional.
func (r *Ring[T]) extent() int { return len(r.slots) }
