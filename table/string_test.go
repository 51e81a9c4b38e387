package table_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
	"example.com/custody/table"
)

// String of a table, a column and a key tells the truth whatever jobs run.
func TestTablesSayWhatTheyAre(t *testing.T) {
	const reads = "job job reads it and has not finished"
	m := table.New[thing](table.Named("motes"))
	key := table.KeyOf(m, func(m *thing) *string { return &m.Name })
	x := table.ColumnOf(m, func(m *thing) *int { return &m.Key }, table.Named("x"))
	m.Add(thing{Name: "a", Key: 1})
	m.Add(thing{Name: "b", Key: 2})
	require.Equal(t, `table.Table[example.com/custody/table_test.thing] "motes": 0 rows`, m.String())
	m.Apply()
	lookup := m.Lookup()
	const name = `table.Table[example.com/custody/table_test.thing] "motes": `
	(&lawtest.Says{
		Of: m, Free: name + "2 rows", Held: map[string]safety.View{name + "2 rows; " + reads: &lookup},
		Zero: map[string]fmt.Stringer{"<nil>": (*table.Table[thing])(nil), "table.Table[example.com/custody/table_test.thing]: never made": new(table.Table[thing])},
	}).Check(t)
	(&lawtest.Says{
		Of: x, Free: `table.Column[int] "x": 2 elements`,
		Zero: map[string]fmt.Stringer{"<nil>": (*table.Column[int])(nil), "table.Column[int]: never made": new(table.Column[int])},
	}).Check(t)
	(&lawtest.Says{
		Of: key, Free: "table.Key[string] of " + name + "2 rows", Dispose: m.Dispose, Ended: "table.Key[string] of " + name + "disposed",
		Zero: map[string]fmt.Stringer{"<nil>": (*table.Key[int])(nil), "table.Key[int]: never made": new(table.Key[int])},
	}).Check(t)
	require.Equal(t, `table.Column[int] "x": disposed`, x.String())
}

// Any goroutine may print a table while rows are added and removed and loops run.
func TestTablesArePrintedWhileRowsComeAndGo(t *testing.T) {
	m := table.New[thing](table.Fixed(50))
	x := table.ColumnOf(m, func(m *thing) *int { return &m.Key })
	for _, c := range []fmt.Stringer{m, x} {
		lawtest.Printed(c, func() {
			for range lawtest.Rounds(50) {
				ids := m.AddAll(make([]thing, 20), nil)
				m.Apply()
				table.For(m.Rows(), x.Writer(), func(w *array.Writer[int], i int) {
					w.Set(i, i)
					_ = c.String()
				}, parallelfor.Workers(2))
				removeAll(m, ids)
				m.Apply()
			}
		})
	}
	require.Equal(t, "table.Table[example.com/custody/table_test.thing]: 0 rows in 50 places", m.String())
}

func TestStatsOfTables(t *testing.T) {
	m := table.New[thing](table.ChunkRows(4))
	table.ColumnOf(m, func(m *thing) *int { return &m.Key })
	require.Equal(t, table.Stats{Columns: 1}, m.Stats())
	ids := m.AddAll(make([]thing, 10), nil)
	require.Equal(t, table.Stats{Columns: 1, Names: 10, Additions: 10}, m.Stats())
	m.Apply()
	s := m.Stats()
	require.GreaterOrEqual(t, s.Room, 10)
	s.Room = 0
	require.Equal(t, table.Stats{Rows: 10, Columns: 1, Chunks: 3, Names: 10}, s)
	removeAll(m, ids[:3])
	m.Add(thing{})
	s = m.Stats()
	require.Equal(t, []int{10, 11, 1, 3}, []int{s.Rows, s.Names, s.Additions, s.Removals})
	m.Apply()
	require.Equal(t, []int{8, 11, 0, 0}, []int{m.Stats().Rows, m.Stats().Names, m.Stats().Additions, m.Stats().Removals})

	f := table.New[thing](table.Fixed(5))
	f.Add(thing{})
	f.Apply()
	require.Equal(t, table.Stats{Rows: 1, Room: 5, Chunks: 1, Names: 1}, f.Stats())
}
