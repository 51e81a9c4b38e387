//go:build !custody_explore

package atom

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// The atomic types are those of sync/atomic.
type (
	Bool           = atomic.Bool
	Int32          = atomic.Int32
	Int64          = atomic.Int64
	Uint32         = atomic.Uint32
	Uint64         = atomic.Uint64
	Pointer[T any] = atomic.Pointer[T]
	Mutex          = sync.Mutex
	RWMutex        = sync.RWMutex
	WaitGroup      = sync.WaitGroup
	Once           = sync.Once
	Cond           = sync.Cond
	Map            = sync.Map
	Locker         = sync.Locker
)

// Yield lets other goroutines run.
func Yield() { runtime.Gosched() }

// Sleep pauses the calling goroutine for at least d.
func Sleep(d time.Duration) { time.Sleep(d) }

// Go runs f on a new goroutine. Everything before the call happens before f.
func Go(f func()) { go f() }

// Now returns the time.
func Now() time.Time { return time.Now() }

// Since returns the time since t, which Now has returned.
func Since(t time.Time) time.Duration { return time.Since(t) }

// spent reports whether so many nanoseconds have passed in a time that is not the machine's.
func spent(ns int) bool { return false }

// Timer calls a function later.
type Timer struct {
	// Call is the function. It has a goroutine of its own.
	Call func()
	t    *time.Timer
}

// Start has Call called after d. The timer must not run.
func (t *Timer) Start(d time.Duration) {
	if t.t == nil {
		t.t = time.AfterFunc(d, t.Call)
		return
	}
	t.t.Reset(d)
}

// NewCond returns a condition variable on l.
func NewCond(l Locker) *Cond { return sync.NewCond(l) }

// InitCond makes c, which must be new, a condition variable on l.
func InitCond(c *Cond, l Locker) { c.L = l }

// Parker blocks one goroutine until another goroutine wakes it. An Unpark that comes before the
// Park leaves a token, of which there is at most one, so no wake-up is lost. The zero value is not
// ready for use; use [NewParker].
type Parker struct{ token chan struct{} }

// NewParker returns a Parker without a token.
func NewParker() Parker { return Parker{token: make(chan struct{}, 1)} }

// Park waits for the token and takes it.
func (p Parker) Park() { <-p.token }

// Unpark leaves a token if there is none. It never blocks.
func (p Parker) Unpark() {
	select {
	case p.token <- struct{}{}:
	default:
	}
}

// Pause is called in loops that poll for less than a Spin does.
func Pause() {}

// ParkFor is Park that ends after d at the latest, with or without a token. It uses the timer,
// whose Call unparks p; one that still runs begins anew.
func (p Parker) ParkFor(d time.Duration, t *Timer) {
	t.Start(d)
	p.Park()
}

// Reads is called before a plain read of *p, which other goroutines write at other times. In
// explored programs it can be a scheduling point, and on a simulated machine the read takes time.
func Reads[T any](p *T) {}

// Writes is Reads for a plain write.
func Writes[T any](p *T) {}

// ReadsAll is Reads for the elements of a slice.
func ReadsAll[T any](s []T) {}

// WritesAll is Writes for the elements of a slice.
func WritesAll[T any](s []T) {}

// Explored reports whether a controlled scheduler may be behind the types of this package.
const Explored = false

// Exploring reports whether a controlled scheduler runs the caller. If so, nothing may depend on
// the clock or the machine.
func Exploring() bool { return false }

// Execution returns the number of the execution of an explored program, and 0 elsewhere. What is
// kept from one execution must not change another one.
func Execution() int { return 0 }

// Simulated reports whether a controlled scheduler with a clock runs the caller. If so, goroutines
// have processors of their own, and Go's scheduler has no part in it.
func Simulated() bool { return false }
