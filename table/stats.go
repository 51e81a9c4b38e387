package table

import (
	"reflect"

	"example.com/custody/internal/elem"
	"example.com/custody/internal/phrase"
)

// String returns the type and name of the table, its number of rows, and the jobs that hold the
// table itself, which are loops over its rows and jobs that look rows up; see safety.Guard.Text.
// Its columns have String methods of their own. Any goroutine may call String at any time, and it
// is never a violation.
func (t *Table[R]) String() string { return (*core)(elem.Pointer(t)).text(t) }

func (t *core) text(table any) string {
	if t == nil {
		return "<nil>"
	}
	return t.guard.Text(table, t.rows)
}

// rows returns the number of rows. String does not print the rows: the owner may be changing them.
func (t *core) rows() string {
	rows := phrase.Amount(int(t.printed.Load()), "row")
	if t.fixed > 0 {
		rows += " in " + phrase.Amount(t.fixed, "place")
	}
	return rows
}

// String returns the type and name of the column, its number of elements, and the jobs that hold
// it. In all else it is as [Table.String].
func (c *Column[T]) String() string { return (*base)(elem.Pointer(c)).text(c) }

func (c *base) text(column any) string {
	switch {
	case c == nil:
		return "<nil>"
	case c.list == nil:
		return reflect.TypeOf(column).Elem().String() + ": never made"
	}
	return c.list.Text(column)
}

// String returns the type of the key, and the text of its table. In all else it is as
// [Table.String].
func (k *Key[K]) String() string {
	if k == nil {
		return "<nil>"
	}
	return k.of.keyText(k)
}

func (t *core) keyText(key any) string {
	name := reflect.TypeOf(key).Elem().String()
	if t == nil {
		return name + ": never made"
	}
	return name + " of " + t.guard.Text(nil, t.rows)
}

// Stats is the state of a [Table], and the work of the next Apply. It has no Bytes, as Stats of
// other packages have, because the memory of a row depends on the columns; see the doc of [Table].
// Room counts as Cap does in array.Stats and queue.Stats: it includes the rows that are there.
type Stats struct {
	// Rows is the number of rows, as Table.Count returns it. Room is the number that there is
	// memory for: in a Fixed table, the places.
	Rows, Room int
	// Columns and Chunks are the numbers of these. A DoubleColumn is two columns.
	Columns, Chunks int
	// Names is the largest number of rows that have had names at one time. Staged rows and those
	// that are transferred here count. Each name has a slot of 8 bytes.
	Names int
	// Additions and Removals are the numbers of staged ones. A row that is transferred is a removal
	// in its old table, and then an addition in the new one. Requests that loops have staged by a
	// Stager are not counted before Apply.
	Additions, Removals int
}

// Stats returns the state of the table. The figures of what is staged, and Names, are of one
// moment, also while other goroutines stage. The other figures are for the owner of the table, as
// Len is: Stats is a violation when Len is.
//
// Cost: the lock of what is staged, for a moment.
func (t *Table[R]) Stats() Stats { return (*core)(elem.Pointer(t)).stats() }

func (t *core) stats() Stats {
	rows := t.count()
	t.guard.CheckExists()
	s := Stats{Rows: rows, Room: max(t.room, t.fixed), Columns: len(t.columns), Chunks: t.chunksOf(t.len())}
	t.stage.lock.Lock()
	defer t.stage.lock.Unlock()
	s.Names = int(t.stage.names)
	s.Additions, s.Removals = t.stage.batch.rows.N, len(t.stage.batch.gone)
	return s
}
