package table_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/table"
)

// Random requests leave what the model leaves.
func TestATableIsWhatItsRequestsMakeOfIt(t *testing.T) {
	for seed := range uint64(lawtest.Rounds(60)) {
		r := rand.New(rand.NewPCG(seed, 1))
		w := newThings(table.ChunkRows(1 + r.IntN(5)))
		var known []table.ID
		keys := 1 + r.IntN(40)
		for range 25 {
			for range r.IntN(30) {
				switch k := r.IntN(10); {
				case k < 5:
					known = append(known, w.add(r.IntN(keys)))
				case k < 8 && len(known) > 0:
					w.remove(known[r.IntN(len(known))])
				default:
					w.removeKey(r.IntN(keys))
				}
			}
			var alive func(r thing) bool
			if r.IntN(3) == 0 {
				dead := r.IntN(keys)
				alive = func(r thing) bool { return r.Key%7 != dead%7 }
			}
			w.apply(t, alive)
		}
	}
}

// Two requests on one row, in every order, when it is there and when it is not.
func TestEveryOrderOfTwoRequests(t *testing.T) {
	type request struct {
		name string
		do   func(w *things, id table.ID)
	}
	requests := []request{
		{"add", func(w *things, _ table.ID) { w.add(5) }},
		{"add and call off", func(w *things, _ table.ID) { w.remove(w.add(5)) }},
		{"remove", func(w *things, id table.ID) { w.remove(id) }},
		{"remove by key", func(w *things, _ table.ID) { w.removeKey(5) }},
	}
	rows := map[string]int{}
	for _, there := range []bool{true, false} {
		for _, a := range requests {
			for _, b := range requests {
				w := newThings()
				w.add(4)
				var id table.ID
				if there {
					id = w.add(5)
				}
				w.add(6)
				w.apply(t, nil)
				a.do(w, id)
				b.do(w, id)
				w.apply(t, nil)
				name := fmt.Sprintf("%s, %s, %v", a.name, b.name, there)
				rows[name] = w.t.Len() - 2
				w.apply(t, nil)
				require.Equal(t, rows[name], w.t.Len()-2, name)
			}
		}
	}
	require.Equal(t, 1, rows["remove, add, true"], "the new one")
	require.Equal(t, 1, rows["add, remove, true"], "the new one")
	require.Equal(t, 1, rows["remove by key, add, true"])
	require.Equal(t, 0, rows["add, remove by key, true"], "neither: the addition is called off, too")
	require.Equal(t, 0, rows["add, remove by key, false"])
	require.Equal(t, 1, rows["add, add, false"])
	require.Equal(t, 0, rows["remove, remove by key, true"])
}

// The name of a removed row, a name of another table and the name of a staged row find no row.
func TestNames(t *testing.T) {
	w, other := newThings(), newThings()
	a, b := w.add(1), w.add(2)
	_, ok := w.t.RowOf(a)
	require.False(t, ok, "it is staged still")
	w.apply(t, nil)
	w.remove(a)
	w.apply(t, nil)
	_, ok = w.t.RowOf(a)
	require.False(t, ok)
	c := w.add(3)
	w.apply(t, nil)
	require.NotEqual(t, a, c)
	_, ok = w.t.Get(a)
	require.False(t, ok, "the slot has another row")
	require.False(t, w.t.Set(a, thing{}))
	require.True(t, w.t.Set(b, thing{Key: 2, X: 9, Name: "changed"}))
	got, _ := w.t.Get(b)
	require.Equal(t, thing{Key: 2, X: 9, Name: "changed"}, got)
	foreign := other.add(1)
	other.apply(t, nil)
	for _, id := range []table.ID{foreign, {}, a} {
		w.t.Remove(id)
	}
	r := w.t.Apply()
	require.Len(t, r.Problems, 3)
	require.ErrorIs(t, r.Problems[0], table.ErrForeign)
	require.ErrorIs(t, r.Problems[1], table.ErrNoRow)
	require.ErrorIs(t, r.Problems[2], table.ErrNoRow)
	require.ErrorContains(t, r.Problems[2], a.String())
	require.Equal(t, "no row", table.ID{}.String())
	require.NotEqual(t, table.ID{}, a)
	require.Equal(t, 2, w.t.Len())
}

// Keys that cannot be found again are refused.
func TestKeysThatAreNotEqual(t *testing.T) {
	tab := table.New[anyKey]()
	key := table.KeyOf(tab, func(r *anyKey) *any { return &r.Key })
	require.Panics(t, func() { tab.Add(anyKey{[]int{1}}) })
	require.Panics(t, func() { key.Remove([]int{1}) })
	zero := 0.0
	nan := zero / zero
	id := tab.Add(anyKey{nan})
	key.Remove(nan)
	tab.Add(anyKey{1})
	r := tab.Apply()
	require.Len(t, r.Problems, 2)
	require.ErrorIs(t, r.Problems[0], table.ErrNotEqual)
	require.Equal(t, id, r.Problems[0].ID)
	require.ErrorContains(t, r.Problems[0], "key NaN")
	require.Equal(t, "custody: table: key NaN: no such row", r.Problems[1].Error(), "no row can have it")
	require.Equal(t, 1, tab.Len())
	_, ok := key.Find(nan)
	require.False(t, ok)
	id = tab.Add(anyKey{nan})
	tab.Remove(id)
	r = tab.Apply()
	require.Len(t, r.Problems, 2, "what was refused is no row to remove")
	require.ErrorIs(t, r.Problems[0], table.ErrNotEqual)
	require.ErrorIs(t, r.Problems[1], table.ErrNoRow)
	id = tab.Add(anyKey{nan})
	r = tab.Apply()
	require.Len(t, r.Problems, 1)
	require.ErrorIs(t, r.Problems[0], table.ErrNotEqual)
	require.Equal(t, id, r.Problems[0].ID)
	require.Equal(t, 1, tab.Len())
}

// A predicate that panics changes nothing.
func TestALivenessPredicateThatPanics(t *testing.T) {
	w := newThings()
	w.add(1)
	w.add(2)
	w.apply(t, nil)
	w.add(3)
	boom := errors.New("boom")
	w.t.Sweep(func(row int) bool {
		if row == 1 {
			panic(boom)
		}
		return false
	})
	require.PanicsWithError(t, "boom", func() { w.t.Apply() })
	require.Equal(t, 2, w.t.Len())
	w.apply(t, nil)
	require.Equal(t, 3, w.t.Len())
}

// Few of many rows are removed in the same order as many.
func TestFewOfManyRows(t *testing.T) {
	w := newThings()
	var ids []table.ID
	for key := range 8000 {
		ids = append(ids, w.add(key))
	}
	w.apply(t, nil)
	for _, i := range []int{7998, 5, 7999, 500, 7997, 499} {
		w.remove(ids[i])
	}
	require.Equal(t, 6, w.apply(t, nil).Removed)
}
