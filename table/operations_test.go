package table_test

import (
	"context"
	"errors"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/table"
)

var errUsual = errors.New("usual")

// operations are calls of the functions and methods of the package. A nil one uses no table, or is
// called by parallelfor alone.
var operations = map[string]func(w *house){
	"Changes.Forget":     func(w *house) { w.c.Forget() },
	"ChunkRows":          nil,
	"Column.All":         func(w *house) { each2(w.x.All()) },
	"Column.At":          func(w *house) { w.x.At(0) },
	"Column.Len":         func(w *house) { w.x.Len() },
	"Column.Reader":      func(w *house) { w.x.Reader() },
	"Column.Set":         func(w *house) { w.x.Set(0, 3) },
	"Column.Slice":       func(w *house) { w.x.Slice() },
	"Column.String":      func(w *house) { _ = w.x.String() },
	"Column.Writer":      func(w *house) { w.x.Writer() },
	"ColumnOf":           func(w *house) { table.ColumnOf(w.t, func(r *lodger) *int { return &r.New }) },
	"Discard":            nil,
	"DoubleColumn.Back":  func(w *house) { w.d.Back().Set(0, 3) },
	"DoubleColumn.Front": func(w *house) { w.d.Front().Set(0, 3) },
	"DoubleColumn.Swap":  func(w *house) { w.d.Swap() },
	"DoubleOf":           func(w *house) { table.DoubleOf(w.t, func(r *lodger) *int { return &r.New }) },
	"Fixed":              nil,
	"For":                func(w *house) { table.For(w.t.Rows().Changed(w.c), viewing{X: w.x.Reader()}, (*viewing).Execute) },
	"ForChunks":          func(w *house) { table.ForChunks(w.t.Rows(), w.x.Reader(), func(*array.Reader[int], int, int) {}) },
	"ForErr": func(w *house) {
		_ = table.ForErr(context.Background(), w.t.Rows(), w.x.Reader(), func(*array.Reader[int], int) error { return errUsual })
	},
	"ForChunksErr": func(w *house) {
		_ = table.ForChunksErr(context.Background(), w.t.Rows(), w.x.Reader(), func(*array.Reader[int], int, int) error { return errUsual })
	},
	"GrowBy":       nil,
	"ID.String":    func(w *house) { _ = w.id().String() },
	"Key.All":      func(w *house) { each2(w.k.All()) },
	"Key.At":       func(w *house) { w.k.At(0) },
	"Key.Find":     func(w *house) { w.k.Find(1) },
	"Key.Remove":   func(w *house) { w.k.Remove(1) },
	"Key.RowOf":    func(w *house) { w.k.RowOf(1) },
	"Key.String":   func(w *house) { _ = w.k.String() },
	"KeyOf":        func(w *house) { table.KeyOf(w.t, func(r *lodger) *int { return &r.Key }) },
	"Lookup.RowOf": func(w *house) { parallelfor.Do(w.t.Lookup(), func(l *table.Lookup) { l.RowOf(table.ID{}) }) },
	"Named":        nil,
	"New":          func(w *house) { table.New[lodger]() },
	"NewChanges":   func(w *house) { table.NewChanges(w.x) },
	"NewPipeline": func(w *house) {
		table.NewPipeline(w.t, table.Frame{Schedule: func() parallelfor.Handle { return parallelfor.Handle{} }})
	},
	"NewTag":           nil,
	"Over":             func(w *house) { table.Over(w.t) },
	"Pipeline.Close":   func(w *house) { w.p.Close() },
	"Pipeline.Finish":  func(w *house) { w.p.Finish() },
	"Pipeline.Running": func(w *house) { w.p.Running() },
	"Pipeline.Start":   func(w *house) { w.p.Start() },
	"Pipeline.Step":    func(w *house) { w.p.Step() },
	"Problem.Error":    func(w *house) { _ = table.Problem{ID: w.id(), Err: errUsual}.Error() },
	"Problem.Unwrap":   nil,
	"Query.All": func(w *house) {
		for range table.Over(w.t).All() {
			w.t.Len()
		}
	},
	"Query.With":    func(w *house) { table.Over(w.t).With(w.tag) },
	"Query.Without": func(w *house) { table.Over(w.t).Without(w.tag) },
	"Rows.Changed":  func(w *house) { w.t.Rows().Changed(w.c) },
	"Schedule":      func(w *house) { table.Schedule(w.t.Rows(), viewing{X: w.x.Reader()}, (*viewing).Execute).Complete() },
	"ScheduleChunks": func(w *house) {
		table.ScheduleChunks(w.t.Rows(), viewing{X: w.x.Reader()}, (*viewing).ExecuteBatch).Complete()
	},
	"ScheduleErr": func(w *house) {
		table.ScheduleErr(context.Background(), w.t.Rows(), viewingErr{X: w.x.Reader()}, (*viewingErr).Execute).Complete()
	},
	"ScheduleChunksErr": func(w *house) {
		table.ScheduleChunksErr(context.Background(), w.t.Rows(), viewingErr{X: w.x.Reader()}, (*viewingErr).ExecuteBatch).Complete()
	},
	"Stager.Add": func(w *house) { parallelfor.Do(w.t.Stager(), func(s *table.Stager[lodger]) { s.Add(lodger{Key: 60}) }) },
	"Stager.Remove": func(w *house) {
		id := w.id()
		parallelfor.Do(w.t.Stager(), func(s *table.Stager[lodger]) { s.Remove(id) })
	},
	"Table.Add":      func(w *house) { w.t.Add(lodger{Key: 61}) },
	"Table.AddAll":   func(w *house) { w.t.AddAll([]lodger{{Key: 62}, {Key: 63}}, nil) },
	"Table.All":      func(w *house) { each2(w.t.All()) },
	"Table.Apply":    func(w *house) { w.t.Apply() },
	"Table.Chunk":    func(w *house) { w.t.Chunk() },
	"Table.Count":    func(w *house) { w.t.Count() },
	"Table.Dispose":  func(w *house) { w.t.Dispose() },
	"Table.Disposed": func(w *house) { w.t.Disposed() },
	"Table.Get":      func(w *house) { w.t.Get(w.id()) },
	"Table.ID":       func(w *house) { w.t.ID(0) },
	"Table.IDs":      func(w *house) { w.t.IDs() },
	"Table.Len":      func(w *house) { w.t.Len() },
	"Table.Lookup":   func(w *house) { w.t.Lookup() },
	"Table.Name":     func(w *house) { w.t.Name() },
	"Table.Remove":   func(w *house) { w.t.Remove(w.id()) },
	"Table.RowOf":    func(w *house) { w.t.RowOf(w.id()) },
	"Table.Rows":     func(w *house) { w.t.Rows() },
	"Table.Set":      func(w *house) { w.t.Set(w.id(), lodger{X: 4}) },
	"Table.Stager":   func(w *house) { w.t.Stager() },
	"Table.Stats":    func(w *house) { w.t.Stats() },
	"Table.String":   func(w *house) { _ = w.t.String() },
	"Table.Sweep":    func(w *house) { w.t.Sweep(func(row int) bool { return row != 1 }) },
	"Table.Tag":      func(w *house) { w.t.Tag(w.tag) },
	"Table.Tagged":   func(w *house) { w.t.Tagged(w.tag) },
	"Table.Untag":    func(w *house) { w.t.Untag(w.tag) },
	"Tag.String":     nil,
	"Transfer":       func(w *house) { table.Transfer(w.t, w.id(), w.o.t) },
}

func each2[K, V any](all func(yield func(K, V) bool)) {
	for range all {
		continue
	}
}
