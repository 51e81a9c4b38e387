package table_test

import (
	"context"
	"iter"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/table"
)

type lodger struct{ Key, X, D, New int }

// house is a table with everything that a table can have, and a function for guests to call.
type house struct {
	t      *table.Table[lodger]
	x      *table.Column[int]
	d      *table.DoubleColumn[int]
	k      *table.Key[int]
	p      *table.Pipeline
	c      *table.Changes
	o      *house // with another table
	tag    *table.Tag
	inside func()
}

// newHouse returns a house. A bare house has no rows and no key.
func newHouse(bare bool) *house {
	w := &house{t: table.New[lodger](table.Named("house"), table.ChunkRows(2)), tag: table.NewTag("tag")}
	w.x = table.ColumnOf(w.t, func(r *lodger) *int { return &r.X }, table.Named("x"))
	w.d = table.DoubleOf(w.t, func(r *lodger) *int { return &r.D }, table.Named("d"))
	w.c = table.NewChanges(w.x)
	w.p = w.pipeline(table.Frame{})
	if bare {
		w.o = newHouse(false)
		w.k = w.o.k
		return w
	}
	w.k = table.KeyOf(w.t, func(r *lodger) *int { return &r.Key })
	for i := range 5 {
		w.t.Add(lodger{Key: i, X: 10 * i})
	}
	w.t.Apply()
	w.o = &house{t: table.New[lodger](table.Named("other"))}
	return w
}

// pipeline gives the house a new pipeline with the stages.
func (w *house) pipeline(s table.Frame) *table.Pipeline {
	if s.Schedule == nil {
		s.Schedule = func() parallelfor.Handle {
			return table.Schedule(w.t.Rows(), viewing{X: w.x.Reader()}, (*viewing).Execute)
		}
	}
	w.p = table.NewPipeline(w.t, s)
	return w.p
}

// id returns the name of the first row, if there is one.
func (w *house) id() (id table.ID) {
	if w.t.Len() > 0 {
		id = w.t.ID(0)
	}
	return id
}

// end finishes the frame that runs, and requires that the table is whole, unless it was disposed.
func (w *house) end(t *testing.T) {
	if w.t.Disposed() {
		return
	}
	w.inside = func() {}
	w.p.Finish()
	w.t.Sweep(nil)
	w.t.Add(lodger{Key: 1000, X: 7})
	w.t.Apply()
	require.Equal(t, w.t.Len(), w.x.Len())
	require.Equal(t, w.t.Len(), w.d.Front().Len())
	came := false
	for id, row := range w.t.All() {
		at, ok := w.t.RowOf(id)
		require.True(t, ok)
		require.Equal(t, row.X, w.x.At(at))
		came = came || row.X == 7
	}
	require.True(t, came)
	w.t.Dispose()
}

// viewing is a job that reads a column and calls Inside.
type viewing struct {
	X      array.Reader[int]
	Inside func() `custody:"unguarded"`
}

func (v *viewing) call() {
	if v.Inside != nil {
		v.Inside()
	}
}

func (v *viewing) Execute(int)           { v.call() }
func (v *viewing) ExecuteBatch(int, int) { v.call() }

// viewingErr is a viewing whose methods return errors.
type viewingErr viewing

func (v *viewingErr) Execute(int) error           { return nil }
func (v *viewingErr) ExecuteBatch(int, int) error { return nil }

// guest is a function of the program that the package calls.
type guest struct {
	of            string // the function or type that takes it, and its name there
	where         string // the call that runs it, if there are several
	running, name string // of that call and of it in texts; "": the table may change meanwhile
	bare, job     bool   // it is called before there are rows; it is called by a job
	call          func(w *house)
}

func (w *house) body(v *array.Reader[int], i int)              { w.inside() }
func (w *house) bodyErr(v *array.Reader[int], i int) error     { w.inside(); return nil }
func (w *house) chunk(v *array.Reader[int], b, e int)          { w.inside() }
func (w *house) chunkErr(v *array.Reader[int], b, e int) error { w.inside(); return nil }

func (w *house) field(r *lodger) *int  { w.inside(); return &r.New }
func (w *house) ownKey(r *lodger) *int { w.inside(); return &r.Key }

var guests = []guest{
	{of: "ColumnOf field", running: "table.ColumnOf", name: "the function that finds the field", bare: true, call: func(w *house) { table.ColumnOf(w.t, w.field) }},
	{of: "DoubleOf field", running: "table.DoubleOf", name: "the function that finds the field", bare: true, call: func(w *house) { table.DoubleOf(w.t, w.field) }},
	{of: "KeyOf key", running: "table.KeyOf", name: "the function that finds the field", bare: true, call: func(w *house) { table.KeyOf(w.t, w.ownKey) }},
	{of: "Table.Sweep alive", running: "Table.Apply", name: "the predicate of Sweep", call: func(w *house) {
		w.t.Sweep(func(int) bool { w.inside(); return true })
		w.t.Apply()
	}},
	{of: "Table.Sweep alive", where: ", while a pipeline gathers", running: "Pipeline.Start", name: "Gather and the predicate of Sweep", call: func(w *house) {
		gathers := false
		w.t.Sweep(func(int) bool {
			if gathers {
				w.inside()
			}
			return true
		})
		w.pipeline(table.Frame{Applied: func(table.Report) { gathers = true }, Gather: eachRow(func(int) {})}).Start()
		gathers = false
	}},
	{of: "Frame Applied", running: "Pipeline.Start", name: "Applied", call: func(w *house) {
		w.pipeline(table.Frame{Applied: func(table.Report) { w.inside() }}).Start()
	}},
	{of: "Frame Gather", running: "Pipeline.Step", name: "Gather", call: func(w *house) {
		w.pipeline(table.Frame{Gather: func(iter.Seq[int]) { w.inside() }}).Step()
	}},
	{of: "Frame Gather", where: " of a row", running: "Pipeline.Step", name: "Gather", call: func(w *house) {
		w.pipeline(table.Frame{Gather: eachRow(func(int) { w.inside() })}).Step()
	}},
	{of: "Frame Schedule", running: "Pipeline.Step", name: "Schedule", call: func(w *house) {
		w.pipeline(table.Frame{Schedule: func() parallelfor.Handle { w.inside(); return parallelfor.Handle{} }}).Step()
	}},
	{of: "Frame HandBack", running: "Pipeline.Finish", name: "HandBack", call: func(w *house) {
		w.pipeline(table.Frame{HandBack: func(iter.Seq[int]) { w.inside() }}).Start()
		w.p.Finish()
	}},
	{of: "Frame HandBack", where: " of a row", running: "Pipeline.Finish", name: "HandBack", call: func(w *house) {
		w.pipeline(table.Frame{HandBack: eachRow(func(int) { w.inside() })}).Start()
		w.p.Finish()
	}},
	{of: "Query.All body", call: func(w *house) {
		for range table.Over(w.t).All() {
			w.inside()
		}
	}},
	{of: "Table.All body", call: func(w *house) {
		for range w.t.All() {
			w.inside()
		}
	}},
	{of: "Key.All body", call: func(w *house) {
		for range w.k.All() {
			w.inside()
		}
	}},
	{of: "Column.All body", call: func(w *house) {
		for range w.x.All() {
			w.inside()
		}
	}},
	{of: "For body", job: true, call: func(w *house) { table.For(w.t.Rows(), w.x.Reader(), w.body, parallelfor.Sequential()) }},
	{of: "Schedule body", where: " of a frame", job: true, call: func(w *house) {
		w.pipeline(table.Frame{Schedule: func() parallelfor.Handle {
			return table.Schedule(w.t.Rows(), viewing{w.x.Reader(), w.inside}, (*viewing).Execute, parallelfor.Workers(1))
		}}).Start()
		w.p.Finish()
	}},
	{of: "ForChunks body", job: true, call: func(w *house) { table.ForChunks(w.t.Rows(), w.x.Reader(), w.chunk, parallelfor.Sequential()) }},
	{of: "ForErr body", job: true, call: func(w *house) {
		_ = table.ForErr(context.Background(), w.t.Rows(), w.x.Reader(), w.bodyErr, parallelfor.Sequential())
	}},
	{of: "ForChunksErr body", job: true, call: func(w *house) {
		_ = table.ForChunksErr(context.Background(), w.t.Rows(), w.x.Reader(), w.chunkErr, parallelfor.Sequential())
	}},
	{of: "Schedule body", job: true, call: func(w *house) {
		table.Schedule(w.t.Rows(), w.x.Reader(), w.body, parallelfor.Workers(1)).Complete()
	}},
	{of: "ScheduleChunks body", job: true, call: func(w *house) {
		table.ScheduleChunks(w.t.Rows(), w.x.Reader(), w.chunk, parallelfor.Workers(1)).Complete()
	}},
	{of: "ScheduleErr body", job: true, call: func(w *house) {
		table.ScheduleErr(context.Background(), w.t.Rows(), w.x.Reader(), w.bodyErr, parallelfor.Workers(1)).Complete()
	}},
	{of: "ScheduleChunksErr body", job: true, call: func(w *house) {
		table.ScheduleChunksErr(context.Background(), w.t.Rows(), w.x.Reader(), w.chunkErr, parallelfor.Workers(1)).Complete()
	}},
}

// changing are the calls of which a table has one at a time.
var changing = []string{"Table.Apply", "Table.Dispose", "Table.Sweep", "Table.Tag", "Table.Untag", "ColumnOf", "DoubleOf", "KeyOf",
	"Pipeline.Start", "Pipeline.Step", "Pipeline.Finish", "Pipeline.Close"}
