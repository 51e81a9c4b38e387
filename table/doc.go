// Package table holds rows of several columns, as simulations and games keep them. Each column is a
// slice of its own, so a loop touches only what it needs, and jobs over different columns run side
// by side.
//
//	bodies := table.New[Body]()
//	pos := table.ColumnOf(bodies, func(b *Body) *Vec { return &b.Pos }, table.Named("pos"))
//	vel := table.ColumnOf(bodies, func(b *Body) *Vec { return &b.Vel }, table.Named("vel"))
//	id := bodies.Add(Body{...}) // staged: from any goroutine, while jobs run
//	bodies.Apply()              // between them
//	type move struct {
//		Pos array.Writer[Vec]
//		Vel array.Reader[Vec]
//	}
//	table.For(bodies.Rows(), move{Pos: pos.Writer(), Vel: vel.Reader()}, (*move).Execute)
//
// By task:
//
//   - make a table: [New], [ColumnOf], [DoubleOf] for a front and a back, [KeyOf], [Fixed]
//   - add and remove rows: [Table.Add], [Table.Remove], [Table.Apply]; from the bodies of a loop
//     [Table.Stager]; dead ones [Table.Sweep]; to another table [Transfer]
//   - find rows: [Table.RowOf] and [Table.ID], [Key.Find]; in a job [Table.Lookup] and [Table.IDs]
//   - loop over rows: [For], [ForChunks] and their forms; over what has changed [Rows.Changed]
//   - run frames: [NewPipeline]; choose tables by tags: [Over]
//
// A row is a struct of type R outside the table, and one element of each column in it. Rows are
// numbered 0 to Len-1, without gaps, and move when others are removed. In a [Fixed] table the
// numbers are places, some of them without a row, and rows stay. An [ID] is the name of a row as
// long as it is in the table. A chunk is a fixed number of neighbouring rows, 1024 unless
// [ChunkRows] sets it: the batch of a loop. It has a version in each column, which grows when the
// chunk is written.
//
// Guarantees of the functions (consistency, progress, cost, allocations; docs/consistency.md):
//
//	For[Err], ForChunks[Err]   sequential     waits: for the loop  O(chunks)   once warm never
//	Schedule[Err]              scheduled      lock                 O(views)    once warm one
//	ScheduleChunks[Err]        scheduled      lock                 O(views)    once warm one
//	Transfer                   staged         lock                 O(1)        growth
//	New                        new            wait-free            O(1)        the table
//	ColumnOf, DoubleOf, KeyOf  owner changes  lock                 O(columns)  the column
//	NewChanges                 new            wait-free            O(columns)  some
//	Over                       constant       wait-free            O(tables)   the list
//	ChunkRows, Fixed, GrowBy   option         wait-free            O(1)        one, or none
//
// # Invariants
//
//	(T1) Every column, and the list ids, has an element for each row, or for each fixed place.
//	(T2) If slots[id.slot] has a row and the generation id.gen, ids[row] is id: the row has that
//	     name. Slots change in Apply alone, so jobs may look names up.
//	(T3) What is staged lies behind the lock of the stage until Apply takes it as a whole. What a
//	     loop stages lies in its lanes until the loop is sealed, and then in requests.
//	(T4) The version of a chunk is that of the last loop or change that may have written it. A loop
//	     with a Writer of the column stamps the chunks that it enters, each in the chunk's own
//	     batch. A job that may write other rows stamps all chunks at its end.
//
// Map:
//
//	table.go         Table, its options, and what its owner does with rows
//	column.go        Column; doublecolumn.go two that change places; field.go their fields in rows
//	id.go            names of rows, and Lookup
//	key.go           Key
//	stage.go         what is staged; stager.go what loops stage
//	apply.go         Apply; judge.go decides on each request; transfer.go rows for another table
//	fixed.go         tables with a fixed number of places
//	for.go           loops; rows.go what they run over; walk.go ranges; changes.go what has changed
//	pipeline.go      frames
//	tags.go          tags, and queries of several tables
//	calls.go         one call of the owner at a time; Dispose
//	made.go          violations of what was not made, or copied
//	stats.go         Stats and String
package table
