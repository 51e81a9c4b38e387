package table_test

import (
	"runtime"
	"testing"
	"weak"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/arraylaw"
	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
	"example.com/custody/table"
)

// An addition can be called off also if its slot had names before of rows that were never added.
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

// A row whose key cannot be compared in the other table stays in its own, and all other requests
// are met.
func TestARowWhoseKeyCannotBeComparedStays(t *testing.T) {
	from, to := table.New[anyKey](), table.New[anyKey]()
	table.ColumnOf(from, func(r *anyKey) *any { return &r.Key })
	key := table.KeyOf(to, func(r *anyKey) *any { return &r.Key })
	stays, goes := from.Add(anyKey{[]int{1}}), from.Add(anyKey{"one"})
	from.Apply()
	to.Add(anyKey{1})
	nowhere, there := table.Transfer(from, stays, to), table.Transfer(from, goes, to)
	r := from.Apply()
	require.Equal(t, []table.Problem{{ID: stays, Key: []int{1}, Err: table.ErrNotComparable}}, r.Problems)
	require.Equal(t, 1, r.Removed)
	got, _ := from.Get(stays)
	require.Equal(t, anyKey{[]int{1}}, got)
	require.Equal(t, 2, to.Apply().Added)
	id, _ := key.Find("one")
	require.Equal(t, there, id)
	_, ok := to.RowOf(nowhere)
	require.False(t, ok)
}

// Problems are in the order in which the requests were staged, except those that only the end of an
// Apply finds.
func TestTheOrderOfProblems(t *testing.T) {
	w := newThings(table.Fixed(2))
	w.t.Add(thingOf(1))
	w.t.Apply()
	w.t.Add(thingOf(5))
	full := w.t.Add(thingOf(6))
	there := w.t.Add(thingOf(1))
	twice := w.t.Add(thingOf(5))
	w.t.Remove(table.ID{})
	w.key.Remove(7)
	var texts []string
	problems := w.t.Apply().Problems
	for _, p := range problems {
		texts = append(texts, p.Error())
	}
	require.Equal(t, []string{
		"custody: table: row " + twice.String() + ", key 5: a key twice",
		"custody: table: the zero ID: no such row",
		"custody: table: key 7: no such row",
		"custody: table: row " + there.String() + ", key 1: a key twice",
		"custody: table: row " + full.String() + ": the table is full",
	}, texts)
}

// A Report keeps its keys alive until the next Apply, and no longer.
func TestProblemsKeepNothingAlive(t *testing.T) {
	tab := table.New[keeper]()
	key := table.KeyOf(tab, func(r *keeper) **[64]int { return &r.P })
	apply := func() weak.Pointer[[64]int] {
		p := new([64]int)
		key.Remove(p)
		require.Same(t, p, tab.Apply().Problems[0].Key)
		return weak.Make(p)
	}
	p := apply()
	tab.Apply()
	for range 3 {
		runtime.GC()
	}
	require.Nil(t, p.Value())
	runtime.KeepAlive(tab)
}

// Violations name the fields of jobs as the program does.
func TestReportsNameTheFieldsOfTheProgram(t *testing.T) {
	lawtest.CheckedOnly(t)
	b := newBodies(3)
	h := table.Schedule(b.t.Rows(), breeding{b.t.IDs(), b.t.Stager()}, (*breeding).Execute)
	v := arraylaw.Breaks(t, safety.ErrConflict, func() { table.For(b.t.Rows(), breeding{b.t.IDs(), b.t.Stager()}, (*breeding).Execute) })
	require.Equal(t, []string{"Out", "Out"}, []string{v.Field, v.OtherField})
	h.Complete()
	h = table.Schedule(b.t.Rows(), b.moving(), (*moving).Execute)
	v = arraylaw.Breaks(t, safety.ErrInFlight, func() { b.pos.Set(0, 1) })
	require.Equal(t, "Pos", v.OtherField)
	v = arraylaw.Breaks(t, safety.ErrInFlight, func() { b.t.Apply() })
	require.Empty(t, v.OtherField, "the rows are no field of the job")
	h.Complete()
}
