package counter

import (
	"runtime"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/pad"
	"example.com/custody/safety"
)

// Local adds to a [Counter] through a cell that nobody else adds to: the fastest way for a goroutine
// that lives long and counts much. One goroutine at a time may use a Local; the counter may be used
// by all others meanwhile, and its Value sees what the Local added.
//
// Close it when it is done. A Local that becomes garbage without that costs a little work of the
// collector, and nothing is lost. A Local must not be copied.
//
// Cost: one atomic addition to a line that no other processor touches; two cache lines of memory.
type Local struct {
	cell    *localCell // nil once closed
	self    *Local     // the Local itself; a copy has the address of the original
	of      *Counter
	cleanup runtime.Cleanup
}

// localCell is the cell of a Local. It does not point to the Local, so that the Local can become
// garbage while the counter knows the cell.
type localCell struct {
	_  pad.Bytes
	n  atom.Int64
	_  pad.Bytes
	at int // position in locals.list; protected by locals.mu
}

// locals is the cells of the Locals that are open.
type locals struct {
	open atom.Int64 // length of list; written under mu
	mu   atom.Mutex // held by who changes list or moves a count out of a cell, and by who reads all (I3)
	list []*localCell
}

// Local returns a handle with a cell of its own. It takes a lock and allocates. It panics with a
// violation when c was disposed.
func (c *Counter) Local() *Local {
	c.guard.CheckExists()
	l := &Local{cell: new(localCell), of: c}
	l.self = l
	s := &c.locals
	s.mu.Lock()
	l.cell.at = len(s.list)
	s.list = append(s.list, l.cell)
	s.open.Store(int64(len(s.list)))
	s.mu.Unlock()
	l.cleanup = runtime.AddCleanup(l, func(o orphan) { o.of.fold(o.cell) }, orphan{of: c, cell: l.cell})
	return l
}

// orphan is what is left of a Local that became garbage.
type orphan struct {
	of   *Counter
	cell *localCell
}

// Add adds d. It is wait-free; in all else it is as [Counter.Add]. Use after Close is a violation.
func (l *Local) Add(d int64) {
	cell := l.cell
	if cell == nil || safety.Enabled && l.self != l {
		l.refuse()
	}
	l.of.guard.CheckAppend()
	cell.n.Add(d)
	// Without this l could be garbage before the addition, and the cell folded without it.
	runtime.KeepAlive(l)
}

// Inc is Add(1).
func (l *Local) Inc() { l.Add(1) }

// Close moves what the cell holds into the counter and frees the cell. The counter's value stays the
// same, so Close is legal at any time. Closing again does nothing. It takes a lock.
func (l *Local) Close() {
	if l.cell == nil {
		return
	}
	if l.self != l {
		l.refuse()
	}
	l.cleanup.Stop()
	l.of.fold(l.cell)
	l.cell = nil
	runtime.KeepAlive(l) // until here, so that not both fold
}

// refuse panics with the violation of using a Local that was never made, is a copy, or is closed.
// If two copies were closed, the count of one cell would be added to the counter twice.
func (l *Local) refuse() {
	if l.of == nil {
		panic(safety.NewViolation(safety.ErrUnassigned, "a counter.Local was used that was never made", "Take it from a counter by its Local method."))
	}
	kind, what, do := safety.ErrClosed, " was used after Close", "Close a Local after its last use, or take a new one from its counter."
	if l.self != l {
		kind, what, do = safety.ErrCopied, " was used through a copy of its struct", "A Local must not be copied: keep and pass on the pointer that the counter's Local method returned."
	}
	panic(l.of.guard.Violation(kind, "a Local of "+l.of.guard.Container()+what, do))
}

// fold moves what the cell holds into the base and forgets the cell.
func (c *Counter) fold(cell *localCell) {
	s := &c.locals
	s.mu.Lock()
	c.base.Add(cell.n.Load()) // nobody adds to the cell any more, and no reader sees both or neither (I3)
	last := len(s.list) - 1
	s.list[cell.at] = s.list[last]
	s.list[cell.at].at = cell.at
	s.list[last] = nil
	s.list = s.list[:last]
	s.open.Store(int64(last)) // after the addition: who sees no Locals reads the base later and sees it
	s.mu.Unlock()
}

// hold takes the lock if there are Locals.
func (s *locals) hold() bool {
	if s.open.Load() == 0 {
		return false
	}
	s.mu.Lock()
	return true
}

// sum adds the cells up; the lock is held.
func (s *locals) sum() (v int64) {
	for _, cell := range s.list {
		v += cell.n.Load()
	}
	return v
}

// take empties the cells and returns what they held; the lock is held.
func (s *locals) take() (v int64) {
	for _, cell := range s.list {
		v += cell.n.Swap(0)
	}
	return v
}
