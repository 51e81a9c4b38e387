package table_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/arraylaw"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
	"example.com/custody/table"
)

// A range yields what the table has, in the order of the rows.
func TestRangesOverRows(t *testing.T) {
	for name, opts := range map[string][]table.Option{"rows that move": nil, "places": {table.Fixed(6)}} {
		t.Run(name, func(t *testing.T) {
			w := newThings(opts...)
			var ids []table.ID
			for key := range 5 {
				ids = append(ids, w.t.Add(thingOf(key)))
			}
			w.t.Apply()
			w.t.Remove(ids[1])
			w.t.Remove(ids[3])
			w.t.Apply()
			var rows []thing
			for id, r := range w.t.All() {
				got, ok := w.t.Get(id)
				require.True(t, ok && got == r)
				rows = append(rows, r)
			}
			order := []int{0, 4, 2}
			if opts != nil {
				order = []int{0, 2, 4}
			}
			for i, key := range order {
				require.Equal(t, thingOf(key), rows[i])
			}
			require.Len(t, rows, 3)
			i := 0
			for key, id := range w.key.All() {
				require.Equal(t, order[i], key)
				require.Equal(t, ids[key], id)
				i++
			}
			require.Equal(t, 3, i)
			for range w.t.All() {
				break
			}
			for range w.key.All() {
				break
			}
			require.Equal(t, w.x.Slice(), seconds(w.x), "all places")
		})
	}
}

// seconds returns what a column ranges over.
func seconds(c *table.Column[float64]) (all []float64) {
	for i, x := range c.All() {
		if i != len(all) {
			panic("out of order")
		}
		all = append(all, x)
	}
	return all
}

// A range is refused while a loop writes the elements that it reads, after Dispose, and of a
// container that was never made.
func TestMisuseOfRanges(t *testing.T) {
	lawtest.CheckedOnly(t)
	b := newBodies(10)
	h := table.Schedule(b.t.Rows(), b.moving(), (*moving).Execute)
	use := func() {
		for range b.t.All() {
		}
	}
	arraylaw.Breaks(t, safety.ErrInFlight, use)
	arraylaw.Breaks(t, safety.ErrInFlight, func() {
		for range b.pos.All() {
		}
	})
	parallelfor.Combine(h).Complete()
	use()
	b.t.Dispose()
	arraylaw.Breaks(t, safety.ErrDisposed, use)
	arraylaw.Breaks(t, safety.ErrUnassigned, func() {
		for range (*table.Column[int])(nil).All() {
		}
	})
	arraylaw.Breaks(t, safety.ErrUnassigned, func() {
		for range (*table.Table[body])(nil).All() {
		}
	})
	arraylaw.Breaks(t, safety.ErrUnassigned, func() {
		for range (*table.Key[int])(nil).All() {
		}
	})
}
