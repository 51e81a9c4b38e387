package main

import (
	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
	"example.com/custody/table"
)

// These misuse tables: rows that come and go between jobs, and columns that jobs share out among them.

const (
	tableName  = `table.Table[[3]float64] "bodies"`
	columnX    = `table.Column[float64] "x"`
	sharedName = `table.Value[float64] "wind"`
)

var tables = []misuse{
	{"staged rows are applied while a loop over the table was not completed", appliesAmid, safety.Violation{Kind: safety.ErrInFlight,
		Container: tableName, OtherJob: "fly", OtherField: "Rows", Made: somewhere, Scheduled: somewhere}, checked},
	{"the owner reads a column that a loop writes", readsAmid, safety.Violation{Kind: safety.ErrInFlight,
		Container: columnX, OtherJob: "fly", OtherField: "X", Made: somewhere, Scheduled: somewhere}, checked},
	{"two loops over one table write a column and were not ordered", fliesTwice, safety.Violation{Kind: safety.ErrConflict,
		Container: columnX, Job: "drift", Field: "X", OtherJob: "fly", OtherField: "X", Made: somewhere, Scheduled: somewhere}, checked},
	{"a value that rows share is changed while a loop reads it", windAmid, safety.Violation{Kind: safety.ErrInFlight,
		Container: sharedName, OtherJob: "blow", OtherField: "Wind", Made: somewhere, Scheduled: somewhere}, checked},
	{"a loop by chunks writes the first row of the next chunk", nextChunk, safety.Violation{Kind: safety.ErrWriteRange,
		Container: columnX, Job: "fly", Field: "X", Index: 2, Min: 0, Max: 2, Length: 4, Made: somewhere}, always},
	{"a row is asked for that a table does not have", noSuchRow, safety.Violation{Kind: safety.ErrIndex,
		Container: columnX, Index: 4, Max: 4, Length: 4, Made: somewhere}, checked},
	{"rows are staged in a table that has ended", stagesAfter, safety.Violation{Kind: safety.ErrDisposed,
		Container: tableName, Made: somewhere}, checked},
	{"a column is made after rows were staged", lateColumn, safety.Violation{Kind: safety.ErrArgument,
		Container: tableName, Made: somewhere}, always},
	{"rows are to have a second key", secondKey, safety.Violation{Kind: safety.ErrArgument,
		Container: tableName, Made: somewhere}, always},
	{"a row is to go from a table to the same one", transferHere, safety.Violation{Kind: safety.ErrArgument,
		Container: tableName, Made: somewhere}, always},
	{"a loop over changes has no view of the column that changes", unseenChanges, safety.Violation{Kind: safety.ErrArgument,
		Container: columnX, Job: "fly", Made: somewhere}, always},
	{"rows are looked up by a view that no job carries", lookupOutside, safety.Violation{Kind: safety.ErrStaleView,
		Container: tableName, Made: somewhere}, always},
}

// body is x, y, and a number.
type body = [3]float64

type world struct {
	bodies *table.Table[body]
	x, y   *table.Column[float64]
}

func newWorld() world {
	w := world{bodies: table.New[body](table.Called("bodies"), table.ChunkRows(2))}
	w.x = table.ColumnOf(w.bodies, func(b *body) *float64 { return &b[0] }, table.Named("x"))
	w.y = table.ColumnOf(w.bodies, func(b *body) *float64 { return &b[1] }, table.Named("y"))
	return w
}

// fullWorld returns a world with four bodies.
func fullWorld() world {
	w := newWorld()
	w.bodies.AddAll(make([]body, 4), nil)
	w.bodies.Apply()
	return w
}

type fly struct{ X array.Writer[float64] }

func (j *fly) Execute(row int) { j.X.Set(row, j.X.At(row)+1) }

type blow struct {
	Wind table.ValueReader[float64]
	X    array.Writer[float64]
}

func (j *blow) Execute(row int) { j.X.Set(row, j.X.At(row)+j.Wind.Get()) }

// The rows of a table stay where they are as long as loops run over them: Apply is for between them, and Add for any time.
func appliesAmid() {
	w := fullWorld()
	h := table.Schedule(w.bodies.Rows(), fly{w.x.Writer()}, parallelfor.Inline())
	defer h.Complete()
	w.bodies.Add(body{5})
	w.bodies.Apply() // before h.Complete()
}

// A column is held by the loops that have views of it, and by no others.
func readsAmid() {
	w := fullWorld()
	h := table.Schedule(w.bodies.Rows(), fly{w.x.Writer()}, parallelfor.Inline())
	defer h.Complete()
	_ = w.x.At(0)
}

// Loops over different columns run side by side. These are over the same one, and the second only looks at it: as a Reader it would still have to
// come after the first.
func fliesTwice() {
	w := fullWorld()
	first := table.Schedule(w.bodies.Rows(), fly{w.x.Writer()}, parallelfor.Inline())
	defer first.Complete()
	table.Run(w.bodies.Rows(), fly{w.x.Writer()}, parallelfor.Name("drift")) // no parallelfor.After(first)
}

// What all rows share belongs to the loops that read it until they are completed.
func windAmid() {
	w := fullWorld()
	wind := table.ValueOf(w.bodies, 0.5, table.Named("wind"))
	h := table.Schedule(w.bodies.Rows(), blow{wind.Reader(), w.x.Writer()}, parallelfor.Inline())
	defer h.Complete()
	wind.Set(0)
}

// A loop by chunks owns the rows of its chunk. What a body leaves for another row goes through a loop of its own, or a container to add to.
func nextChunk() {
	w := fullWorld()
	table.ForChunks(w.bodies.Rows(), fly{w.x.Writer()}, func(j *fly, begin, end int) { j.X.Set(end, 1) },
		parallelfor.Name("fly"), parallelfor.Sequential())
}

// Rows are numbered from 0. A row moves when others are removed; its ID finds it wherever it is.
func noSuchRow() {
	w := fullWorld()
	_ = w.x.At(4)
}

// Whoever stages must have stopped before the table ends, or learns that it has.
func stagesAfter() {
	w := fullWorld()
	w.bodies.Dispose()
	w.bodies.Add(body{})
}

// Columns come first, so that every row has them all.
func lateColumn() {
	w := newWorld()
	w.bodies.Add(body{})
	table.ColumnOf(w.bodies, func(b *body) *float64 { return &b[2] })
}

// Rows are found by one key of the program's own. Of two fields make a struct.
func secondKey() {
	w := newWorld()
	table.KeyOf(w.bodies, func(b *body) *float64 { return &b[2] })
	table.KeyOf(w.bodies, func(b *body) *float64 { return &b[0] })
}

// A row goes from one table to another of the same rows.
func transferHere() {
	w := fullWorld()
	table.Transfer(w.bodies, w.bodies.ID(0), w.bodies)
}

// A loop over the changes of a column reads or writes the column: otherwise another loop might change it meanwhile.
func unseenChanges() {
	w := fullWorld()
	changes := table.Changed(w.x)
	table.Run(w.bodies.Rows().Changed(changes), fly{w.y.Writer()})
}

// The view of names is for jobs. Outside of them Row of the table is there.
func lookupOutside() {
	w := fullWorld()
	names := w.bodies.Lookup()
	names.Row(w.bodies.ID(0))
}
