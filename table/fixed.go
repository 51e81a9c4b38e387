package table

import (
	"errors"

	"example.com/custody/array"
	"example.com/custody/internal/amount"
	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// ErrFull: a row was to be added to a table of a fixed number of rows that has no room for it.
var ErrFull = errors.New("the table is full")

// Fixed makes a table of a fixed number of places, of 1 or more, in which rows stay where they are: a row that is removed leaves a place without
// one, whose elements are zero, and the next that is added takes the place that was left last, or else the first that was never used. Len is
// the number of places, and [Table.Count] that of rows; [Table.Valid] says in loops which places have one, and loops by row pass over the
// others. Rows that do not fit are reported by Apply. Less than 1 place, or more than 2^30-1, is a violation of New (safety.ErrLength).
func Fixed(places int) Option {
	return tableOption{set: func(t *core) *safety.Violation {
		if t.fixed = places; places < 1 || places > mostRows {
			return amount.Refusal(&t.guard, "was to have", places, 1, mostRows, "place")
		}
		return nil
	}}
}

// hasPlaces panics with a violation if a column, or a Key, with elements of type T cannot have as
// many elements as the table has places. It lowers the limit of the table to the number of elements
// that the column can have. what names the column in the text.
func hasPlaces[T any](t *core, what string) {
	most := amount.Most[T]()
	if t.fixed > most {
		panic(amount.Refusal(&t.guard, "was to have "+what+" of", t.fixed, 0, most, "element"))
	}
	t.limit = min(t.limit, most)
}

// settle makes the places.
func (t *core) settle(opts []safety.Option) {
	t.ids.Resize(t.fixed)
	t.valid = array.New[bool](t.fixed, opts...)
	t.flags = t.valid.Slice()
	for row := t.fixed - 1; row >= 0; row-- {
		t.places = append(t.places, int32(row))
	}
}

// Count returns the number of rows: Len, but for tables of a fixed number of places.
func (t *Table[R]) Count() int { return t.Len() - len(t.places) }

// Valid returns a view that says of each place of a [Fixed] table whether it has a row. Of other tables it is an unassigned one.
func (t *Table[R]) Valid() array.Reader[bool] {
	if t == nil {
		return array.Reader[bool]{}
	}
	if t.original(); t.fixed == 0 {
		return array.Reader[bool]{}
	}
	return t.valid.Reader()
}

// refill is rebuild of a table whose rows stay where they are.
func (t *Table[R]) refill(b *batch[R]) {
	t.descend(t.fixed)
	ids := t.ids.Slice()
	for _, row := range t.ended {
		ids[row], t.flags[row] = ID{}, false
	}
	t.places = append(t.places, t.ended...)
	n := min(len(t.places), len(b.rows))
	for i := n; i < len(b.rows); i++ {
		t.refuse(b.names[i], nil, ErrFull)
	}
	if t.holds {
		clear(b.rows[n:])
	}
	b.rows, b.names = b.rows[:n], b.names[:n]
	t.report.Added = n
	t.filled = atom.Reuse(&t.trim.filled, t.filled)
	for i, m := range b.names {
		row := t.places[len(t.places)-1-i]
		t.filled = append(t.filled, row)
		ids[row], t.flags[row] = ID{t.number, m.slot, m.gen}, true
		t.slots[m.slot] = slot{row: row, gen: m.gen}
	}
	t.places = t.places[:len(t.places)-n]
	if t.key != nil {
		t.key.refill(t.ended, t.filled, b.rows, b.names)
	}
	v := t.tick()
	for i, c := range t.columns {
		t.strips[i].wipe(t.ended)
		c.put(t.filled, b.rows)
		part := t.parts[i]
		for _, rows := range [2][]int32{t.ended, t.filled} {
			for _, row := range rows {
				part.versions[t.chunkOf(int(row))] = v
			}
		}
	}
}

func (k *Key[K]) settle(n int) { k.keys = make([]K, n) }

func (k *keyOf[K, R]) refill(ended, filled []int32, rows []R, names []name) {
	var zero K
	for _, row := range ended {
		k.of.keys[row] = zero
	}
	for i, row := range filled {
		key := *k.field.in(&rows[i])
		k.of.keys[row] = key
		k.of.live[key] = names[i].slot
	}
}
