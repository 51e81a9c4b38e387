package table_test

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"weak"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/arraylaw"
	"example.com/custody/internal/handout"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
	"example.com/custody/table"
)

// place is what a place of a fixed table is to have.
type place struct {
	id  table.ID
	row thing
}

// In a table with fixed places rows stay where they are while others are added and removed. Rows
// that do not fit are reported, and no place gets two rows.
func TestATableOfFixedPlaces(t *testing.T) {
	for seed := range uint64(lawtest.Rounds(40)) {
		r := rand.New(rand.NewPCG(seed, 2))
		n := 1 + r.IntN(20)
		w := newThings(table.Fixed(n), table.ChunkRows(3))
		places := make([]place, n)
		var free []int
		for i := range n {
			free = append(free, n-1-i)
		}
		require.Equal(t, n, w.t.Len())
		require.Zero(t, w.t.Count())
		key := 0
		for range 20 {
			var gone []int
			for i := range places {
				if places[i].id != (table.ID{}) && r.IntN(3) == 0 {
					gone = append(gone, i)
					w.t.Remove(places[i].id)
					if r.IntN(4) == 0 {
						w.t.Remove(places[i].id)
					}
				}
			}
			slices.Reverse(gone)
			for _, i := range gone {
				places[i] = place{}
				free = append(free, i)
			}
			full := 0
			for range r.IntN(n + 2) {
				key++
				p := place{row: thingOf(key)}
				p.id = w.t.Add(p.row)
				if len(free) == 0 {
					full++
					continue
				}
				places[free[len(free)-1]] = p
				free = free[:len(free)-1]
			}
			report := w.t.Apply()
			require.Equal(t, len(gone), report.Removed)
			for _, p := range report.Problems {
				if full--; p.Err == table.ErrRemovedTwice {
					full++
				} else {
					require.ErrorIs(t, p, table.ErrFull)
					_, ok := w.t.RowOf(p.ID)
					require.False(t, ok)
				}
			}
			require.Zero(t, full)
			require.Equal(t, n-len(free), w.t.Count())
			for i, p := range places {
				require.Equal(t, p.id, w.t.ID(i))
				require.Equal(t, p.row.X, w.x.At(i))
				require.Equal(t, p.row.Name, w.name.At(i), "a place without a row is zero")
				if p.id != (table.ID{}) {
					got, ok := w.t.Get(p.id)
					require.True(t, ok)
					require.Equal(t, p.row, got)
					found, _ := w.key.RowOf(p.row.Key)
					require.Equal(t, i, found)
				}
			}
			stop := handout.Force(seed)
			var came, valid []int
			l := array.NewList[int]()
			table.For(w.t.Rows(), l.ParallelWriter(), func(l *array.ParallelWriter[int], i int) { l.Append(i) })
			came = append(came, l.Slice()...)
			l.Clear()
			table.ForChunks(w.t.Rows(), validity{w.t.IDs(), l.ParallelWriter()}, func(v *validity, begin, end int) {
				for i := begin; i < end; i++ {
					if v.IDs.At(i) != (table.ID{}) {
						v.Out.Append(i)
					}
				}
			})
			stop()
			valid = append(valid, l.Slice()...)
			require.Equal(t, valid, came)
			require.Len(t, came, w.t.Count())
		}
		asked := 0
		w.t.Sweep(func(row int) bool {
			asked++
			return false
		})
		count := w.t.Count()
		require.Equal(t, count, w.t.Apply().Swept)
		require.Equal(t, count, asked, "only rows are asked")
		require.Zero(t, w.t.Count())
	}
}

type validity struct {
	IDs array.Reader[table.ID]
	Out array.ParallelWriter[int]
}

func TestMisuseOfFixedTables(t *testing.T) {
	lawtest.CheckedOnly(t)
	for _, n := range []int{0, -1, 1 << 30} {
		arraylaw.Breaks(t, safety.ErrLength, func() { table.New[body](table.Fixed(n)) })
	}
	tab := table.New[body](table.Fixed(4), table.Named("slots"))
	h := parallelfor.Schedule(4, naming{tab.IDs()}, (*naming).Execute, parallelfor.Name("holds"))
	v := arraylaw.Breaks(t, safety.ErrInFlight, func() { tab.Apply() })
	require.Equal(t, []string{"holds", `table.Table[example.com/custody/table_test.body] "slots"`}, []string{v.OtherJob, v.Container})
	h.Complete()
	tab.Dispose()
	arraylaw.Breaks(t, safety.ErrDisposed, func() { parallelfor.For(4, naming{tab.IDs()}, (*naming).Execute) })
	compact := newBodies(3)
	arraylaw.Breaks(t, safety.ErrUnassigned, func() { parallelfor.For(1, naming{(*table.Table[body])(nil).IDs()}, (*naming).Execute) })
	arraylaw.Breaks(t, safety.ErrArgument, func() { table.For[array.Reader[int]](compact.t.Rows(), compact.pos.Reader(), nil) })
	arraylaw.Breaks(t, safety.ErrArgument, func() { table.ForChunks[array.Reader[int]](compact.t.Rows(), compact.pos.Reader(), nil) })
}

type naming struct{ In array.Reader[table.ID] }

func (*naming) Execute(int) {}

// A transferred row is in the other table after both have applied, with its key and the name that
// Transfer returned.
func TestRowsThatGoToAnotherTable(t *testing.T) {
	a, b := newThings(), newThings()
	first, second := a.t.Add(thingOf(1)), a.t.Add(thingOf(2))
	a.t.Apply()
	there := table.Transfer(a.t, first, b.t)
	b.t.Apply()
	_, ok := b.t.RowOf(there)
	require.False(t, ok, "it has not left")
	r := a.t.Apply()
	require.Equal(t, 1, r.Removed)
	require.Equal(t, 1, b.t.Apply().Added)
	got, ok := b.t.Get(there)
	require.True(t, ok)
	require.Equal(t, thingOf(1), got)
	id, ok := b.key.Find(1)
	require.True(t, ok)
	require.Equal(t, there, id)
	_, ok = a.key.Find(1)
	require.False(t, ok)

	nowhere := table.Transfer(a.t, first, b.t)
	twice := table.Transfer(a.t, second, b.t)
	again := table.Transfer(a.t, second, b.t)
	r = a.t.Apply()
	require.Len(t, r.Problems, 2)
	require.ErrorIs(t, r.Problems[0], table.ErrNoRow)
	require.ErrorIs(t, r.Problems[1], table.ErrRemovedTwice)
	require.Equal(t, 1, b.t.Apply().Added)
	_, ok = b.t.RowOf(twice)
	require.True(t, ok)
	for _, id := range []table.ID{nowhere, again} {
		_, ok = b.t.RowOf(id)
		require.False(t, ok)
	}
	require.Zero(t, a.t.Len())

	third := a.t.Add(thingOf(3))
	called := table.Transfer(a.t, third, b.t)
	r = a.t.Apply()
	require.Equal(t, []int{0, 0, 1, 0}, []int{r.Added, r.Removed, r.CalledOff, len(r.Problems)}, "what is staged still goes without having come")
	require.Equal(t, 1, b.t.Apply().Added)
	got, ok = b.t.Get(called)
	require.True(t, ok)
	require.Equal(t, thingOf(3), got)
	require.Equal(t, 3, b.t.Len())
	if safety.Enabled {
		arraylaw.Breaks(t, safety.ErrArgument, func() { table.Transfer(a.t, third, a.t) })
	}
	last := a.t.Add(thingOf(4))
	a.t.Apply()
	table.Transfer(a.t, last, b.t)
	b.t.Dispose()
	require.Equal(t, []table.Problem{{ID: last, Err: table.ErrNowhere}}, a.t.Apply().Problems, "where it was to go there is nothing any more")
	require.Equal(t, 1, a.t.Len())
}

// In a Fixed table the element of a column that discards is zero for an added row, whatever a loop
// over chunks has left in its place. Other rows keep theirs.
func TestAFixedTableThatDiscards(t *testing.T) {
	tab := table.New[body](table.Fixed(3))
	sum := table.ColumnOf(tab, func(r *body) *int { return &r.Sum }, table.Discard())
	tab.Add(body{Sum: 1})
	tab.Apply()
	copy(sum.Slice(), []int{7, 8, 9})
	tab.Add(body{Sum: 2})
	tab.Apply()
	require.Equal(t, []int{7, 0, 9}, sum.Slice())
	tab.Remove(tab.ID(0))
	tab.Apply()
	require.Equal(t, []int{0, 0, 9}, sum.Slice())
}

// A query chooses tables with and without tags, and a map has the columns of each.
func TestLoopsOverSeveralTables(t *testing.T) {
	a, b := newBodies(20, table.Named("a")), newBodies(30, table.Named("b"))
	c := table.New[walker](table.Named("c"))
	pos := table.ColumnOf(c, func(r *walker) *int { return &r.At }, table.Named("pos"))
	c.AddAll(make([]walker, 10), nil)
	c.Apply()
	frozen, big := table.NewTag("frozen"), table.NewTag("big")
	b.t.Tag(big, frozen)
	b.t.Tag(big)
	all := table.Over(a.t, b.t, c)
	names := func(q table.Query) (names []string) {
		for t := range q.All() {
			names = append(names, t.Name())
		}
		return names
	}
	require.Equal(t, []string{"a", "b", "c"}, names(all))
	require.Equal(t, []string{"b"}, names(all.With(big)))
	require.Equal(t, []string{"a", "c"}, names(all.Without(big)))
	require.Empty(t, names(all.With(big).Without(frozen)))
	b.t.Untag(frozen)
	require.Equal(t, []string{"b"}, names(all.With(big).Without(frozen)))
	require.Equal(t, "big", big.String())
	for t := range all.All() {
		_ = t
		break
	}
	move := func(t table.Any) parallelfor.Handle {
		b := map[table.Any]*bodies{a.t: a, b.t: b}[t]
		if b == nil {
			return parallelfor.Handle{}
		}
		return table.ScheduleChunks(t.Rows(), moving{b.pos.Writer(), b.vel.Reader()}, (*moving).ExecuteBatch)
	}
	var loops []parallelfor.Handle
	for t := range all.All() {
		loops = append(loops, move(t))
	}
	parallelfor.Combine(loops...).Complete()
	require.Equal(t, []int{57, 87, 0}, []int{a.pos.At(19), b.pos.At(29), pos.At(9)})
	if safety.Enabled {
		arraylaw.Breaks(t, safety.ErrArgument, func() { a.t.Tag(nil) })
	}
}

// A row that was removed, or called off, keeps nothing alive.
func TestATableKeepsNothingAlive(t *testing.T) {
	for name, opts := range map[string][]table.Option{"rows that move": nil, "places": {table.Fixed(10)}} {
		tab := table.New[keeper](opts...)
		key := table.KeyOf(tab, func(r *keeper) **[64]int { return &r.P })
		table.ColumnOf(tab, func(r *keeper) **[64]int { return &r.P })
		add := func() (table.ID, weak.Pointer[[64]int]) {
			p := new([64]int)
			return tab.Add(keeper{p}), weak.Make(p)
		}
		collected := func(w weak.Pointer[[64]int]) bool {
			for range 3 {
				runtime.GC()
			}
			return w.Value() == nil
		}
		a, wa := add()
		_, wb := add()
		tab.Apply()
		require.False(t, collected(wa), name)
		tab.Remove(a)
		c, wc := add()
		tab.Remove(c)
		tab.Apply()
		tab.Apply()
		require.True(t, collected(wa), name)
		require.True(t, collected(wc), name)
		require.False(t, collected(wb), name)
		_, ok := key.RowOf(wb.Value())
		require.True(t, ok)
		tab.Dispose()
		require.True(t, collected(wb), name)
		runtime.KeepAlive(tab)
	}
}
