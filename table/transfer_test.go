package table_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/table"
)

// The problem of a row that was called off before it was added does not depend on other staged
// rows.
func TestARowThatIsCalledOffBeforeItComes(t *testing.T) {
	for _, others := range []int{0, 1, 2} {
		from, to := newThings(), newThings()
		id := from.add(7)
		from.t.Apply()
		as := table.Transfer(from.t, id, to.t)
		for k := range others {
			to.t.Add(thingOf(100 + k))
		}
		to.t.Remove(as)
		require.Equal(t, 1, from.t.Apply().Removed)
		to.key.Remove(7)
		r := to.t.Apply()
		require.Equal(t, []int{others, 1}, []int{r.Added, r.CalledOff})
		require.Equal(t, []table.Problem{{ID: as, Key: 7, Err: table.ErrRemovedTwice}}, r.Problems)
		require.Zero(t, from.t.Len())
	}
	from, to := newBodies(2), newBodies(0)
	as := table.Transfer(from.t, from.t.ID(0), to.t)
	to.t.Remove(as)
	require.ErrorIs(t, to.t.Apply().Problems[0], table.ErrNoRow, "it is nobody's yet")
	from.t.Apply()
	require.Equal(t, 1, to.t.Apply().Added)
}

// A row that cannot be transferred stays in its table, whose Report has the problem.
func TestRowsThatStay(t *testing.T) {
	from, to := table.New[thing](), table.New[thing]()
	table.ColumnOf(from, func(r *thing) *float64 { return &r.X })
	table.KeyOf(to, func(r *thing) *float64 { return &r.X })
	nan, one := from.Add(thing{X: math.NaN()}), from.Add(thing{X: 1})
	from.Apply()
	as := table.Transfer(from, nan, to)
	p := from.Apply().Problems
	require.Len(t, p, 1)
	require.Equal(t, nan, p[0].ID)
	require.ErrorIs(t, p[0], table.ErrNotEqual)
	require.ErrorContains(t, p[0], "key NaN")
	_, there := from.RowOf(nan)
	require.True(t, there)

	require.Zero(t, to.Apply().Added)
	_, there = to.RowOf(as)
	require.False(t, there)

	table.Transfer(from, one, to)
	to.Dispose()
	r := from.Apply()
	require.Equal(t, table.Report{Problems: []table.Problem{{ID: one, Err: table.ErrNowhere}}}, r)
	_, there = from.RowOf(one)
	require.True(t, there)
}

// The transfer of a row that the same Apply finds dead is a problem. Its removal is met.
func TestARowThatIsDeadAndOnItsWay(t *testing.T) {
	from, to := newBodies(3), newBodies(0)
	dead := from.t.ID(1)
	from.t.Sweep(func(row int) bool { return from.pos.At(row) != 1 })
	as := table.Transfer(from.t, dead, to.t)
	from.t.Remove(dead)
	table.Transfer(from.t, dead, to.t)
	r := from.t.Apply()
	require.Equal(t, 1, r.Swept)
	require.Equal(t, []table.Problem{{ID: dead, Err: table.ErrNoRow}, {ID: dead, Err: table.ErrRemovedTwice}}, r.Problems)
	require.Zero(t, to.t.Apply().Added)
	_, ok := to.t.RowOf(as)
	require.False(t, ok)
}

// A row that the other table refuses is lost, and the Report there has its new name.
func TestRowsThatAreLost(t *testing.T) {
	from, to := newThings(), newThings(table.Fixed(2))
	a, b := from.add(1), from.add(2)
	from.t.Apply()
	to.add(1)
	to.t.Apply()
	to.add(3)
	taken, full := table.Transfer(from.t, a, to.t), table.Transfer(from.t, b, to.t)
	r := from.t.Apply()
	require.Equal(t, 2, r.Removed)
	require.Empty(t, r.Problems)
	require.Equal(t, []table.Problem{{ID: taken, Key: 1, Err: table.ErrKey}, {ID: full, Err: table.ErrFull}}, to.t.Apply().Problems)
}

// An addition that was refused is no row that was removed.
func TestAnAdditionThatWasRefused(t *testing.T) {
	w := newThings()
	w.add(1)
	id := w.add(1)
	w.remove(id)
	w.remove(id)
	p := w.apply(t, nil).Problems
	require.ErrorIs(t, p[0], table.ErrKey)
	require.ErrorIs(t, p[1], table.ErrNoRow)
	require.ErrorIs(t, p[2], table.ErrNoRow)
}
