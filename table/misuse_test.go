package table_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/arraylaw"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
	"example.com/custody/table"
)

// Every use of a value that was never made is a violation, at every level of checks.
func TestWhatWasNeverMade(t *testing.T) {
	var none *table.Table[body]
	b := newBodies(1)
	field := func(r *body) *int { return &r.Pos }
	schedule := table.Frame{Schedule: func() parallelfor.Handle { return parallelfor.Handle{} }}
	for name, use := range map[string]func(){
		"changes of nil":                func() { table.NewChanges(nil) },
		"changes of a nil column":       func() { table.NewChanges(b.pos, (*table.Column[int])(nil)) },
		"changes of no column of New":   func() { table.NewChanges(new(table.Column[int])) },
		"a nil Changes":                 func() { (*table.Changes)(nil).Forget() },
		"a column of nil":               func() { table.ColumnOf(none, field) },
		"two buffers of nil":            func() { table.DoubleOf(none, field) },
		"a key of nil":                  func() { table.KeyOf(none, field) },
		"a transfer from nil":           func() { table.Transfer(none, table.ID{}, b.t) },
		"a transfer to nil":             func() { table.Transfer(b.t, b.t.ID(0), none) },
		"a pipeline of nil":             func() { table.NewPipeline(nil, schedule) },
		"a pipeline of a nil table":     func() { table.NewPipeline(none, schedule) },
		"a query over nil":              func() { table.Over(b.t, nil) },
		"a query over a nil table":      func() { table.Over(none) },
		"a query over no table of New":  func() { table.Over(new(table.Table[body])) },
		"the length of no table of New": func() { new(table.Table[body]).Len() },
		"a loop over no table of New":   func() { table.For(new(table.Table[body]).Rows(), b.moving(), (*moving).Execute) },
		"the length of no column":       func() { new(table.Column[int]).Len() },
		"an element of a nil column":    func() { (*table.Column[int])(nil).At(0) },
		"no column is set":              func() { new(table.Column[int]).Set(0, 1) },
		"the elements of no column":     func() { new(table.Column[int]).Slice() },
		"no two columns change places":  func() { new(table.DoubleColumn[int]).Swap() },
		"an element of no two columns":  func() { new(table.DoubleColumn[int]).Front().At(0) },
		"a row by no key":               func() { new(table.Key[int]).RowOf(1) },
		"a name by a nil key":           func() { (*table.Key[int])(nil).Find(1) },
		"the key of a row by no key":    func() { new(table.Key[int]).At(0) },
		"a removal by no key":           func() { new(table.Key[int]).Remove(1) },
		"a step of no pipeline":         func() { new(table.Pipeline).Step() },
		"a start of a nil pipeline":     func() { (*table.Pipeline)(nil).Start() },
		"a finish of no pipeline":       func() { new(table.Pipeline).Finish() },
		"a frame of no pipeline":        func() { new(table.Pipeline).Running() },
		"a frame of a nil pipeline":     func() { (*table.Pipeline)(nil).Running() },
		"the end of no pipeline":        func() { new(table.Pipeline).Close() },
		"the end of a nil pipeline":     func() { (*table.Pipeline)(nil).Close() },
	} {
		v := arraylaw.Breaks(t, safety.ErrUnassigned, use, name)
		require.NotEmpty(t, v.Error(), name)
	}
	for text, use := range map[string]func(){
		"a table.Column[int] was used": func() { new(table.Column[int]).At(0) },
		"a table.Key[int] was used":    func() { new(table.Key[int]).Find(0) },
		"a table.Pipeline was used":    func() { new(table.Pipeline).Step() },
	} {
		require.ErrorContains(t, arraylaw.Breaks(t, safety.ErrUnassigned, use), text+" that was never made")
	}
	require.Equal(t, "<nil>", (*table.Tag)(nil).String())
	require.Equal(t, 1, b.t.Len(), "nothing has happened")
	require.Empty(t, b.t.Apply().Problems)
}

// A function that finds no field in a zero row is refused where it is passed, and not in the first
// Apply.
func TestFunctionsThatFindNoField(t *testing.T) {
	boom := func(*held) *int { panic(errors.New("boom")) }
	for text, field := range map[string]func(r *held) *int{
		"returns nil for a zero row": func(r *held) *int { return nil },
		"panics for a zero row":      func(r *held) *int { return &r.Item.pos },
		"boom":                       boom,
	} {
		tab := table.New[held](table.Named("rows"))
		for what, made := range map[string]func(){
			"a column": func() { table.ColumnOf(tab, field) },
			"a Key":    func() { table.KeyOf(tab, field) },
		} {
			v := arraylaw.Breaks(t, safety.ErrArgument, made, text)
			require.ErrorContains(t, v, text)
			require.ErrorContains(t, v, what+` of table.Table`)
			require.ErrorContains(t, v, "a pointer into the row")
		}
		arraylaw.Breaks(t, safety.ErrArgument, func() { table.DoubleOf(tab, field) })
		tab.Add(held{})
		require.Equal(t, 1, tab.Apply().Added, "it has no column and no key")
	}
}

// Each column has elements of its own, so columns with a common byte of the row would drift apart.
func TestColumnsHaveNoByteInCommon(t *testing.T) {
	type part struct {
		A, B int
		None struct{}
	}
	type row struct {
		Part part
		C    int
	}
	first := map[string]func(tab *table.Table[row]){
		"the field": func(tab *table.Table[row]) {
			table.ColumnOf(tab, func(r *row) *int { return &r.Part.B }, table.Named("first"))
		},
		"a struct": func(tab *table.Table[row]) {
			table.ColumnOf(tab, func(r *row) *part { return &r.Part }, table.Named("first"))
		},
		"the row": func(tab *table.Table[row]) { table.ColumnOf(tab, func(r *row) *row { return r }, table.Named("first")) },
		"buffers": func(tab *table.Table[row]) {
			table.DoubleOf(tab, func(r *row) *int { return &r.Part.B }, table.Named("first"))
		},
	}
	b := func(r *row) *int { return &r.Part.B }
	for name, made := range first {
		for text, again := range map[string]func(tab *table.Table[row]){
			`a column "second" of `: func(tab *table.Table[row]) { table.ColumnOf(tab, b, table.Named("second")) },
			"a column of ":          func(tab *table.Table[row]) { table.ColumnOf(tab, func(r *row) *part { return &r.Part }) },
			`a column "both" of `:   func(tab *table.Table[row]) { table.DoubleOf(tab, b, table.Named("both")) },
		} {
			tab := table.New[row](table.Named("rows"))
			made(tab)
			v := arraylaw.Breaks(t, safety.ErrArgument, func() { again(tab) }, name)
			require.ErrorContains(t, v, text+`table.Table[example.com/custody/table_test.row`, name)
			require.ErrorContains(t, v, `"first" has, or has a part of.`+"\n\tUse that column", name)
		}
	}
	tab := table.New[row]()
	table.DoubleOf(tab, b)
	table.ColumnOf(tab, func(r *row) *int { return &r.Part.A })
	table.ColumnOf(tab, func(r *row) *int { return &r.C })
	for range 2 {
		table.ColumnOf(tab, func(r *row) *struct{} { return &r.Part.None })
	}
	tab.Add(row{C: 1})
	require.Equal(t, 1, tab.Apply().Added)
}

func TestMisuseOfQueries(t *testing.T) {
	b, c := newBodies(3), newBodies(3)
	q := table.Over(b.t, c.t)
	arraylaw.Breaks(t, safety.ErrArgument, func() { q.With(nil) })
	arraylaw.Breaks(t, safety.ErrArgument, func() { q.Without(table.NewTag("x"), nil) })
}

// Forget is refused while a loop uses the Changes.
func TestForgettingDuringALoop(t *testing.T) {
	lawtest.CheckedOnly(t)
	b := newBodies(10)
	changes := table.NewChanges(b.pos)
	begun, end := make(chan bool, 3), make(chan bool)
	h := table.Schedule(b.t.Rows().Changed(changes), waiting{b.pos.Reader(), begun, end}, (*waiting).Execute, parallelfor.Workers(2))
	done := make(chan bool)
	go func() { defer close(done); h.Complete() }()
	<-begun
	v := arraylaw.Breaks(t, safety.ErrInFlight, changes.Forget)
	require.ErrorContains(t, v, `"bodies"`)
	close(end)
	<-done
	changes.Forget()
	require.Equal(t, []int{0}, seen(b, b.pos, changes))
}
