package fuzz

import (
	"runtime"
	"sync"

	"example.com/custody/safety"
)

// toy is what the toys have in common: a fault, and a lock around every operation.
type toy struct {
	fault string

	mu       sync.Mutex
	calls    int
	disposed bool
}

// lock locks the toy, and reports whether another goroutine had it meanwhile. A waiting goroutine
// lets others run, so that they are met.
func (y *toy) lock() (met bool) {
	for !y.mu.TryLock() {
		runtime.Gosched()
		met = true
	}
	if y.disposed && y.fault != "lives on" && safety.Enabled {
		y.mu.Unlock()
		panic(safety.ErrDisposed)
	}
	y.calls++
	return met
}

// gap lets others come between two parts of an operation.
func (y *toy) gap() {
	y.mu.Unlock()
	runtime.Gosched()
	y.lock()
}
