package table

// Stats is the state of a [Table], and the work of the next Apply. It has no Bytes, as Stats of
// other packages have, because the memory of a row depends on the columns; see the doc of [Table].
// Room counts as Cap does in array.Stats and queue.Stats: it includes the rows that are there.
type Stats struct {
	// Rows is how many rows there are, as Table.Count says, and Room for how many there is memory: the places of a Fixed table.
	Rows, Room int
	// Columns and Chunks are how many there are of them. A DoubleColumn is two columns.
	Columns, Chunks int
	// Names is the most rows that have had names at one time, staged ones and those on their way here (Transfer) among them: for each there is a slot of
	// 8 bytes.
	Names int
	// Additions and Removals are how many are staged. A row that is transferred is a removal where it leaves, and then an addition where it comes. Those that loops stage (Table.Stage) are counted by Table.Apply alone.
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
