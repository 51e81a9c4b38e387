//go:build race && !custody_explore && !amd64

package atom

import (
	"runtime"
	"sync/atomic"
)

func load32(p *atomic.Uint32) uint32 { return hidden(p.Load) }

func load64(p *atomic.Uint64) uint64 { return hidden(p.Load) }

func loadInt64(p *atomic.Int64) int64 { return hidden(p.Load) }

func loadPointer[T any](p *atomic.Pointer[T]) *T { return hidden(p.Load) }

// hidden returns what load returns. The race detector does not see the load.
func hidden[T any](load func() T) T {
	runtime.RaceDisable()
	v := load()
	runtime.RaceEnable()
	return v
}
