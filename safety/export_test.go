package safety

// Refusal returns the violation of an ordinary use of g that the word refused because some job held the
// container, as it is made when that job is gone by the time it is looked for.
func Refusal(g *Guard) *Violation { return g.refusal("read", noRead) }

// Lent returns how many claims of the lease nested jobs hold.
func Lent(l *Lease) int { return int(l.lents.Load()) }

// Depth returns how deep the ledger thinks the ticket lies.
func Depth(t *Ticket) int { return int(t.depth.Load()) }

// Sealed says whether the job has finished.
func Sealed(t *Ticket) bool { return t.sealed.Load() != 0 }

// SetEpoch makes the lease as old as if it had been moved that often.
func (l *Lease) SetEpoch(e uintptr) { l.epoch.Store(e) }

// Locked calls f while the guard is locked.
func Locked(g *Guard, f func()) {
	g.lock()
	defer g.unlock()
	f()
}

// Renumber gives the lease another number, as after a body that has ended its goroutine.
func (l *Lease) Renumber() { l.renumber() }

// Number returns the lease's number.
func (l *Lease) Number() uint32 { return l.slot }

// Numbered returns the lease that has number n, or nil.
func Numbered(n uint32) *Lease { return numbered(n) }

// LimitNumbers allows only so many more blocks of numbers than there are. undo ends that.
func LimitNumbers(more int) (undo func()) {
	before := leases.most
	leases.most = int(leases.used) - len(leases.empty) + more
	return func() { leases.most = before }
}

// Adopted returns the number of containers with adopted memory that jobs hold, and how many entries
// the list has for containers that the garbage collector has found.
func Adopted() (held, gone int) {
	adoptions.mu.Lock()
	defer adoptions.mu.Unlock()
	for i := range adoptions.held {
		if adoptions.held[i].guard.Value() == nil {
			gone++
		}
	}
	return len(adoptions.held) - gone, gone
}

// CountLeaks counts the leaks as the log does, from none on. It returns how many from the place of
// the last were counted, and how many entries the map has.
func CountLeaks(leaks ...Leak) (last, entries int) {
	var c leakCounts
	for _, l := range leaks {
		last = c.count(l)
	}
	return last, len(c.of)
}
