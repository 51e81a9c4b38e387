package hashmap

import (
	"unsafe"

	"example.com/custody/internal/atom"
)

// declareAll tells the race detector that all places are read, or written.
func (m *Map[K, V]) declareAll(f func(unsafe.Pointer, int)) {
	if !atom.Race {
		return
	}
	switch {
	case m.words != nil:
		declareAll(m.words.root.Load().places, f)
	case m.smalls != nil:
		declareAll(m.smalls.root.Load().places, f)
	default:
		declareAll(m.bigs.root.Load().places, f)
	}
}

func declareAll[P any](places []P, f func(unsafe.Pointer, int)) {
	f(unsafe.Pointer(&places[0]), len(places)*int(unsafe.Sizeof(places[0])))
}

// What is declared to be written is what says the value, and not what others look at who seek their own keys.

func (w wordPlaces[K, V]) declare(i int) { written(&w.t.places[i].val) }

func (s smallPlaces[K, V]) declare(i int) {
	if _, r, ok := s.m.boxAt(s.t, i); ok {
		written(&r.Ptr().val)
	}
}

func (b bigPlaces[K, V]) declare(i int) { written(&b.t.places[i].box) }

func written[T any](p *T) { atom.WriteRange(unsafe.Pointer(p), int(unsafe.Sizeof(*p))) }
