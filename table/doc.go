// Package table holds rows of several columns, as simulations and games keep them: each column is a slice of its own, so a loop touches only
// what it needs, and jobs over different columns run side by side.
//
//	bodies := table.New[Body]()
//	pos := table.ColumnOf(bodies, func(b *Body) *Vec { return &b.Pos }, table.Named("pos"))
//	vel := table.ColumnOf(bodies, func(b *Body) *Vec { return &b.Vel }, table.Named("vel"))
//	id := bodies.Add(Body{...}) // staged: from any goroutine, while jobs run
//	bodies.Apply()              // between them
//	table.For(bodies.Rows(), move{pos.Writer(), vel.Reader()}, (*move).Execute)
//
// Terms: a row is a struct of type R outside the table, and one element of each column in it. Rows are numbered 0 to Len-1, without gaps, and
// move when others are removed; in a [Fixed] table the numbers are places, some of them without a row, and rows stay. An [ID] is a row's name for life. A chunk is a fixed number of neighbouring rows: what a loop is cut into, and
// what has a version in each column, that grows when it is written.
//
// What each method guarantees, whom it may wait for and what it allocates: docs/consistency.md#table.
//
// # Invariants
//
//	(T1) Every column has as many elements as there are rows, and so have the names.
//	(T2) slots[id.slot].row is the row whose name is id, if the generations are equal, and ids[row] is its name. Slots change in Apply alone,
//	     so jobs may look names up.
//	(T3) What is staged lies behind the lock of the stage and is nobody's else, until Apply takes it as a whole.
//	(T4) A chunk's version is that of the last loop or change that may have written it. A loop whose view of a column has the rows of its own
//	     indices stamps the chunks that it enters, in its own batches; no two batches share a chunk. One that may write others stamps all, at its end.
//
// Map:
//
//	table.go         Table, and what its owner does with rows
//	id.go            names of rows
//	stage.go         staged requests; stager.go those of jobs; requests.go keeps these until Apply
//	apply.go         Apply; judge.go decides on each request
//	calls.go         one call of the owner at a time; Dispose
//	key.go           rows by keys of the program
//	ranges.go        ranges over rows
//	fixed.go         tables with a fixed number of places
//	column.go        columns; doublecolumn.go two that change places
//	value.go         values that all rows share
//	rows.go          loops; funcs.go loops over functions; fallible.go loops that may fail
//	made.go          violations of what was not made, or copied
//	lookup.go        names in jobs
//	changes.go       versions of chunks
//	transfer.go      rows that go to another table
//	tags.go          sets of tables
//	pipeline.go      frames
//	stats.go         Stats; string.go String
package table
