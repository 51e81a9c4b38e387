package table

// Stats is the state of a [Table], and the work of the next Apply. It has no Bytes, as Stats of
// other packages have, because the memory of a row depends on the columns; see the doc of [Table].
// Room counts as Cap does in array.ListStats and queue.Stats: it includes the rows that are there.
type Stats struct {
	// Rows is the number of rows, as Table.Count returns it. Room is the number that there is memory
	// for: in a Fixed table, the places.
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
func (t *Table[R]) Stats() Stats {
	rows := t.Count()
	t.guard.CheckExists()
	s := Stats{Rows: rows, Room: max(t.room, t.fixed), Columns: len(t.columns), Chunks: t.chunksOf(t.Len())}
	t.stage.lock.Lock()
	defer t.stage.lock.Unlock()
	s.Names = int(t.stage.names)
	s.Additions, s.Removals = len(t.stage.batch.rows), len(t.stage.batch.gone)
	return s
}
