package table_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/lawtest"
	"example.com/custody/table"
)

// route is three tables, and a row that goes from the first to the second and from there to the
// third.
type route struct {
	at      [3]*things
	row     table.ID // in the first
	in, out table.ID // the last names that transfers returned for the second and the third
}

var routeSteps = []struct {
	name string
	do   func(t testing.TB, r *route)
}{
	{"transfer", func(t testing.TB, r *route) { r.in = r.at[0].transfer(r.row, r.at[1]) }},
	{"transfer on", func(t testing.TB, r *route) { r.out = r.at[1].transfer(r.in, r.at[2]) }},
	{"call off", func(t testing.TB, r *route) { r.at[1].remove(r.in) }},
	{"call off at the end", func(t testing.TB, r *route) { r.at[2].remove(r.out) }},
	{"remove where it was", func(t testing.TB, r *route) { r.at[0].remove(r.row) }},
	{"add its key", func(t testing.TB, r *route) { r.at[1].add(theKey) }},
	{"remove its key", func(t testing.TB, r *route) { r.at[1].removeKey(theKey) }},
	{"apply the first", func(t testing.TB, r *route) { r.at[0].apply(t, nil) }},
	{"apply the second", func(t testing.TB, r *route) { r.at[1].apply(t, nil) }},
}

// A row is called off, removed or transferred again at every point of its way, also while another
// row has its key. Each table holds what its requests make of it, and no two of its rows have one
// key.
func TestTransfersThatAreCalledOffAtEveryPoint(t *testing.T) {
	most := 4
	if testing.Short() || atom.Race {
		most = 3
	}
	var try func(order []int)
	try = func(order []int) {
		if len(order) == most {
			checkRoute(t, order)
			return
		}
		for k := range routeSteps {
			if !t.Failed() {
				try(append(slices.Clone(order), k))
			}
		}
	}
	try(nil)
}

func checkRoute(t *testing.T, order []int) {
	var names []string
	defer func() {
		if t.Failed() {
			t.Log(names)
		}
	}()
	r := &route{at: [3]*things{newThings(), newThings(), newThings()}}
	r.row = r.at[0].add(theKey)
	r.at[1].add(1)
	for _, w := range r.at {
		w.apply(t, nil)
	}
	for _, k := range order {
		names = append(names, routeSteps[k].name)
		routeSteps[k].do(t, r)
	}
	for range 2 {
		for _, w := range r.at {
			w.apply(t, nil)
		}
	}
}

// Three tables transfer rows to each other at random, call transfers off, and apply. No row is in
// two tables, no row is lost without a problem, and no two rows of a table have one key.
func TestTransfersByChance(t *testing.T) {
	r := lawtest.Rand(t)
	for range lawtest.Rounds(300) {
		at := [3]*things{newThings(), newThings(), newThings()}
		type promise struct {
			id table.ID
			in int
		}
		var names []promise
		for range 60 {
			k, key := r.IntN(3), r.IntN(4)
			w := at[k]
			switch r.IntN(7) {
			case 0:
				names = append(names, promise{w.add(key), k})
			case 1:
				w.removeKey(key)
			case 2, 3, 4:
				if len(names) == 0 {
					continue
				}
				p := names[len(names)-1-r.IntN(min(4, len(names)))]
				if r.IntN(3) == 0 {
					at[p.in].remove(p.id)
					continue
				}
				to := (p.in + 1 + r.IntN(2)) % 3
				names = append(names, promise{at[p.in].transfer(p.id, at[to]), to})
			default:
				w.apply(t, nil)
			}
		}
		for _, w := range at {
			w.apply(t, nil)
		}
	}
}

// If a table is disposed while a row is on its way to it, the row stays in its own table, whether
// it was staged there or present, and called off or not.
func TestTransfersToATableThatEnds(t *testing.T) {
	for _, staged := range []bool{false, true} {
		for _, called := range []bool{false, true} {
			from, to := newThings(), newThings()
			id := from.add(theKey)
			if !staged {
				from.apply(t, nil)
			}
			as := table.Transfer(from.t, id, to.t)
			if called {
				to.t.Remove(as)
			}
			to.t.Dispose()
			r := from.t.Apply()
			require.Equal(t, []table.Problem{{ID: id, Err: table.ErrNowhere}}, r.Problems)
			found, ok := from.key.Find(theKey)
			require.True(t, ok, "it stays")
			require.Equal(t, id, found)
			require.Equal(t, 1, from.t.Len())
		}
	}
}
