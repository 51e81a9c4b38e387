package table_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
	"example.com/custody/table"
)

// walk is a row with all that is ranged over.
type walk struct{ Key, X, D int }

// walked are the ranges over a table of four rows.
type walked struct {
	t      *table.Table[walk]
	ids    []table.ID
	ranges map[string]func(do func(row int) bool)
}

func newWalked(opts ...table.Option) *walked {
	w := &walked{t: table.New[walk](append(opts, table.Named("walks"), table.ChunkRows(2))...)}
	key := table.KeyOf(w.t, func(r *walk) *int { return &r.Key })
	x := table.ColumnOf(w.t, func(r *walk) *int { return &r.X })
	d := table.DoubleOf(w.t, func(r *walk) *int { return &r.D })
	for i := range 4 {
		w.ids = append(w.ids, w.t.Add(walk{Key: i, X: i, D: i}))
	}
	w.t.Apply()
	w.ranges = map[string]func(do func(int) bool){
		"Table":        func(do func(int) bool) { w.t.All()(func(_ table.ID, r walk) bool { return do(r.Key) }) },
		"Key":          func(do func(int) bool) { key.All()(func(k int, _ table.ID) bool { return do(k) }) },
		"Column":       func(do func(int) bool) { x.All()(func(_, v int) bool { return do(v) }) },
		"DoubleColumn": func(do func(int) bool) { d.Front().All()(func(_, v int) bool { return do(v) }) },
	}
	return w
}

// each tests every range over a new table.
func (w *walked) each(t *testing.T, test func(t *testing.T, w *walked, run func(do func(int) bool)), opts ...table.Option) {
	for _, name := range slices.Sorted(maps.Keys(w.ranges)) {
		t.Run(name, func(t *testing.T) {
			w := newWalked(opts...)
			test(t, w, w.ranges[name])
		})
	}
}

// An Apply that removes rows ends a range, whether it moves rows, cuts the last ones, or is that of
// a Sweep or of a pipeline. The violation names the table. Unchecked builds leave rows out.
func TestAnApplyThatRemovesRowsEndsARange(t *testing.T) {
	for name, remove := range map[string]func(w *walked, row int){
		"each row": func(w *walked, row int) { w.t.Remove(w.ids[row]); w.t.Apply() },
		"the last": func(w *walked, _ int) { w.t.Remove(w.ids[3]); w.t.Apply() },
		"all":      func(w *walked, _ int) { removeAll(w.t, w.ids); w.t.Apply() },
		"dead": func(w *walked, _ int) {
			w.t.Sweep(func(row int) bool { return row != 1 })
			w.t.Apply()
		},
		"one that is replaced": func(w *walked, _ int) {
			w.t.Remove(w.ids[0])
			w.t.Add(walk{})
			w.t.Apply()
		},
		"a frame": func(w *walked, _ int) {
			w.t.Remove(w.ids[0])
			p := table.NewPipeline(w.t, table.Frame{Schedule: func() parallelfor.Handle { return parallelfor.Handle{} }})
			p.Start()
			p.Finish()
			w.t.Apply()
		},
	} {
		t.Run(name, func(t *testing.T) {
			newWalked().each(t, func(t *testing.T, w *walked, run func(do func(int) bool)) {
				n := 0
				whole := func() error {
					run(func(row int) bool { n++; remove(w, row); return true })
					return nil
				}
				if !safety.Enabled {
					require.NoError(t, whole())
					require.LessOrEqual(t, n, 4)
					return
				}
				v := lawtest.Violation(t, whole)
				require.ErrorIs(t, v, safety.ErrBorrowed)
				require.Contains(t, v.Error(), `"walks"`)
				require.Contains(t, v.Error(), "rangeends_test.go:")
				require.Equal(t, 1, n)
			})
		})
	}
}

// A range goes on when an Apply adds rows only, or does nothing, and it may be left after any
// Apply.
func TestARangeGoesOnOverRowsThatStay(t *testing.T) {
	newWalked().each(t, func(t *testing.T, w *walked, run func(do func(int) bool)) {
		var rows []int
		run(func(row int) bool {
			rows = append(rows, row)
			w.t.Apply()
			w.t.AddAll(make([]walk, 100), nil)
			w.t.Add(walk{Key: 10 + row})
			w.t.Apply()
			return true
		})
		require.Equal(t, []int{0, 1, 2, 3}, rows, "those that were there when it began")
		n := 0
		run(func(row int) bool { n++; w.t.Remove(w.ids[0]); w.t.Apply(); return false })
		require.Equal(t, 1, n)
	})
}

// A range over a table of fixed places goes on, because rows stay where they are.
func TestARangeOverPlacesGoesOn(t *testing.T) {
	newWalked(table.Fixed(4)).each(t, func(t *testing.T, w *walked, run func(do func(int) bool)) {
		var rows []int
		run(func(row int) bool {
			rows = append(rows, row)
			w.t.Remove(w.ids[row])
			w.t.Apply()
			return true
		})
		require.Equal(t, []int{0, 1, 2, 3}, rows)
		require.Zero(t, w.t.Count())
	}, table.Fixed(4))
}

// A range ends with its table.
func TestADisposalEndsARange(t *testing.T) {
	lawtest.CheckedOnly(t)
	newWalked().each(t, func(t *testing.T, w *walked, run func(do func(int) bool)) {
		n := 0
		v := lawtest.Violation(t, func() error {
			run(func(int) bool { n++; w.t.Dispose(); return true })
			return nil
		})
		require.ErrorIs(t, v, safety.ErrDisposed)
		require.Equal(t, 1, n)
	})
}

// A range over keys or elements allocates nothing.
func TestRangesOverColumnsAllocateNothing(t *testing.T) {
	lawtest.CheckedOnly(t)
	if testing.CoverMode() != "" {
		t.Skip("statements that count keep All from being inlined")
	}
	tab := table.New[walk]()
	key := table.KeyOf(tab, func(r *walk) *int { return &r.Key })
	x := table.ColumnOf(tab, func(r *walk) *int { return &r.X })
	d := table.DoubleOf(tab, func(r *walk) *int { return &r.D })
	tab.Add(walk{1, 2, 3})
	tab.Apply()
	sum := 0
	require.Zero(t, testing.AllocsPerRun(10, func() {
		for k := range key.All() {
			sum += k
		}
		for _, v := range x.All() {
			sum += v
		}
		for _, v := range d.Front().All() {
			sum += v
		}
	}))
	require.Equal(t, 11*6, sum)
}
