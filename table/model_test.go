package table_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/table"
)

// thing is a row.
type thing struct {
	Key  int
	X    float64
	Name string
	At   [3]int32
}

// things is a table of them, and its model.
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

// model is a table as slices and maps.
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
	to    *things // where the row goes; nil: nowhere
	as    table.ID
}

// apply does to the model what Apply does to the table.
func (m *model) apply(alive func(r thing) bool) (r table.Report) {
	type pending struct {
		event
		off bool
	}
	var adds []pending
	gone := map[table.ID]error{} // what a second removal is told
	lost := map[int]table.ID{}   // by key: the last row or addition that was taken
	dead := map[int]table.ID{}   // by key: the dead row, until a removal takes it
	var ended []int
	if alive != nil {
		for i, row := range m.rows {
			if !alive(row) {
				ended = append(ended, i)
				gone[m.ids[i]], dead[row.Key] = nil, m.ids[i]
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
	takeDead := func(key int) bool {
		id, ok := dead[key]
		if ok {
			gone[id], lost[key] = table.ErrRemovedTwice, id
			delete(dead, key)
		}
		return ok
	}
	report := func(id table.ID, err error) { r.Problems = append(r.Problems, table.Problem{ID: id, Err: err}) }
	for at, e := range m.events {
		if e.add {
			p := pending{event: e}
			if _, p.off = gone[e.id]; p.off { // before the row came
				adds = append(adds, p)
				continue
			}
			// A later removal may be of the row.
			if slices.ContainsFunc(m.events[at:], func(e event) bool { return !e.add }) {
				p.off = slices.ContainsFunc(adds, func(q pending) bool { return !q.off && q.row.Key == e.row.Key })
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
				gone[adds[i].id], lost[e.row.Key] = table.ErrRemovedTwice, adds[i].id
				r.CalledOff++
			}
			if row := hasKey(e.row.Key); row >= 0 {
				ended = append(ended, row)
				gone[m.ids[row]], lost[e.row.Key] = table.ErrRemovedTwice, m.ids[row]
				r.Removed++
			} else if takeDead(e.row.Key) || i >= 0 {
				continue
			} else if id, ok := lost[e.row.Key]; ok {
				report(id, table.ErrRemovedTwice)
			} else {
				report(table.ID{}, table.ErrNoRow)
			}
			continue
		}
		if err, ok := gone[e.id]; ok {
			if err != nil {
				report(e.id, err)
			} else if e.to != nil {
				report(e.id, table.ErrNoRow)
			} else {
				takeDead(m.rows[slices.Index(m.ids, e.id)].Key)
			}
			continue
		}
		if i := slices.IndexFunc(adds, func(q pending) bool { return q.id == e.id }); i >= 0 {
			adds[i].off = true
			gone[e.id], lost[adds[i].row.Key] = table.ErrRemovedTwice, e.id
			r.CalledOff++
			e.arrive(adds[i].row)
		} else if i := slices.IndexFunc(m.events[at:], func(q event) bool { return q.add && q.id == e.id }); i >= 0 { // the row still comes
			row := m.events[at+i].row
			gone[e.id], lost[row.Key] = table.ErrRemovedTwice, e.id
			r.CalledOff++
			e.arrive(row)
		} else if row := slices.Index(m.ids, e.id); row >= 0 {
			ended = append(ended, row)
			gone[e.id], lost[m.rows[row].Key] = table.ErrRemovedTwice, e.id
			r.Removed++
			e.arrive(m.rows[row])
		} else {
			report(e.id, table.ErrNoRow)
		}
	}
	var kept []pending
	for _, p := range adds {
		if p.off {
			continue
		}
		if hasKey(p.row.Key) >= 0 || slices.ContainsFunc(kept, func(q pending) bool { return q.row.Key == p.row.Key }) {
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

// arrive stages the row in the table that the event sends it to.
func (e event) arrive(row thing) {
	if e.to != nil {
		e.to.model.events = append(e.to.model.events, event{add: true, id: e.as, row: row})
	}
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

func (w *things) transfer(id table.ID, to *things) table.ID {
	as := table.Transfer(w.t, id, to.t)
	w.model.events = append(w.model.events, event{id: id, to: to, as: as})
	return as
}

func (w *things) removeKey(key int) {
	w.key.Remove(key)
	w.model.events = append(w.model.events, event{byKey: true, row: thing{Key: key}})
}

// apply applies both, and requires that the table equals the model.
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
