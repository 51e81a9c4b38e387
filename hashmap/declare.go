package hashmap

import (
	"unsafe"

	"example.com/custody/internal/atom"
)

// declareAll tells the race detector that all places are read.
func (m *core) declareAll() {
	if t := m.in.root.Load(); atom.Race {
		atom.ReadRange(t.memory, m.in.block*(t.homes+m.in.extra))
	}
}

// The methods declare tell the race detector that a value is written. They leave out words that
// goroutines read when they look for other keys.

func (w *inlinePlaces) declare(i int) { written(&w.t.blocks[i].val) }

func (s *wordBoxPlaces) declare(i int) {
	if _, r, ok := s.in.boxAt(s.t, i); ok {
		written(s.m.word(r.Ptr()))
	}
}

func (b *valueBoxPlaces) declare(i int) { written(slotAt(b.t, i).box) }

func written[T any](p *T) { atom.WriteRange(unsafe.Pointer(p), int(unsafe.Sizeof(*p))) }
