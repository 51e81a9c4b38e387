package table

import (
	"reflect"

	"example.com/custody/internal/phrase"
)

// This file is what %v prints of a table and of what belongs to one. No rows: whoever has the table may be changing them.

// String says what the table is now: its type and name, how many rows it has, and who holds the table itself, which is who
// looks rows up; see safety.Guard.Text. Its columns speak for themselves. It may be called by any goroutine at any time and is never a violation.
func (t *Table[R]) String() string {
	if t == nil {
		return "<nil>"
	}
	return t.guard.Text(t, t.rows)
}

// rows says how many there are.
func (t *core) rows() string {
	rows := phrase.Amount(int(t.count.Load()), "row")
	if t.fixed > 0 {
		rows += " in " + phrase.Amount(t.fixed, "place")
	}
	return rows
}

// String says what the column is now: its type and name, how many elements it has, and who holds it. In all else it is as [Table.String].
func (c *Column[T]) String() string {
	switch {
	case c == nil:
		return "<nil>"
	case c.list == nil:
		return reflect.TypeFor[Column[T]]().String() + ": never made"
	}
	return c.list.String()
}

// String says what the column is now, of both buffers. In all else it is as [Table.String].
func (c *DoubleColumn[T]) String() string {
	switch {
	case c == nil:
		return "<nil>"
	case c.lists == nil:
		return reflect.TypeFor[DoubleColumn[T]]().String() + ": never made"
	}
	return c.lists.String()
}

// String says whose key it is, and what that table is now. In all else it is as [Table.String].
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
