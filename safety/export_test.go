package safety

// Refusal returns the violation of an ordinary use of g that the word refused because a job held
// the container. It is made as if that job were gone by the time it is looked for.
func Refusal(g *Guard) *Violation { return g.refusal("read", noRead) }

// Lent returns how many claims of the scope nested jobs hold.
func Lent(l *Scope) int { return int(l.passes.Load()) }

// Depth returns how deep the ledger thinks the ticket lies.
func Depth(t *Ticket) int { return int(t.depth.Load()) }

// Sealed reports whether the job has finished.
func Sealed(t *Ticket) bool { return t.sealed.Load() != 0 }

// SetEpoch makes the scope as old as if it had been moved that often.
func (l *Scope) SetEpoch(e uintptr) { l.epoch.Store(e) }

// Locked calls f while the guard is locked.
func Locked(g *Guard, f func()) {
	g.lock()
	defer g.unlock()
	f()
}

// Renumber gives the scope another number, as after a body that has ended its goroutine.
func (l *Scope) Renumber() { l.renumber() }

// Number returns the scope's number.
func (l *Scope) Number() uint32 { return l.slot }

// Numbered returns the scope that has number n, or nil.
func Numbered(n uint32) *Scope { return numbered(n) }

// LimitNumbers allows only so many more blocks of numbers than there are. undo ends that.
func LimitNumbers(more int) (undo func()) {
	before := scopes.most
	scopes.most = int(scopes.used) - len(scopes.empty) + more
	return func() { scopes.most = before }
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

// Claim adds a claim.
func (t *Ticket) Claim(c Claim) { *t.nextClaim() = c }
