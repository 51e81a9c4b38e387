package table

// Limit has a table refuse more rows than so many.
func (t *Table[R]) Limit(rows int) { t.core.limit = rows }

// Most returns how many rows the table can have.
func (t *Table[R]) Most() int { return t.core.limit }

// Cap returns the number of rows that the column has memory for.
func (c *Column[T]) Cap() int { return c.base.data.Cap }

// NamesCap returns the number of names that there is memory for.
func (t *Table[R]) NamesCap() int { return cap(*t.core.ids.data) }
