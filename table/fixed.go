package table

import (
	"errors"

	"example.com/custody/internal/amount"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/elem"
	"example.com/custody/safety"
)

// ErrFull: a row was to be added to a [Fixed] table in which each place has a row.
var ErrFull = errors.New("the table is full")

// Fixed makes a table of a fixed number of places, in which rows stay where they are. A row that is
// removed leaves a place without a row, whose elements are zero. The next row that is added takes
// the place that was left last, or else the first one that was never used. Apply reports rows that
// do not fit.
//
// Len is the number of places, and [Table.Count] that of rows. The ID of a place without a row is
// the zero ID, also in the view that [Table.IDs] returns; [For] and [ForErr] pass over such places.
// Less than 1 place, or more than 2^30-1, is a violation of New (safety.ErrLength). New and
// [ColumnOf] cost O(places).
func Fixed(places int) Option {
	return Option{set: func(t *core) *safety.Violation {
		if t.fixed = places; places < 1 || places > mostRows {
			return amount.Refusal(&t.guard, "was to have", places, 1, mostRows, "place")
		}
		return nil
	}}
}

// hasPlaces panics with a violation if a column, or a Key, with elements of that size cannot have
// as many elements as the table has places. It lowers the limit of the table to the number of
// elements that the column can have. what names the column in the text.
func (t *core) hasPlaces(what string, size uintptr) {
	most := amount.MostOf(size)
	if t.fixed > most {
		panic(amount.Refusal(&t.guard, "was to have "+what+" of", t.fixed, 0, most, "element"))
	}
	t.limit = min(t.limit, most)
}

// settle makes the places of a fixed table. The first is last in the list, so it is taken first.
func (t *core) settle() {
	t.ids.list.Resize(t.fixed)
	t.flags = make([]bool, t.fixed)
	for row := t.fixed - 1; row >= 0; row-- {
		t.places = append(t.places, int32(row))
	}
}

// Count returns the number of rows, which is Len except in [Fixed] tables. Jobs do not exclude it.
func (t *Table[R]) Count() int { return (*core)(elem.Pointer(t)).count() }

func (t *core) count() int { return t.len() - len(t.places) }

// refill is rebuild of a Fixed table. It refuses the rows of the batch for which there is no place.
func (t *core) refill(b *batch) {
	t.descend(t.fixed)
	ids := t.ids.Slice()
	for _, row := range t.gone {
		ids[row], t.flags[row] = ID{}, false
	}
	t.places = append(t.places, t.gone...)
	n := min(len(t.places), b.rows.N)
	for i, m := range b.names[n:] {
		if t.key != nil {
			t.key.leave(t.stage.row(b, n+i))
		}
		t.refuse(m, nil, ErrFull)
	}
	t.cut(b, n)
	t.report.Added = n
	t.filled = atom.Reuse(&t.trim.filled, t.filled)
	for i, m := range b.names {
		row := t.places[len(t.places)-1-i]
		t.filled = append(t.filled, row)
		ids[row], t.flags[row] = ID{t.number, m.slot, m.gen}, true
		t.slots[m.slot] = slot{row: row, gen: m.gen}
	}
	t.places = t.places[:len(t.places)-n]
	rows := b.rows
	if t.key != nil {
		t.key.wipe(t.gone)
		t.key.add(rows, b.names)
	}
	for _, c := range t.columns {
		c.wipe(t.gone)
		if c.discard { // a loop over chunks may have written places without a row
			c.wipe(t.filled)
		} else {
			c.fill(0, t.filled, rows)
		}
	}
	t.touched = atom.Reuse(&t.trim.touched, t.touched)
	for _, changed := range [2][]int32{t.gone, t.filled} {
		for _, row := range changed {
			t.touch(row)
		}
	}
	t.stamp()
}
