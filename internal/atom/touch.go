package atom

import "unsafe"

// Touch has the memory fetched that p points to, and returns something of it, so that the compiler cannot leave it out. The race detector
// does not see it.
//
//go:norace
func Touch[T any](p *T) uintptr { return uintptr(*(*byte)(unsafe.Pointer(p))) }
