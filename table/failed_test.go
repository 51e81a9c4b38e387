package table

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// An addition that fails in the middle leaves no lock behind.
func TestAnAdditionThatFailsLeavesNoLock(t *testing.T) {
	tab := New[int]()
	tab.core.stage.elem = nil // so that there is no memory for a row
	require.Panics(t, func() { tab.Add(1) })
	require.True(t, tab.core.stage.lock.TryLock())
}

// A Set that fails does not make a chunk one that has changed.
func TestASetOutsideTheRowsChangesNothing(t *testing.T) {
	tab := New[int]()
	c := ColumnOf(tab, func(row *int) *int { return row })
	tab.AddAll(make([]int, 2), nil)
	tab.Apply()
	was := append([]uint64(nil), c.base.versions...)
	for _, row := range []int{2, -1, 9999} {
		require.Panics(t, func() { c.Set(row, 1) })
	}
	require.Equal(t, was, c.base.versions)
	c.Set(1, 1)
	require.NotEqual(t, was, c.base.versions)
}
