// Package atom has the atomic numbers, locks and goroutines of containers that package fuzz
// explores and simulates.
//
// In ordinary builds the types are those of sync/atomic and sync, and cost nothing more. With the
// build tag custody_explore a scheduler stands behind each operation. The suites of package fuzz
// then run a container in chosen schedules, and fuzz.Scaling runs it on up to 64 simulated
// processors.
//
// A container that is to be explored takes all its synchronization from here. It uses no channel,
// select, sync.Pool or other atomic. It tells [Reads] and [Writes] of plain accesses to memory that
// several goroutines use, one after the other:
//
//	s := &r.slots[k]
//	atom.Writes(&s.item)
//	s.item = v
//	s.full.Store(true) // publishes the item; pairs with the Load in Take
package atom

import "example.com/custody/internal/atom"

// Bool is an atomic.Bool.
type Bool = atom.Bool

// Int32 is an atomic.Int32.
type Int32 = atom.Int32

// Int64 is an atomic.Int64.
type Int64 = atom.Int64

// Uint32 is an atomic.Uint32.
type Uint32 = atom.Uint32

// Uint64 is an atomic.Uint64.
type Uint64 = atom.Uint64

// Pointer is an atomic.Pointer.
type Pointer[T any] = atom.Pointer[T]

// Mutex is a sync.Mutex.
type Mutex = atom.Mutex

// RWMutex is a sync.RWMutex.
type RWMutex = atom.RWMutex

// WaitGroup is a sync.WaitGroup.
type WaitGroup = atom.WaitGroup

// Cond is a sync.Cond. It is made as &Cond{L: l}.
type Cond = atom.Cond

// Go runs f on a new goroutine, as a go statement does.
func Go(f func()) { atom.Go(f) }

// Yield lets other goroutines run, as runtime.Gosched does. A loop that polls calls Yield or Delay.
func Yield() { atom.Yield() }

// Delay keeps the processor busy for about ns nanoseconds, without an access to memory. A goroutine
// that has met another one calls it before it tries again.
func Delay(ns int) { atom.Delay(ns) }

// Reads is called before a plain read of *p, which another goroutine writes at another time. It
// does nothing in ordinary builds. In some explored schedules other goroutines go on between the
// call and the read, so a missing edge between the accesses gives a wrong result. On simulated
// processors the cache lines of *p take their time.
func Reads[T any](p *T) { atom.Reads(p) }

// Writes is Reads for a plain write of *p.
func Writes[T any](p *T) { atom.Writes(p) }
