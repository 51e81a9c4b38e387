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
		declareAll(m.words.first().blocks, f)
	case m.smalls != nil:
		declareAll(m.smalls.boxes.first().blocks, f)
	default:
		declareAll(m.bigs.boxes.first().blocks, f)
	}
}

func declareAll[B any](blocks []B, f func(unsafe.Pointer, int)) {
	f(unsafe.Pointer(&blocks[0]), len(blocks)*int(unsafe.Sizeof(blocks[0])))
}

// What is declared to be written is what says the value, and not what others look at who seek their own keys.

func (w *wordPlaces[K, V]) declare(i int) { written(&w.t.blocks[i].val) }

func (s *smallPlaces[K, V]) declare(i int) {
	if _, r, ok := s.in.boxAt(s.t, i); ok {
		written(&r.Ptr().val)
	}
}

func (b *bigPlaces[K, V]) declare(i int) { written(slotAt(b.t, i).box) }

func written[T any](p *T) { atom.WriteRange(unsafe.Pointer(p), int(unsafe.Sizeof(*p))) }
