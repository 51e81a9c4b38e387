package table

import (
	"reflect"

	"example.com/custody/internal/phrase"
)

// String returns the type and name of the table, its number of rows, and the jobs that hold the
// table itself, which are loops over its rows and jobs that look rows up; see safety.Guard.Text.
// Its columns have String methods of their own. Any goroutine may call String at any time, and it
// is never a violation.
func (t *Table[R]) String() string {
	if t == nil {
		return "<nil>"
	}
	return t.guard.Text(t, t.rows)
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
func (c *Column[T]) String() string {
	switch {
	case c == nil:
		return "<nil>"
	case c.list == nil:
		return reflect.TypeFor[Column[T]]().String() + ": never made"
	}
	return c.list.String()
}

// String returns the type of the key, and the text of its table. In all else it is as
// [Table.String].
func (k *Key[K]) String() string {
	if k == nil {
		return "<nil>"
	}
	name := reflect.TypeFor[Key[K]]().String()
	if k.of == nil {
		return name + ": never made"
	}
	return name + " of " + k.of.guard.Text(nil, k.of.rows)
}
