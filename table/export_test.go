package table

import "example.com/custody/array"

// Limit has a table refuse more rows than so many.
func (t *Table[R]) Limit(rows int) { t.limit = rows }

// Most returns how many rows the table can have.
func (t *Table[R]) Most() int { return t.limit }

// Cap returns for how many rows the column has memory.
func (c *Column[T]) Cap() int { return c.list.Cap() }

// Caps returns for how many rows there is memory in either buffer.
func (c *DoubleColumn[T]) Caps() (caps []int) {
	c.lists.Both(func(l *array.List[T]) { caps = append(caps, l.Cap()) })
	return caps
}

// NamesCap returns for how many rows' names there is memory.
func (t *Table[R]) NamesCap() int { return t.ids.Cap() }
