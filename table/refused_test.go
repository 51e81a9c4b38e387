package table_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/custodytest"
	"example.com/custody/internal/arraylaw"
	"example.com/custody/safety"
	"example.com/custody/table"
)

// standing reads a column, and does nothing with it.
type standing struct{ At array.Reader[int] }

func (s *standing) Execute(int) {}

// What is refused leaves nothing behind: no container that nobody could dispose, and no column or value.
func TestWhatIsRefusedLeavesNothing(t *testing.T) {
	custodytest.NoLeaks(t)
	x := func(b *body) *int { return &b.Pos }
	for _, opts := range [][]table.Option{nil, {table.Fixed(10)}} {
		tab := table.New[body](opts...)
		h := table.Named("x")
		c := table.ColumnOf(tab, x, h)
		table.ValueOf(tab, 1, h)
		refused := func(kind error, what string, uses ...func()) {
			t.Helper()
			for i, use := range uses {
				require.ErrorIs(t, arraylaw.Breaks(t, kind, use), kind, "%s, %d", what, i)
			}
			require.Equal(t, 1, tab.Stats().Columns, what)
		}
		column := func(opts ...table.ColumnOption) func() { return func() { table.ColumnOf(tab, x, opts...) } }
		double := func(opts ...table.ColumnOption) func() { return func() { table.DoubleOf(tab, x, opts...) } }
		value := func(opts ...table.Naming) func() { return func() { table.ValueOf(tab, 1, opts...) } }
		refused(safety.ErrArgument, "a name twice", column(h), double(table.Discard(), h), value(h))
		refused(safety.ErrArgument, "a nil option", column(h, nil), double(nil))
		refused(safety.ErrArgument, "no field", func() { table.ColumnOf[int](tab, nil) }, func() { table.DoubleOf(tab, func(*body) *int { return nil }) })
		if safety.Enabled {
			held := table.Schedule(tab.Rows(), standing{c.Reader()}, (*standing).Execute)
			refused(safety.ErrInFlight, "a loop holds the table", column(), double(), value())
			held.Complete()
		}
		tab.Add(body{})
		refused(safety.ErrArgument, "rows are staged", column(), double())
		tab.Dispose()
		if safety.Enabled {
			for _, use := range []func(){column(), double(), value()} {
				arraylaw.Breaks(t, safety.ErrDisposed, use)
			}
		}
	}
	for _, o := range []table.Option{nil, (*table.Naming)(nil), table.ChunkRows(0), table.GrowBy(1), table.GrowInSteps(0)} {
		arraylaw.Breaks(t, safety.ErrArgument, func() { table.New[body](table.Named("x"), o) })
	}
}

// The last name counts, and an option may be a pointer, but not to nothing.
func TestOptionsThatAreNothing(t *testing.T) {
	var none *table.Naming
	tab := table.New[body](new(table.Named("bodies")))
	x := func(b *body) *int { return &b.Pos }
	for what, use := range map[string]func(){
		"a table":              func() { table.New[body](none) },
		"a column of a table":  func() { table.ColumnOf(tab, x, none) },
		"a column of a table ": func() { table.DoubleOf(tab, x, table.Discard(), none) },
	} {
		v := arraylaw.Breaks(t, safety.ErrArgument, use, what)
		require.ErrorContains(t, v, "was to be made with a nil *table.Naming")
	}
	require.ErrorContains(t, arraylaw.Breaks(t, safety.ErrArgument, func() { table.ColumnOf(tab, x, nil) }), "was to be made with a nil option")
	require.Zero(t, tab.Stats().Columns)
	require.Equal(t, "bodies", tab.Name())
	c := table.ColumnOf(tab, x, table.Named("x"), table.Named(""), new(table.Named("y")), table.Naming{})
	require.Same(t, c, table.FindColumn[int](tab, "y"))
	require.Nil(t, table.FindColumn[int](tab, "x"))
	value := table.ValueOf(tab, 1, table.Named("x"), table.Named(""), table.Named("y"), table.Naming{})
	require.Same(t, value, table.FindValue[int](tab, "y"))
	require.Nil(t, table.FindValue[int](tab, "x"))
}
