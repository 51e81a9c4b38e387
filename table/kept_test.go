package table_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/table"
)

// keptBytes bounds the memory that a table may keep for later use, whatever it has needed before.
const keptBytes = 256 << 10

// keptRow is a row with a key.
type keptRow struct {
	ID  int
	Val [4]int
}

// The memory that a large Apply has needed goes with the small ones that follow.
func TestWhatALargeApplyHasNeededIsGivenBack(t *testing.T) {
	const n = 50_000
	for name, opts := range map[string][]table.Option{"rows that move": nil, "rows that stay": {table.Fixed(n)}} {
		rows := table.New[keptRow](opts...)
		keys := table.KeyOf(rows, func(r *keptRow) *int { return &r.ID })
		table.ColumnOf(rows, func(r *keptRow) *[4]int { return &r.Val })
		ids := make([]table.ID, n)
		few := func(at, to int, do func(i int), last ...func(i int)) {
			for ; at < to; at += 100 {
				for i := range 100 {
					do(at + i)
				}
				for _, do := range last {
					do(at + 99)
				}
				for _, p := range rows.Apply().Problems {
					require.Equal(t, table.ErrRemovedTwice, p.Err)
				}
			}
		}
		add := func(i int) { ids[i] = rows.Add(keptRow{ID: i}) }
		remove := func(i int) { rows.Remove(ids[i]) }
		removeByKey := func(i int) { keys.Remove(i) }
		few(0, n, add)
		few(0, n, remove)
		few(0, n, add)
		kept := lawtest.Kept(func() {
			for i := range n {
				if i%2 == 0 {
					remove(i)
				} else {
					removeByKey(i)
				}
			}
			removeByKey(-1) // no row: all that went are looked through
			require.Len(t, rows.Apply().Problems, 1)
			for i := range n {
				add(i)
			}
			removeByKey(0)
			add(0)
			require.Empty(t, rows.Apply().Problems)
			few(0, 2000, remove)
			few(0, 2000, add)
			few(0, 2000, removeByKey, removeByKey)
			few(0, 2000, add, removeByKey, add)
		})
		require.Less(t, kept, keptBytes, name)
		runtime.KeepAlive(rows)
	}
}

// The memory of many loops that ran over one table at the same time is given back, too.
func TestWhatManyLoopsOverATableHaveNeededIsGivenBack(t *testing.T) {
	if atom.Explored {
		t.Skip("memory is kept in this build, to find uses of it after its end")
	}
	rows := table.New[keptRow]()
	val := table.ColumnOf(rows, func(r *keptRow) *[4]int { return &r.Val })
	rows.Add(keptRow{ID: 1})
	rows.Apply()
	pool := parallelfor.NewPool(1)
	defer pool.Close()
	loop := func(n int) {
		begun, ready := make(chan struct{}), make(chan struct{})
		first := parallelfor.Schedule(1, holds{begun, ready}, (*holds).Execute, parallelfor.On(pool))
		<-begun
		all := make([]parallelfor.Handle, n)
		for i := range all { // all have begun, and no worker is free
			all[i] = table.Schedule(rows.Rows(), looks{val.Reader()}, (*looks).Execute, parallelfor.On(pool))
		}
		close(ready)
		parallelfor.Combine(append(all, first)...).Complete()
	}
	loop(10)
	require.Less(t, lawtest.Kept(func() {
		loop(40 * lawtest.Rounds(1000))
		loop(1)
		loop(1)
	}), 2*keptBytes) // parallelfor keeps some
	runtime.KeepAlive(rows)
}

// holds is a job that keeps the only worker of a pool until Ready is closed.
type holds struct {
	Begun, Ready chan struct{} `custody:"unguarded"`
}

func (h *holds) Execute(int) {
	close(h.Begun)
	<-h.Ready
}

// looks is a job that holds a column to read.
type looks struct{ V array.Reader[[4]int] }

func (*looks) Execute(int) {}

// Applies that add and remove many rows by turns allocate nothing: the table keeps the memory of
// the one while the other needs none.
func TestAppliesThatTakeTurnsAllocateNothing(t *testing.T) {
	if atom.Race || atom.Explored {
		t.Skip("these builds allocate on their own")
	}
	const n = 2000
	for name, c := range map[string]struct {
		opts  []table.Option
		keyed bool
	}{"rows that move": {}, "rows that stay": {opts: []table.Option{table.Fixed(n)}}, "rows with keys": {keyed: true}} {
		tab := table.New[keptRow](c.opts...)
		table.ColumnOf(tab, func(r *keptRow) *[4]int { return &r.Val })
		remove := func(i int, id table.ID) { tab.Remove(id) }
		if c.keyed {
			key := table.KeyOf(tab, func(r *keptRow) *int { return &r.ID })
			remove = func(i int, id table.ID) {
				if i%2 == 0 {
					key.Remove(i)
				} else {
					tab.Remove(id)
				}
			}
		}
		ids := make([]table.ID, n)
		turn := func() {
			for i := range n {
				ids[i] = tab.Add(keptRow{ID: i})
			}
			applied := tab.Apply().Added
			for i, id := range ids {
				remove(i, id)
			}
			if removed := tab.Apply().Removed; applied != n || removed != n {
				t.Error(applied, removed)
			}
		}
		for range 4 {
			turn()
		}
		require.Zero(t, testing.AllocsPerRun(20, turn), name)
	}
}
