//go:build race && !custody_explore && amd64

package atom

import (
	"sync/atomic"
	"unsafe"
)

// On amd64 the load of package sync/atomic is a plain one. Here it costs no call of the race
// detector. It is not inlined, because in an inlined copy the detector would see it.

//go:norace
//go:noinline
//go:nocheckptr
func load32(p *atomic.Uint32) uint32 { return *(*uint32)(unsafe.Pointer(p)) }

//go:norace
//go:noinline
//go:nocheckptr
func load64(p *atomic.Uint64) uint64 { return *(*uint64)(unsafe.Pointer(p)) }

//go:norace
//go:noinline
//go:nocheckptr
func loadInt64(p *atomic.Int64) int64 { return *(*int64)(unsafe.Pointer(p)) }

//go:norace
//go:noinline
//go:nocheckptr
func loadPointer[T any](p *atomic.Pointer[T]) *T { return *(**T)(unsafe.Pointer(p)) }
