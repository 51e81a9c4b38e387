// Program plain has pairs of functions that do the same, one through package atom and one through
// the standard library, so that a test can compare what the compiler makes of them.
package main

import (
	"sync/atomic"

	"example.com/custody/counter"
	"example.com/custody/internal/atom"
)

type ours struct {
	n atom.Int64
	p atom.Pointer[ours]
}

type standard struct {
	n atomic.Int64
	p atomic.Pointer[standard]
}

//go:noinline
func oursAccess(s *ours) int64 {
	for t := s.p.Load(); t != nil; t = t.p.Load() {
		if o := t.n.Load(); t.n.CompareAndSwap(o, o+1) {
			return t.n.Add(2)
		}
	}
	return s.n.Swap(3)
}

//go:noinline
func standardAccess(s *standard) int64 {
	for t := s.p.Load(); t != nil; t = t.p.Load() {
		if o := t.n.Load(); t.n.CompareAndSwap(o, o+1) {
			return t.n.Add(2)
		}
	}
	return s.n.Swap(3)
}

func main() {
	counter.New().Add(oursAccess(new(ours)) + standardAccess(new(standard)))
}
