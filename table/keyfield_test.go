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

// member is a row whose key has two parts.
type member struct {
	Age int
	Key struct{ House, Number int }
}

// The key of a row stays. Table.Set refuses a row with another key and changes nothing.
func TestSetRefusesAnotherKey(t *testing.T) {
	for name, opts := range map[string][]table.Option{"rows that move": nil, "places": {table.Fixed(6)}} {
		t.Run(name, func(t *testing.T) {
			tab := table.New[thing](append(opts, table.Named("things"))...)
			key := table.KeyOf(tab, func(r *thing) *string { return &r.Name })
			names := table.ColumnOf(tab, func(r *thing) *string { return &r.Name })
			x := table.ColumnOf(tab, func(r *thing) *float64 { return &r.X })
			id := tab.Add(thing{Name: "a", X: 1})
			tab.Apply()
			v := lawtest.Violation(t, func() error { tab.Set(id, thing{Name: "b", X: 2}); return nil })
			require.ErrorIs(t, v, safety.ErrArgument)
			require.Contains(t, v.Error(), `whose key is "a"`)
			require.Contains(t, v.Error(), `whose key is "b"`)
			require.Contains(t, v.Error(), `"things"`)
			row, _ := tab.RowOf(id)
			require.Equal(t, 1.0, x.At(row), "nothing was changed")
			require.True(t, tab.Set(id, thing{Name: "a", X: 3}))
			require.Equal(t, 3.0, x.At(row))
			require.Equal(t, []string{"a", "a"}, []string{names.At(row), key.At(row)})
			require.False(t, tab.Set(table.ID{}, thing{Name: "b"}), "no row, no key")
		})
	}
}

// A column of the key's field, of a part of it, or of more than it, cannot be written.
func TestColumnsOfTheKeyAreRead(t *testing.T) {
	tab, whole := table.New[member](), table.New[member]()
	key := func(r *member) *struct{ House, Number int } { return &r.Key }
	keys := table.KeyOf(tab, key)
	table.KeyOf(whole, key)
	number := table.ColumnOf(tab, func(r *member) *int { return &r.Key.Number }, table.Named("number"))
	all := table.ColumnOf(whole, func(r *member) *member { return r }, table.Named("all"))
	both := table.DoubleOf(tab, func(r *member) *int { return &r.Key.House }, table.Named("house"))
	age := table.ColumnOf(tab, func(r *member) *int { return &r.Age })
	var m member
	m.Key.House, m.Key.Number, m.Age = 1, 2, 3
	id, other := tab.Add(m), whole.Add(m)
	tab.Apply()
	whole.Apply()
	for name, write := range map[string]func(){
		"Set":           func() { number.Set(0, 7) },
		"Slice":         func() { number.Slice()[0] = 7 },
		"Writer":        func() { number.Writer() },
		"more, Set":     func() { all.Set(0, member{}) },
		"more, Slice":   func() { all.Slice() },
		"more, Writer":  func() { all.Writer() },
		"Double Set":    func() { both.Front().Set(0, 7) },
		"Double Slice":  func() { both.Back().Slice()[0] = 7 },
		"Double Writer": func() { both.Back().Writer() },
	} {
		t.Run(name, func(t *testing.T) { arraylaw.Breaks(t, safety.ErrArgument, write) })
	}
	age.Set(0, 4)
	all.Reader()
	m.Age = 5
	require.True(t, tab.Set(id, m) && whole.Set(other, m), "which writes the rest of the row")
	require.Equal(t, 5, age.At(0))
	require.Equal(t, m, all.At(0))
	found, ok := keys.Find(m.Key)
	require.True(t, ok && found == id)
}

// The Key knows the columns of its field, because it is made before them.
func TestTheKeyIsMadeBeforeColumnsOfItsField(t *testing.T) {
	for name, column := range map[string]func(tab *table.Table[member]){
		"the field":   func(tab *table.Table[member]) { table.ColumnOf(tab, func(r *member) *int { return &r.Key.Number }) },
		"more":        func(tab *table.Table[member]) { table.ColumnOf(tab, func(r *member) *member { return r }) },
		"two buffers": func(tab *table.Table[member]) { table.DoubleOf(tab, func(r *member) *int { return &r.Key.Number }) },
	} {
		t.Run(name, func(t *testing.T) {
			tab := table.New[member]()
			column(tab)
			arraylaw.Breaks(t, safety.ErrArgument, func() { table.KeyOf(tab, func(r *member) *int { return &r.Key.Number }) })
			table.KeyOf(table.New[member](), func(r *member) *int { return &r.Key.Number })
		})
	}
	tab := table.New[member]()
	table.ColumnOf(tab, func(r *member) *int { return &r.Age })
	table.KeyOf(tab, func(r *member) *int { return &r.Key.Number })
}

// A Key and a column are made before anything is staged, also by a loop, and not while a loop may
// stage.
func TestKeysAndColumnsAreMadeBeforeALoopStages(t *testing.T) {
	type row struct{ K any }
	key := func(r *row) *any { return &r.K }
	for name, make := range map[string]func(tab *table.Table[row]){
		"KeyOf":    func(tab *table.Table[row]) { table.KeyOf(tab, key) },
		"ColumnOf": func(tab *table.Table[row]) { table.ColumnOf(tab, key) },
	} {
		t.Run(name, func(t *testing.T) {
			tab := table.New[row]()
			s := tab.Stager()
			var held error
			require.NoError(t, lawtest.Held(&s, 1, func() { held = lawtest.Failure(func() error { make(tab); return nil }) }))
			if safety.Enabled {
				require.ErrorIs(t, held, safety.ErrInFlight)
			}
			tab = table.New[row]()
			parallelfor.For(3, tab.Stager(), func(s *table.Stager[row], i int) { s.Add(row{[]any{i, []int{i}}[i%2]}) })
			require.ErrorIs(t, lawtest.Violation(t, func() error { make(tab); return nil }), safety.ErrArgument)
			require.Equal(t, 3, tab.Apply().Added)
		})
	}
}

// A view that is not bound says so before it looks at the key.
func TestAStagerOutsideItsJobComparesNoKey(t *testing.T) {
	type row struct{ K any }
	tab := table.New[row]()
	table.KeyOf(tab, func(r *row) *any { return &r.K })
	s := tab.Stager()
	require.ErrorIs(t, lawtest.Violation(t, func() error { s.Add(row{[]int{}}); return nil }), safety.ErrStaleView)
}
