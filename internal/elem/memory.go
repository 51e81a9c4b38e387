package elem

import "example.com/custody/internal/atom"

// Memory is a slice of elements. Its methods are given their type. Behind the N elements lies
// nothing that keeps something alive.
type Memory struct {
	P       Pointer // the first element
	N, Room int
	trim    atom.Trimmer
}

// Grow makes room for n more elements, and returns where they are to lie. The caller adds to N.
//
//go:norace
func (m *Memory) Grow(of *Type, n int) Pointer {
	if n == 0 {
		return nil // there may be other memory behind the last element
	}
	if n > m.Room-m.N {
		room := max(m.N+n, m.Room+max(m.Room/2, min(m.Room, 256)))
		p := of.Make(room) // panics if there is no such memory
		of.Move(p, m.P, m.N)
		m.P, m.Room = p, room
	}
	return of.At(m.P, m.N)
}

// Empty removes the elements, and keeps the memory as far as that is worthwhile.
func (m *Memory) Empty(of *Type) {
	if of.Holds {
		of.Clear(m.P, m.N)
	}
	s := atom.Reuse(&m.trim, Slice[struct{}](m.P, m.Room)[:m.N])
	m.P, m.N, m.Room = Data(s), 0, cap(s)
}
