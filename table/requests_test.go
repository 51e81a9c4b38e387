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
