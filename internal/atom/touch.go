package atom

import "unsafe"

// Touch fetches the memory at p into the cache. It returns a byte of it, so that the compiler
// cannot leave the load out. The race detector does not see the load.
//
//go:norace
func Touch[T any](p *T) uintptr { return uintptr(*(*byte)(unsafe.Pointer(p))) }
