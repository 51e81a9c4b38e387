package parallelfor

import (
	"runtime"
	"sync"
	"sync/atomic"

	"example.com/custody/internal/atom"
)

// Grid returns how the driver cuts [0, n): the length of a cell, and how many there are.
func Grid(n, batch int) (length, cells int) {
	g := newGrid(n, batch)
	return g.batch, g.cells
}

// Bounds returns the indices of cell c of the grid.
func Bounds(n, batch, c int) (begin, end int) {
	g := newGrid(n, batch)
	return g.bounds(c)
}

// IdleResidents returns how many residents of the pool sleep or are about to, and how many it has.
func IdleResidents(p *Pool) (idle, count int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.idle), p.count
}

// DefaultPool is the pool of jobs that name no other.
var DefaultPool = &defaultPool

// Raced says whether the race detector, and with it the engine of one goroutine a cell, is compiled in.
const Raced = atom.Race

// HandOut hands cells out to workers that all ask at once, as long as there are any, and gives each what
// it got: the runs [begin, end) in the order in which it got them.
func HandOut(cells, workers int, got func(worker, begin, end int)) {
	var h hand
	h.reset(cells, workers)
	var ready atomic.Int32
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			ready.Add(1)
			for ready.Load() < int32(workers) {
				runtime.Gosched()
			}
			for {
				begin, end, ok := h.take(w)
				if !ok {
					return
				}
				got(w, begin, end)
			}
		})
	}
	all.Wait()
}
