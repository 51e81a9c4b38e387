package table

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// pair is a row of two columns.
type pair struct {
	n    int
	text string
}

// churned is a table of pairs without keys, and the same as slices.
type churned struct {
	t     *Table[pair]
	n     *Column[int]
	text  *Column[string]
	rows  []pair
	ids   []ID
	ended []ID
}

func newChurned(opts ...Option) *churned {
	c := &churned{t: New[pair](opts...)}
	c.n = ColumnOf(c.t, func(r *pair) *int { return &r.n })
	c.text = ColumnOf(c.t, func(r *pair) *string { return &r.text })
	return c
}

// apply applies what was staged, and does it to the slices: the removals of gone, then the
// additions of rows with the names ids.
func (c *churned) apply(t *testing.T, gone, ids []ID, rows []pair) {
	want := []Problem{}
	var cut []int
	called := map[ID]bool{}
	for k, id := range gone {
		switch row := slices.Index(c.ids, id); {
		case id.table != c.t.core.number && !id.zero():
			want = append(want, Problem{ID: id, Err: ErrForeign})
		case slices.Contains(gone[:k], id) && (row >= 0 || slices.Contains(ids, id)):
			want = append(want, Problem{ID: id, Err: ErrRemovedTwice})
		case row >= 0:
			cut = append(cut, row)
		case slices.Contains(ids, id):
			called[id] = true
		default:
			want = append(want, Problem{ID: id, Err: ErrNoRow})
		}
	}
	report := c.t.Apply()
	require.Equal(t, Report{Added: len(ids) - len(called), Removed: len(cut), CalledOff: len(called), Problems: want},
		Report{report.Added, report.Removed, report.Swept, report.CalledOff, append([]Problem{}, report.Problems...)})
	slices.Sort(cut)
	for _, row := range slices.Backward(cut) {
		last := len(c.ids) - 1
		c.ended = append(c.ended, c.ids[row])
		c.ids[row], c.rows[row] = c.ids[last], c.rows[last]
		c.ids, c.rows = c.ids[:last], c.rows[:last]
	}
	for i, id := range ids {
		if !called[id] {
			c.ids, c.rows = append(c.ids, id), append(c.rows, rows[i])
		}
	}
	require.Equal(t, len(c.ids), c.t.Len())
	for row, id := range c.ids {
		at, ok := c.t.RowOf(id)
		require.Equal(t, []any{row, true, id}, []any{at, ok, c.t.ID(row)})
		require.Equal(t, c.rows[row], pair{c.n.At(row), c.text.At(row)})
	}
	for _, id := range c.ended {
		_, ok := c.t.RowOf(id)
		require.False(t, ok)
	}
}

// A table without keys, from which rows go by many names at a time, is what slices are from which
// the rows are cut one by one, the last one first.
func TestRowsThatComeAndGoWithoutKeys(t *testing.T) {
	seed := rand.Uint64()
	t.Log("seed", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	foreign := New[pair]().Add(pair{})
	for range 20 {
		c := newChurned(ChunkRows(1 + r.IntN(20)))
		c.t.core.runs = mostRuns - int32(r.IntN(5))
		for range 30 {
			rows := make([]pair, r.IntN(40))
			for i := range rows {
				rows[i] = pair{r.Int(), string(rune('a' + r.IntN(26)))}
			}
			ids := c.t.AddAll(rows[:len(rows)/2], nil)
			for _, row := range rows[len(rows)/2:] {
				ids = append(ids, c.t.Add(row))
			}
			known := slices.Concat(c.ids, c.ids, c.ids, ids, c.ended, []ID{foreign, {}})
			var gone []ID
			for range r.IntN(4) {
				some := make([]ID, r.IntN(12))
				for i := range some {
					some[i] = known[r.IntN(len(known))]
				}
				c.t.Remove(some...)
				gone = append(gone, some...)
			}
			c.apply(t, gone, ids, rows)
		}
	}
}

// What an Apply has noted of a name is not taken for what one of 2^27 Applies later has noted.
func TestNumbersOfAppliesBeginAgain(t *testing.T) {
	c := newChurned()
	id := c.t.Add(pair{})
	c.t.Apply()
	require.Equal(t, int32(1), c.t.core.runs)
	c.t.core.runs = 0
	c.t.Remove(id)
	c.t.Apply()
	c.t.core.slots[c.t.Add(pair{}).slot].row = c.t.core.ended(removed) // its generation is that of id yet
	c.t.core.runs = mostRuns
	c.t.Remove(id)
	require.Equal(t, []Problem{{ID: id, Err: ErrNoRow}}, c.t.Apply().Problems)
	require.Equal(t, int32(1), c.t.core.runs)
}

// A Remove without names stages nothing, so removals by key behind it find what was added before.
func TestRemoveWithoutNames(t *testing.T) {
	table := New[pair]()
	key := KeyOf(table, func(r *pair) *int { return &r.n })
	table.Add(pair{n: 1})
	table.Remove()
	table.Add(pair{n: 2})
	key.Remove(2)
	report := table.Apply()
	require.Equal(t, []int{1, 0, 1}, []int{report.Added, report.Removed, report.CalledOff})
	require.Empty(t, report.Problems)
}
