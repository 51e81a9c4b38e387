// Package atom has all synchronization of this library.
//
// Containers and the driver take their atomics, locks, yields, sleeps, goroutines and parking from
// this package and never from sync/atomic, sync, time or runtime. In ordinary builds the types are
// aliases of the standard ones and cost nothing extra. The build tag custody_explore puts a
// controlled scheduler behind the same names.
//
// Go's sync/atomic is sequentially consistent. Comments in this module name the partner of an
// atomic operation and rely on that without repeating it.
//
// # Hidden synchronization
//
// The race detector derives happens-before edges from every synchronizing operation that it sees.
// From the library's own bookkeeping it would derive edges that the user's program does not have,
// and so miss races. Types whose names start with Hidden synchronize like their plain counterparts
// but are invisible to the detector. [Acquire] and [ReleaseMerge] show it the edges on which the
// program may rely.
//
// Only functions marked //go:norace may touch what a hidden lock protects. In builds without -race
// the hidden types are the plain ones.
package atom
