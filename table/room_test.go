package table_test

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/arraylaw"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
	"example.com/custody/table"
)

// Columns and names have the memory that the options say, and no more.
func TestTablesHaveTheRoomThatTheirOptionsSay(t *testing.T) {
	type row struct{ At, Twice, Spare int }
	for name, c := range map[string]struct {
		opts       []table.Option
		room, next int
	}{
		"by a factor": {[]table.Option{table.GrowBy(1.1)}, 1000, 1100},
		"twice":       {nil, 1000, 2000},
	} {
		tab := table.New[row](c.opts...)
		at := table.ColumnOf(tab, func(r *row) *int { return &r.At })
		twice := table.DoubleOf(tab, func(r *row) *int { return &r.Twice })
		spare := table.ColumnOf(tab, func(r *row) *int { return &r.Spare }, table.Discard())
		for _, want := range []int{c.room, c.next} {
			tab.AddAll(make([]row, max(1000-tab.Len(), 1)), nil)
			tab.Apply()
			require.Equal(t, want, tab.Stats().Room, name)
			require.Equal(t, []int{want, want, want, want, want}, []int{twice.Front().Cap(), twice.Back().Cap(), at.Cap(), spare.Cap(), tab.NamesCap()}, name)
		}
	}
}

// Factors and numbers that no table can have are refused.
func TestRoomThatNoTableHas(t *testing.T) {
	refused := func(kind error, o table.Option, n string, bounds ...string) {
		v := arraylaw.Breaks(t, kind, func() { table.New[body](o, table.Named("bodies")) })
		require.ErrorContains(t, v, `"bodies" was to have `)
		for _, part := range append(bounds, n) {
			require.ErrorContains(t, v, part)
		}
	}
	for _, n := range []int{math.MinInt, -1, 0, 1 << 30, math.MaxInt} {
		bound := "1073741823"
		if n < 1 {
			bound = "1 place or more"
		}
		refused(safety.ErrLength, table.Fixed(n), strconv.Itoa(n), bound)
		refused(safety.ErrArgument, table.ChunkRows(n), strconv.Itoa(n), "1073741823", "1000000 at most")
	}
	for _, f := range []float64{math.Inf(-1), -1, 0, 1, 1e6 + 1, math.Inf(1), math.NaN()} {
		refused(safety.ErrArgument, table.GrowBy(f), strconv.FormatFloat(f, 'g', -1, 64))
	}
}

// vast is a row of 64 MiB, so that memory has room for few of them.
type vast struct {
	Pad [1 << 26]byte
	X   int
}

// Making a column is refused if it cannot have as many elements as the table has places. A table
// has no more rows than each of its columns can have elements.
func TestColumnsThatNoMemoryHolds(t *testing.T) {
	if atom.Race {
		t.Skip("the race detector has several bytes for each")
	}
	most := lawtest.MostOf[[1 << 26]byte](0)
	tab := table.New[vast](table.Fixed(most+1), table.Named("vast"))
	for what, made := range map[string]func(){
		"a column": func() { table.ColumnOf(tab, func(r *vast) *[1 << 26]byte { return &r.Pad }) },
		"a Key":    func() { table.KeyOf(tab, func(r *vast) *[1 << 26]byte { return &r.Pad }) },
	} {
		v := arraylaw.Breaks(t, safety.ErrLength, made, what)
		require.ErrorContains(t, v, `"vast" was to have `+what+" of "+strconv.Itoa(most+1)+" elements")
		require.ErrorContains(t, v, strconv.Itoa(most)+" elements at most")
	}
	require.Zero(t, tab.Stats().Columns)
	free := table.New[vast]()
	require.Equal(t, 1<<30-1, free.Most())
	table.ColumnOf(free, func(r *vast) *int { return &r.X })
	require.Equal(t, min(1<<30-1, lawtest.MostOf[int](0)), free.Most())
	table.ColumnOf(free, func(r *vast) *[1 << 26]byte { return &r.Pad })
	require.Equal(t, most, free.Most())
}

// More rows than a table can have are refused before anything is done, and can be called off.
func TestATableOfTooManyRows(t *testing.T) {
	for name, opts := range map[string][]table.Option{"rows": nil, "places": {table.Fixed(20)}} {
		b := newBodies(5, opts...)
		b.t.Limit(8)
		ids := b.t.AddAll(make([]body, 2), nil)
		b.t.Remove(ids[0])
		parallelfor.For(3, b.t.Stager(), func(s *table.Stager[body], i int) {
			s.Add(body{Pos: 10 + i})
			s.Remove(table.ID{})
		})
		v := arraylaw.Breaks(t, safety.ErrLength, func() { b.t.Apply() })
		require.ErrorContains(t, v, "has 5 rows, and was to have 2 more than a table has", name)
		require.Equal(t, 5, b.t.Count())
		require.Equal(t, 2, b.t.Stats().Additions)
		b.t.Limit(10)
		r := b.t.Apply()
		require.Equal(t, []int{4, 1, 3}, []int{r.Added, r.CalledOff, len(r.Problems)}, name)
		require.Equal(t, 12, b.pos.At(8), name)
	}
}

// The room of a table is at most the number of rows that it can have.
func TestRoomForAllRowsThatThereCanBe(t *testing.T) {
	for _, o := range []table.Option{table.GrowBy(1.1), table.GrowBy(1e6)} {
		b := newBodies(0, o)
		b.t.Limit(100)
		for range 2 {
			b.t.AddAll(make([]body, 50), nil)
			b.t.Apply()
		}
		require.Equal(t, 100, b.t.Stats().Room)
		require.Equal(t, 100, b.pos.Cap())
	}
}

// A list that has the memory keeps it.
func TestRoomThatIsThere(t *testing.T) {
	b := newBodies(100, table.GrowBy(1.5))
	s := b.pos.Slice()
	for _, id := range []table.ID{b.t.ID(3), b.t.ID(99)} {
		b.t.Remove(id)
	}
	b.t.Apply()
	b.t.Add(body{})
	b.t.Apply()
	require.Same(t, &s[0], &b.pos.Slice()[0])
}
