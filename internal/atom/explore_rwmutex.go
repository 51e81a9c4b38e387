//go:build custody_explore

package atom

import (
	"sync"
	"unsafe"

	"example.com/custody/internal/sched"
)

// RWMutex is a sync.RWMutex whose operations are scheduling points. Like the real one it admits no
// reader while a writer waits, so a reader that locks it twice can wait forever. Readers that wait
// when a writer leaves precede the next writer.
//
// In an execution the scheduler keeps other tasks out, so no task waits for the real lock. An
// RWMutex that is locked when an execution begins must not be used in it.
type RWMutex struct {
	real    sync.RWMutex
	readers int    // readers that hold it or have been admitted
	line    int    // readers that wait
	passed  uint64 // writers that have left
	writer  bool   // a writer holds it or waits for readers to leave
	held    bool   // a writer holds it
}

// Ready implements sched.Waiter for a writer that waits for readers to leave.
//
//go:norace
func (m *RWMutex) Ready() bool { return m.readers == 0 }

// unclaimed is the sched.Waiter of a writer while another writer has claimed the RWMutex.
type unclaimed RWMutex

// Ready implements sched.Waiter.
//
//go:norace
func (m *unclaimed) Ready() bool { return !m.writer }

// place is a reader's place in the line. A writer that leaves admits the reader.
type place struct {
	m  *RWMutex
	at uint64 // the value of passed when the reader came
}

// Ready implements sched.Waiter.
//
//go:norace
func (p *place) Ready() bool { return p.m.passed != p.at }

// Lock locks the mutex for writing.
func (m *RWMutex) Lock() {
	if sched.Exploring() {
		sched.Point(sched.OpLock, unsafe.Pointer(m))
		m.claim()
	}
	m.real.Lock()
	sched.After(unsafe.Pointer(m))
}

// claim waits for other writers to leave, keeps new readers out, and waits for readers to leave.
//
//go:norace
func (m *RWMutex) claim() {
	sched.Block(sched.OpLock, unsafe.Pointer(m), (*unclaimed)(m))
	m.writer = true
	sched.Block(sched.OpLock, unsafe.Pointer(m), m)
	m.held = true
}

// Unlock ends Lock. If no writer holds the mutex, Unlock panics in an execution and ends the
// process elsewhere.
func (m *RWMutex) Unlock() {
	if sched.Exploring() {
		sched.Point(sched.OpUnlock, unsafe.Pointer(m))
		m.leave()
	}
	m.real.Unlock()
	sched.After(unsafe.Pointer(m))
}

// leave ends a writer's claim and admits all readers that wait.
//
//go:norace
func (m *RWMutex) leave() {
	if !m.held {
		panic("atom: Unlock of an RWMutex that no writer holds")
	}
	m.writer, m.held = false, false
	m.readers, m.line = m.readers+m.line, 0
	m.passed++
}

// RLock locks the mutex for reading.
func (m *RWMutex) RLock() {
	if sched.Exploring() {
		sched.Point(sched.OpLock, unsafe.Pointer(m))
		m.enter()
	}
	m.real.RLock()
	sched.After(unsafe.Pointer(m))
}

//go:norace
func (m *RWMutex) enter() {
	if !m.writer {
		m.readers++
		return
	}
	m.line++
	sched.Block(sched.OpLock, unsafe.Pointer(m), &place{m, m.passed})
}

// RUnlock ends RLock. If no reader holds the mutex, RUnlock panics in an execution and ends the
// process elsewhere.
func (m *RWMutex) RUnlock() {
	if sched.Exploring() {
		sched.Point(sched.OpUnlock, unsafe.Pointer(m))
		m.exit()
	}
	m.real.RUnlock()
	sched.After(unsafe.Pointer(m))
}

//go:norace
func (m *RWMutex) exit() {
	if m.readers == 0 {
		panic("atom: RUnlock of an RWMutex that no reader holds")
	}
	m.readers--
}

// TryLock locks the mutex for writing if nothing holds it, and reports whether it did.
func (m *RWMutex) TryLock() bool {
	sched.Point(sched.OpLock, unsafe.Pointer(m))
	ok := (!sched.Exploring() || m.tryClaim()) && m.real.TryLock()
	sched.After(unsafe.Pointer(m))
	return ok
}

//go:norace
func (m *RWMutex) tryClaim() bool {
	if m.writer || m.readers > 0 {
		return false
	}
	m.writer, m.held = true, true
	return true
}

// TryRLock locks the mutex for reading if no writer holds it or waits, and reports whether it did.
func (m *RWMutex) TryRLock() bool {
	sched.Point(sched.OpLock, unsafe.Pointer(m))
	ok := (!sched.Exploring() || m.tryEnter()) && m.real.TryRLock()
	sched.After(unsafe.Pointer(m))
	return ok
}

//go:norace
func (m *RWMutex) tryEnter() bool {
	if m.writer {
		return false
	}
	m.readers++
	return true
}

// RLocker returns a Locker whose methods are RLock and RUnlock of the mutex.
func (m *RWMutex) RLocker() Locker { return (*reading)(m) }

// reading is an RWMutex as a reader locks it.
type reading RWMutex

// Lock implements Locker.
func (m *reading) Lock() { (*RWMutex)(m).RLock() }

// Unlock implements Locker.
func (m *reading) Unlock() { (*RWMutex)(m).RUnlock() }
