package hashmap

import (
	"example.com/custody/internal/atom"
	"example.com/custody/internal/elem"
	"example.com/custody/internal/word"
)

// declareAll tells the race detector that all places are read.
func (m *core) declareAll() {
	if t := m.root.Load(); atom.Race {
		atom.ReadRange(elem.Data(t.inline), word.Bytes(t.inline))
		atom.ReadRange(elem.Data(t.buckets), word.Bytes(t.buckets))
	}
}

// declare tells the race detector that the value of a place is written. It leaves out words that
// goroutines read when they look for other keys.
func (m *core) declare(t *table, i int) {
	const size = 8
	if m.isInline {
		atom.WriteRange(t.inline[i].cell(), size)
	} else if r := t.slotAt(i).box.Load(); !m.open(r) && r != m.dead {
		atom.WriteRange(m.cellOf(r.Ptr()), size)
	}
}
