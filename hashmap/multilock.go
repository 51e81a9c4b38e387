package hashmap

import (
	"math/bits"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// This file takes the locks of a multimap for operations, and finds out whether a job holds it.

// upper returns the shift from a hash to one of n numbers, a power of two. A shift by 64 gives 0.
func upper(n int) uint { return uint(64 - bits.Len(uint(n-1))) }

// enter takes the lock of a key, and returns it with the key's part and hash. If changes is set, it
// removes the row. It panics with a violation if a job that holds the map excludes the operation.
func (m *multiCore) enter(k ref, changes bool) (l *multiStripe, p *multiPart, hash uint64) {
	hash = m.keys.of(k)
	l = &m.stripes[hash>>m.shift]
	for {
		m.take(l, 0)
		if m.admits(changes) {
			return l, &m.parts[hash>>m.partShift], hash
		}
		l.mu.Unlock()
		m.check(changes)
	}
}

// admits reports whether no job excludes an operation that has a lock. If changes is set, it then
// removes the row.
func (m *multiCore) admits(changes bool) bool {
	if m.changing > 0 || changes && m.reading > 0 {
		return false
	}
	if changes {
		m.dropRow()
	}
	return true
}

// take takes the lock l. In a map with a Hasher it panics with a violation if the lock stays taken
// and the calling goroutine is in a call of a Hasher, which may have been made under that lock. The
// first held locks, which the caller has, are then released.
func (m *multiCore) take(l *multiStripe, held int) {
	if m.keys.custom != nil {
		if tryWithBackoff(&l.mu) {
			return
		}
		if n, ok := nested(0, 1); ok {
			m.unlockFirst(held)
			panic(n.violation(&m.guard))
		}
	}
	l.mu.Lock()
}

// dropRow removes the row, for a caller that is about to change the map (row.I1).
func (m *multiCore) dropRow() {
	if m.row.Load() != nil {
		m.row.Store(nil)
	}
}

// check lets the guard refuse an operation that has found that a job holds the map. In unchecked
// builds the guard refuses nothing, and check panics, so that the operation does not wait for ever.
// If the guard refuses nothing, the job is about to let go of the map.
func (m *multiCore) check(changes bool) {
	if !safety.Enabled {
		panic(safety.NewViolation(safety.ErrInFlight, "a multimap was used while a job holds it", "Complete the job first, or give its bodies a view."))
	}
	if changes {
		m.guard.CheckShared()
	} else {
		m.guard.CheckLook()
	}
	atom.Yield()
}

// lock takes all locks, as enter takes one.
func (m *multiCore) lock(changes bool) {
	for m.lockAll(); !m.admits(changes); m.lockAll() {
		m.unlock()
		m.check(changes)
	}
}

func (m *multiCore) lockAll() {
	for i := range m.stripes {
		m.take(&m.stripes[i], i)
	}
}

// tryLock is lock for an operation that changes nothing and does not wait. It reports whether it
// has taken the locks. It has not if an operation holds one, or a job changes the map.
func (m *multiCore) tryLock() bool {
	for i := range m.stripes {
		if !m.stripes[i].mu.TryLock() {
			m.unlockFirst(i)
			return false
		}
	}
	if !m.admits(false) {
		m.unlock()
		return false
	}
	return true
}

// unlock releases all locks.
func (m *multiCore) unlock() { m.unlockFirst(len(m.stripes)) }

// unlockFirst releases the first n locks.
func (m *multiCore) unlockFirst(n int) {
	for i := range m.stripes[:n] {
		m.stripes[i].mu.Unlock()
	}
}
