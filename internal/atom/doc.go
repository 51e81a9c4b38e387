// Package atom is the only door to synchronisation in this library.
//
// Containers and the driver take their atomics, locks, yields, sleeps, goroutines and parking from
// here and never from sync/atomic, sync, time or runtime. In ordinary builds the types are aliases
// of the standard ones, so they cost nothing by construction, which a test asserts; a build tag can
// put a controlled scheduler behind the same names.
//
// Go's sync/atomic is sequentially consistent. Comments in this module name the partner of an
// atomic operation and rely on that without saying so again.
//
// # Hidden synchronisation
//
// The race detector learns happens-before from every synchronising operation it sees. The library's
// own bookkeeping would teach it edges that the user's program does not have and so blind it. Types
// whose name starts with Hidden synchronise like their plain counterpart but are invisible to the
// detector, and [Acquire] and [ReleaseMerge] show it the edges that the program may rely on. What a
// hidden lock protects must be touched by functions marked //go:norace only. In builds without
// -race the hidden types are the plain ones.
package atom
