package table

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

// A slot whose names are used up has no more rows.
func TestASlotWhoseNamesAreUsedUp(t *testing.T) {
	tab, to := New[int](), New[int]()
	ColumnOf(tab, func(r *int) *int { return r })
	tab.Add(1)
	tab.Apply()
	tab.core.stage.free = append(tab.core.stage.free, name{0, math.MaxUint32})
	tab.Remove(tab.ID(0))
	tab.Apply()
	tab.core.stage.free = []name{{0, math.MaxUint32}}
	last := tab.Add(2)
	tab.Apply()
	tab.Remove(last)
	tab.Apply()
	require.Empty(t, tab.core.stage.free)
	require.NotEqual(t, uint32(0), tab.Add(3).slot)

	to.core.stage.free = []name{{0, math.MaxUint32}}
	to.core.stage.names = 1
	Transfer(tab, last, to)
	tab.Apply()
	require.Empty(t, to.core.stage.free)
}

// A change is seen after more changes than 31 bits count.
func TestVersionsAreNeverUsedAgain(t *testing.T) {
	tab := New[int]()
	col := ColumnOf(tab, func(r *int) *int { return r })
	tab.Add(1)
	tab.Apply()
	c := NewChanges(col)
	For(tab.Rows().Changed(c), col.Reader(), func(*array.Reader[int], int) {})
	require.False(t, c.sees(0))
	tab.core.clock.Add(math.MaxInt32 + 1)
	col.Set(0, 1)
	require.True(t, c.sees(0))
}

// safety.ClaimOf of a view returns the claim that the driver gets.
func TestTheClaimOfRows(t *testing.T) {
	tab := New[int]()
	c := NewChanges(ColumnOf(tab, func(r *int) *int { return r }))
	v := tab.Rows().Changed(c).view()
	claim := lawtest.ClaimOf(&v)
	require.Equal(t, &tab.core.guard, claim.Guard)
	require.Equal(t, any(c), claim.Into)

	s := tab.Stager()
	claim = lawtest.ClaimOf(&s)
	require.Equal(t, []any{tab.core.looped, safety.Append}, []any{claim.Guard, claim.Mode})
}
