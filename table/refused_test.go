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

// A refused call leaves nothing behind: no container that cannot be disposed, and no column.
func TestWhatIsRefusedLeavesNothing(t *testing.T) {
	custodytest.NoLeaks(t)
	x := func(b *body) *int { return &b.Pos }
	for _, opts := range [][]table.Option{nil, {table.Fixed(10)}} {
		tab := table.New[body](opts...)
		h := table.Named("x")
		c := table.ColumnOf(tab, x, h)
		refused := func(kind error, what string, uses ...func()) {
			t.Helper()
			for i, use := range uses {
				require.ErrorIs(t, arraylaw.Breaks(t, kind, use), kind, "%s, %d", what, i)
			}
			require.Equal(t, 1, tab.Stats().Columns, what)
		}
		column := func(opts ...table.Option) func() { return func() { table.ColumnOf(tab, x, opts...) } }
		double := func(opts ...table.Option) func() { return func() { table.DoubleOf(tab, x, opts...) } }
		refused(safety.ErrArgument, "an option of tables", column(h, table.ChunkRows(1)), double(table.GrowBy(2)))
		refused(safety.ErrArgument, "no field", func() { table.ColumnOf[int](tab, nil) }, func() { table.DoubleOf(tab, func(*body) *int { return nil }) })
		refused(safety.ErrArgument, "the field of a column", column(), double())
		if safety.Enabled {
			held := table.Schedule(tab.Rows(), standing{c.Reader()}, (*standing).Execute)
			refused(safety.ErrInFlight, "a loop holds the table", column(), double())
			held.Complete()
		}
		tab.Add(body{})
		refused(safety.ErrArgument, "rows are staged", column(), double())
		tab.Dispose()
		if safety.Enabled {
			for _, use := range []func(){column(), double()} {
				arraylaw.Breaks(t, safety.ErrDisposed, use)
			}
		}
	}
	for _, o := range []table.Option{table.Discard(), table.ChunkRows(0), table.GrowBy(1)} {
		arraylaw.Breaks(t, safety.ErrArgument, func() { table.New[body](table.Named("x"), o) })
	}
}

// The last name counts that is not empty. The zero Option changes nothing.
func TestTheLastNameCounts(t *testing.T) {
	names := []table.Option{table.Named("x"), table.Named(""), table.Named("y"), {}}
	tab := table.New[body](names...)
	require.Equal(t, "y", tab.Name())
	c := table.ColumnOf(tab, func(b *body) *int { return &b.Pos }, names...)
	require.Equal(t, `table.Column[int] "y": 0 elements`, c.String())
}
