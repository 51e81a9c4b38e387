package table_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/table"
)

// An addition can be called off whatever became of the names that its slot had before: of a row that never came, or had no place.
func TestAdditionsThatAreCalledOffAfterOthersCameToNothing(t *testing.T) {
	calledOff := func(b *bodies) {
		t.Helper()
		n := b.t.Count()
		b.t.Remove(b.t.Add(body{Pos: 7}))
		r := b.t.Apply()
		require.Equal(t, []int{0, 1}, []int{r.Added, r.CalledOff})
		require.Empty(t, r.Problems)
		require.Equal(t, n, b.t.Count())
	}
	from, to := newBodies(1), newBodies(0)
	table.Transfer(from.t, table.ID{}, to.t)
	require.Len(t, from.t.Apply().Problems, 1)
	calledOff(to)
	calledOff(to)

	full := newBodies(1, table.Fixed(1))
	for range 3 {
		full.t.Add(body{Pos: 8})
		require.ErrorIs(t, full.t.Apply().Problems[0], table.ErrFull)
	}
	full.t.Remove(full.t.ID(0))
	full.t.Apply()
	calledOff(full)
}

// A row whose key cannot be compared where it is to go stays where it is, and costs nobody else his request.
func TestARowWhoseKeyCannotBeComparedStays(t *testing.T) {
	type row struct{ Key any }
	from, to := table.New[row](), table.New[row]()
	table.ColumnOf(from, func(r *row) *any { return &r.Key })
	key := table.KeyOf(to, func(r *row) *any { return &r.Key })
	stays, goes := from.Add(row{[]int{1}}), from.Add(row{"one"})
	from.Apply()
	to.Add(row{1})
	nowhere, there := table.Transfer(from, stays, to), table.Transfer(from, goes, to)
	r := from.Apply()
	require.Equal(t, []table.Problem{{ID: stays, Err: table.ErrNotEqual}}, r.Problems)
	require.Equal(t, 1, r.Removed)
	got, _ := from.Get(stays)
	require.Equal(t, row{[]int{1}}, got)
	require.Equal(t, 2, to.Apply().Added)
	id, _ := key.Find("one")
	require.Equal(t, there, id)
	_, ok := to.Row(nowhere)
	require.False(t, ok)
}
