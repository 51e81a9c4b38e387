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

// Each worker that begins a loop over changes is refused if the job does not hold their columns: a
// driver may pass over what the first one says.
func TestEachWorkerIsRefusedALoopOverColumnsThatItsJobDoesNotHold(t *testing.T) {
	tab := New[int]()
	c := NewChanges(ColumnOf(tab, func(r *int) *int { return r }))
	v := tab.Rows().Changed(c).view()
	var job safety.Ticket
	job.Reset("job", 0)
	job.ClaimOf(safety.FieldOf(&v, "Rows"))
	require.Nil(t, job.Open(nil, 0, false))
	l := safety.NewScope()
	defer l.Discard()
	l.Open(&job, 0, true)
	r := &loop{of: &tab.core, changes: c}
	for range 3 {
		v := lawtest.Violation(t, func() error { r.begin(safety.NewBinding(l, 0, &v)); return nil })
		require.ErrorIs(t, v, safety.ErrArgument)
	}
	l.Close()
	job.Seal(0, false, nil)
	job.Return()
}

// A view of rows claims what the driver gets.
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
