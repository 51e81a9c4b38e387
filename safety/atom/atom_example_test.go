package atom_test

import (
	"fmt"

	"example.com/custody/safety/atom"
)

// slot hands items from one goroutine to another.
type slot struct {
	full atom.Bool
	item int
}

func (s *slot) put(v int) {
	for s.full.Load() {
		atom.Yield()
	}
	atom.Writes(&s.item)
	s.item = v
	s.full.Store(true) // publishes the item; pairs with the Load in take
}

func (s *slot) take() int {
	for !s.full.Load() {
		atom.Yield()
	}
	atom.Reads(&s.item)
	v := s.item
	s.full.Store(false) // gives the slot back; pairs with the Load in put
	return v
}

// A container whose operations package fuzz can explore and simulate.
func Example() {
	var s slot
	var all atom.WaitGroup
	all.Add(1)
	atom.Go(func() {
		defer all.Done()
		for i := range 3 {
			s.put(i)
		}
	})
	for range 3 {
		fmt.Println(s.take())
	}
	all.Wait()
	// Output:
	// 0
	// 1
	// 2
}
