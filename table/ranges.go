package table

import (
	"iter"

	"example.com/custody/safety"
)

// All ranges over the rows and their names, in order, as many as there are when the range begins.
// It leaves out places without a row. Each row is looked up at its turn.
//
// The body may call any method. If an Apply in the body removes rows, the next step of the range
// panics ([safety.ErrBorrowed]), because other rows may have moved: stage the removals in the body
// and call Apply after the range. An Apply that only adds rows does not end the range. Neither does
// an Apply of a [Fixed] table, where rows stay: the range leaves out rows that were removed, and
// comes to rows that were added at places ahead of it.
func (t *Table[R]) All() iter.Seq2[ID, R] {
	return func(yield func(ID, R) bool) {
		if t.Len() == 0 {
			return
		}
		for row, id := range t.each {
			var r R
			if t.gather(row, refOf(&r)); !yield(id, r) {
				return
			}
		}
	}
}

// each ranges over the rows that are there when the range begins, and their names.
func (t *core) each(yield func(row int, id ID) bool) {
	n, cuts := t.ids.Len(), t.cuts
	for row := 0; row < min(n, t.ids.Len()); row++ {
		id := t.ids.At(row)
		if _, ok := t.find(id); ok && !yield(row, id) {
			return
		}
		t.uncut(cuts)
	}
}

// uncut panics with a violation if an Apply has removed rows, and may have moved others, since cuts
// was read. Otherwise a range would leave out rows that have moved, or come upon them twice.
func (t *core) uncut(cuts uint64) {
	if safety.Enabled && t.cuts != cuts {
		panic(t.guard.Violation(safety.ErrBorrowed, "a range over "+t.guard.Container()+" went on after an Apply that removed rows",
			"Stage the removals in the range and call Apply after it, or range again."))
	}
}
