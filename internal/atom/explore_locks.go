//go:build custody_explore

package atom

import (
	"sync"
	"unsafe"

	"example.com/custody/internal/sched"
)

// Locker is a sync.Locker.
type Locker = sync.Locker

// Map is a sync.Map. Its operations are no scheduling points, because for each key every goroutine
// would store the same value.
type Map = sync.Map

// Mutex is a sync.Mutex whose operations are scheduling points. In an execution the scheduler keeps
// other tasks out, so no task waits for the real lock. The real lock shows the race detector the
// order of the critical sections.
type Mutex struct {
	real sync.Mutex
	held bool // written only by the holder of real
}

// Ready implements sched.Waiter.
//
//go:norace
func (m *Mutex) Ready() bool { return !m.held }

//go:norace
func (m *Mutex) hold(h bool) { m.held = h }

// Lock locks the mutex.
func (m *Mutex) Lock() {
	if sched.Exploring() {
		sched.Point(sched.OpLock, unsafe.Pointer(m))
		sched.Block(sched.OpLock, unsafe.Pointer(m), m)
	}
	m.real.Lock()
	m.hold(true)
	sched.After(unsafe.Pointer(m))
}

// TryLock locks the mutex if it is free, and reports whether it was.
func (m *Mutex) TryLock() bool {
	sched.Point(sched.OpLock, unsafe.Pointer(m))
	ok := m.real.TryLock()
	if ok {
		m.hold(true)
	}
	sched.After(unsafe.Pointer(m))
	return ok
}

// Unlock unlocks the mutex. If the mutex is not locked, Unlock panics in an execution and ends the
// process elsewhere.
func (m *Mutex) Unlock() {
	sched.Point(sched.OpUnlock, unsafe.Pointer(m))
	if sched.Exploring() && m.Ready() {
		panic("atom: Unlock of a Mutex that nobody holds")
	}
	m.hold(false)
	m.real.Unlock()
	sched.After(unsafe.Pointer(m))
}

// Once is a sync.Once whose operations are scheduling points.
type Once struct {
	mu   Mutex
	done Bool
}

// Do calls f if no earlier Do has. It returns after that call of f has returned.
func (o *Once) Do(f func()) {
	if o.done.Load() {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.done.Load() {
		defer o.done.Store(true)
		f()
	}
}

// WaitGroup is a sync.WaitGroup whose operations are scheduling points.
type WaitGroup struct {
	real sync.WaitGroup
	n    int
}

// Ready implements sched.Waiter.
//
//go:norace
func (w *WaitGroup) Ready() bool { return w.n <= 0 }

//go:norace
func (w *WaitGroup) count(d int) { w.n += d }

// Add adds d to the counter.
func (w *WaitGroup) Add(d int) {
	if sched.Exploring() {
		sched.Point(sched.OpAdd, unsafe.Pointer(w))
		w.count(d)
	}
	w.real.Add(d)
	sched.After(unsafe.Pointer(w))
}

// Done subtracts 1 from the counter.
func (w *WaitGroup) Done() { w.Add(-1) }

// Go calls f on a new goroutine for which Wait waits.
func (w *WaitGroup) Go(f func()) {
	w.Add(1)
	Go(func() {
		defer w.Done()
		f()
	})
}

// Wait waits until the counter is 0.
func (w *WaitGroup) Wait() {
	if sched.Exploring() {
		sched.Point(sched.OpWait, unsafe.Pointer(w))
		sched.Block(sched.OpWait, unsafe.Pointer(w), w)
	}
	w.real.Wait()
}
