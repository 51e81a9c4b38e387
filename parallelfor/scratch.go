package parallelfor

import (
	"weak"

	"example.com/custody/internal/amount"
	"example.com/custody/safety"
)

// Scratch returns a slice of n zero values for temporary use in one batch. It is valid until the
// batch ends, or until the worker asks for scratch of the same element type again, whichever comes
// first. No other goroutine has it. The memory is the worker's and is used again by later batches
// and jobs, so in steady state it costs no allocation, only the zeroing. Between jobs the garbage
// collector may free it. A batch that keeps the slice sees it change: strict builds give fresh
// memory each time, and with -race a batch that touches what another has kept is a race.
//
// Outside jobs, where w is the zero [Worker], it is make([]T, n). An n below 0 is a violation, and
// so is one that memory cannot hold.
func Scratch[T any](w Worker, n int) []T {
	s, used := scratchOf[T](w.state, n)
	if used {
		clear(s)
	}
	return s
}

// scratchOf returns scratch that need not be zero. used reports whether it was used before.
func scratchOf[T any](w *workerState, n int) (s []T, used bool) {
	if most := amount.Most[T](); n < 0 || n > most {
		panic(amount.Unowned("Scratch was asked for", n, 0, most, "element"))
	}
	if w == nil || safety.Strict {
		return make([]T, n), false
	}
	var place *scratch[T]
	for _, x := range w.scratch {
		if p, ok := x.(*scratch[T]); ok {
			place = p
			break
		}
	}
	if place == nil {
		place = new(scratch[T])
		w.scratch = append(w.scratch, place)
	}
	if m := place.memory.Value(); m != nil && cap(m.items) >= n {
		return m.items[:n:n], true
	}
	m := &scratchMemory[T]{make([]T, n)}
	place.memory = weak.Make(m)
	return m.items[:n:n], false
}

// scratch is a worker's scratch of one element type. Workers are kept for later jobs. Their
// scratch, and what it points to, is held by batches alone, so the garbage collector may free it
// between them.
type scratch[T any] struct {
	memory weak.Pointer[scratchMemory[T]]
}

type scratchMemory[T any] struct{ items []T }
