package table

import (
	"example.com/custody/internal/elem"
	"example.com/custody/safety"
)

// walk is a range over the rows, and their names, at the places below Len at the beginning.
type walk struct {
	of   *core
	n    int // Len at the beginning
	row  int // -1 at the beginning
	id   ID
	cuts uint64
}

func (t *core) walk() walk { return walk{of: t, n: t.len(), row: none, cuts: t.cuts} }

// next goes on to the next row. It returns false if there is none. Otherwise it fills to, unless
// that is zero.
func (w *walk) next(to elem.Pointer) bool {
	t := w.of
	if w.row >= 0 {
		t.uncut(w.cuts)
	}
	for w.row++; w.row < min(w.n, t.ids.Len()); w.row++ {
		w.id = t.ids.At(w.row)
		if _, ok := t.find(w.id); ok {
			if to != nil {
				t.gather(w.row, to)
			}
			return true
		}
	}
	return false
}

// uncut panics with a violation if an Apply has removed rows, and may have moved others, since cuts
// was read. Otherwise a range would leave out rows that have moved, or come upon them twice.
func (t *core) uncut(cuts uint64) {
	if safety.Enabled && t.cuts != cuts {
		panic(t.guard.Violation(safety.ErrBorrowed, "a range over "+t.guard.Container()+" went on after an Apply that removed rows",
			"Stage the removals in the range and call Apply after it, or range again."))
	}
}
