package table_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/table"
)

// thing is a row.
type thing struct {
	Key  int
	X    float64
	Name string
	At   [3]int32
}

// things is a table of them, and what it is to have.
type things struct {
	t     *table.Table[thing]
	key   *table.Key[int]
	x     *table.Column[float64]
	name  *table.Column[string]
	at    *table.Column[[3]int32]
	model model
}

func newThings(opts ...table.Option) *things {
	w := &things{t: table.New[thing](append(opts, table.Named("things"))...)}
	w.key = table.KeyOf(w.t, func(r *thing) *int { return &r.Key })
	w.x = table.ColumnOf(w.t, func(r *thing) *float64 { return &r.X }, table.Named("x"))
	w.name = table.ColumnOf(w.t, func(r *thing) *string { return &r.Name }, table.Named("name"))
	w.at = table.ColumnOf(w.t, func(r *thing) *[3]int32 { return &r.At })
	w.model.live = map[table.ID]int{}
	return w
}

func thingOf(key int) thing {
	return thing{Key: key, X: float64(key) / 2, Name: fmt.Sprint("thing ", key), At: [3]int32{int32(key), 1, 2}}
}

// model is the same as slices and maps.
type model struct {
	rows   []thing
	ids    []table.ID
	live   map[table.ID]int
	events []event
}

// event is a request.
type event struct {
	add   bool
	id    table.ID // of an addition, or to be removed
	row   thing
	byKey bool
}

// apply does what Apply is to do, in the plainest way.
func (m *model) apply(alive func(r thing) bool) (r table.Report) {
	type pending struct {
		event
		off bool
	}
	var adds []pending
	gone := map[table.ID]error{} // what a second removal is told
	lost := map[int]table.ID{}   // who has had a key
	var ended []int
	if alive != nil {
		for i, row := range m.rows {
			if !alive(row) {
				ended = append(ended, i)
				gone[m.ids[i]], lost[row.Key] = nil, m.ids[i]
				r.Swept++
			}
		}
	}
	hasKey := func(key int) int {
		for i, row := range m.rows {
			if row.Key == key && !slices.Contains(ended, i) {
				return i
			}
		}
		return -1
	}
	report := func(id table.ID, err error) { r.Problems = append(r.Problems, table.Problem{ID: id, Err: err}) }
	for _, e := range m.events {
		if e.add {
			p := pending{event: e}
			for _, q := range adds {
				if !q.off && q.row.Key == e.row.Key {
					p.off = true
				}
			}
			if p.off {
				report(e.id, table.ErrKey)
				gone[e.id] = table.ErrNoRow
			}
			adds = append(adds, p)
			continue
		}
		if e.byKey {
			i := slices.IndexFunc(adds, func(q pending) bool { return !q.off && q.row.Key == e.row.Key })
			if i >= 0 {
				adds[i].off = true
				gone[adds[i].id], lost[e.row.Key] = table.ErrTwice, adds[i].id
				r.CalledOff++
			} else if row := hasKey(e.row.Key); row >= 0 {
				ended = append(ended, row)
				gone[m.ids[row]], lost[e.row.Key] = table.ErrTwice, m.ids[row]
				r.Removed++
			} else if id, ok := lost[e.row.Key]; ok {
				if gone[id] != nil {
					report(id, table.ErrTwice)
				}
				gone[id] = table.ErrTwice
			} else {
				report(table.ID{}, table.ErrNoRow)
			}
			continue
		}
		if err, ok := gone[e.id]; ok {
			if err != nil {
				report(e.id, err)
			} else {
				gone[e.id] = table.ErrTwice
			}
			continue
		}
		if i := slices.IndexFunc(adds, func(q pending) bool { return q.id == e.id }); i >= 0 {
			adds[i].off = true
			gone[e.id], lost[adds[i].row.Key] = table.ErrTwice, e.id
			r.CalledOff++
		} else if row := slices.Index(m.ids, e.id); row >= 0 {
			ended = append(ended, row)
			gone[e.id], lost[m.rows[row].Key] = table.ErrTwice, e.id
			r.Removed++
		} else {
			report(e.id, table.ErrNoRow)
		}
	}
	var kept []pending
	for _, p := range adds {
		if p.off {
			continue
		}
		if hasKey(p.row.Key) >= 0 {
			report(p.id, table.ErrKey)
			continue
		}
		kept = append(kept, p)
	}
	slices.Sort(ended)
	slices.Reverse(ended)
	for _, i := range ended {
		last := len(m.rows) - 1
		m.rows[i], m.ids[i] = m.rows[last], m.ids[last]
		m.rows, m.ids = m.rows[:last], m.ids[:last]
	}
	for _, p := range kept {
		m.rows, m.ids = append(m.rows, p.row), append(m.ids, p.id)
		r.Added++
	}
	m.events = nil
	return r
}

func (w *things) add(key int) table.ID {
	row := thingOf(key)
	id := w.t.Add(row)
	w.model.events = append(w.model.events, event{add: true, id: id, row: row})
	return id
}

func (w *things) remove(id table.ID) {
	w.t.Remove(id)
	w.model.events = append(w.model.events, event{id: id})
}

func (w *things) removeKey(key int) {
	w.key.Remove(key)
	w.model.events = append(w.model.events, event{byKey: true, row: thing{Key: key}})
}

// apply applies, and looks whether all is as the model says.
func (w *things) apply(t testing.TB, alive func(r thing) bool) table.Report {
	t.Helper()
	if alive == nil {
		w.t.Sweep(nil)
	} else {
		w.t.Sweep(func(row int) bool { return alive(w.model.rows[row]) })
	}
	got, want := w.t.Apply(), w.model.apply(alive)
	require.Equal(t, []int{want.Added, want.Removed, want.Swept, want.CalledOff}, []int{got.Added, got.Removed, got.Swept, got.CalledOff})
	require.Len(t, got.Problems, len(want.Problems))
	for i, p := range want.Problems {
		require.Equal(t, p.ID, got.Problems[i].ID, i)
		require.ErrorIs(t, got.Problems[i], p.Err, i)
	}
	w.check(t)
	return got
}

func (w *things) check(t testing.TB) {
	t.Helper()
	m := &w.model
	require.Equal(t, len(m.rows), w.t.Len())
	for i, row := range m.rows {
		id := m.ids[i]
		require.Equal(t, id, w.t.ID(i))
		at, ok := w.t.RowOf(id)
		require.True(t, ok)
		require.Equal(t, i, at)
		got, ok := w.t.Get(id)
		require.True(t, ok)
		require.Equal(t, row, got)
		require.Equal(t, row.Key, w.key.At(i))
		found, ok := w.key.Find(row.Key)
		require.True(t, ok)
		require.Equal(t, id, found)
	}
}

// Any requests, in any order, leave what the plain way leaves.
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
	require.Equal(t, 1, rows["add, remove by key, true"], "the old one: the addition is called off")
	require.Equal(t, 0, rows["add, remove by key, false"])
	require.Equal(t, 1, rows["add, add, false"])
	require.Equal(t, 0, rows["remove, remove by key, true"])
}

// A name that was is nobody's again, and neither is that of another table, nor one that is not applied.
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
	require.True(t, w.t.Set(b, thing{X: 9, Name: "changed"}))
	got, _ := w.t.Get(b)
	require.Equal(t, thing{Key: 2, X: 9, Name: "changed"}, got, "the key stays")
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
	require.True(t, table.ID{}.Zero())
	require.Equal(t, "no row", table.ID{}.String())
	require.False(t, a.Zero())
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
	require.Len(t, r.Problems, 1)
	require.ErrorIs(t, r.Problems[0], table.ErrNotEqual)
	require.Equal(t, id, r.Problems[0].ID)
	require.ErrorContains(t, r.Problems[0], "key NaN")
	require.Equal(t, 1, tab.Len())
	_, ok := key.Find(nan)
	require.False(t, ok)
	id = tab.Add(anyKey{nan})
	tab.Remove(id)
	r = tab.Apply()
	require.Len(t, r.Problems, 2, "what was refused is no row to remove")
	require.ErrorIs(t, r.Problems[0], table.ErrNotEqual)
	require.ErrorIs(t, r.Problems[1], table.ErrNoRow)
}

// A predicate that panics leaves all as it was.
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

// Few of many rows go, in the same order as many.
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
