package table_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/arraylaw"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
	"example.com/custody/table"
)

// Growing columns keep their rows.
func TestGrowth(t *testing.T) {
	for name, opts := range map[string][]table.Option{
		"by a factor": {table.GrowBy(1.5)}, "twice": nil,
	} {
		b := newBodies(0, opts...)
		require.Equal(t, 10, b.t.Chunk())
		for n := range 100 {
			b.t.AddAll(make([]body, n%13), nil)
			b.t.Add(body{Pos: n})
			b.t.Apply()
			require.Equal(t, n, b.pos.At(b.t.Len()-1), name)
			b.pos.Slice()[0] = 5
			require.Equal(t, 5, b.pos.At(0))
		}
	}
}

// Loops run over chunks of the largest size, also where an int has 32 bits.
func TestChunksThatAreLongerThanAnyTable(t *testing.T) {
	b := newBodies(3, table.ChunkRows(1<<30-1))
	table.ForChunks(b.t.Rows().Changed(table.NewChanges(b.pos)), b.moving(), (*moving).ExecuteBatch)
	require.Equal(t, []int{0, 3, 6}, b.pos.Slice())
}

// In a table without keys additions can be called off, once.
func TestAdditionsThatAreCalledOff(t *testing.T) {
	b := newBodies(3)
	ids := b.t.AddAll([]body{{Pos: 10}, {Pos: 11}, {Pos: 12}}, []table.ID{b.t.ID(0)})
	require.Len(t, ids, 4)
	removeAll(b.t, ids[:3])
	b.t.Remove(ids[2])
	r := b.t.Apply()
	require.Equal(t, []int{1, 1, 2, 1}, []int{r.Added, r.Removed, r.CalledOff, len(r.Problems)})
	require.ErrorIs(t, r.Problems[0], table.ErrRemovedTwice)
	require.Equal(t, []int{2, 1, 12}, b.pos.Slice())
	old := ids[1]
	again := b.t.Add(body{})
	b.t.Apply()
	require.NotEqual(t, old, again)
	b.t.Remove(old)
	require.ErrorIs(t, b.t.Apply().Problems[0], table.ErrNoRow)

	other, one := newBodies(50), newBodies(1)
	far := other.t.ID(49)
	one.t.Remove(far)
	require.ErrorIs(t, one.t.Apply().Problems[0], table.ErrForeign)
}

// The removal of a row that the same Apply finds dead is met.
func TestARowThatIsDeadAndRemoved(t *testing.T) {
	b := newBodies(3)
	dead := b.t.ID(1)
	b.t.Sweep(func(row int) bool { return b.pos.At(row) != 1 })
	b.t.Remove(dead)
	r := b.t.Apply()
	require.Equal(t, table.Report{Swept: 1}, r)
	b.t.Remove(dead)
	b.t.Remove(dead)
	require.Len(t, b.t.Apply().Problems, 2)
}

func TestOneChangesAtATime(t *testing.T) {
	lawtest.CheckedOnly(t)
	b := newBodies(30)
	changes := table.NewChanges(b.pos)
	first := table.Schedule(b.t.Rows().Changed(changes), reading{b.pos.Reader()}, (*reading).Execute)
	second := table.Schedule(b.t.Rows().Changed(changes), reading{b.pos.Reader()}, (*reading).Execute, parallelfor.After(first))
	second.Complete()
	table.For(b.t.Rows(), nested{b.pos.Reader()}, (*nested).Execute)

	changes.Forget()
	begun, end := make(chan bool, 3), make(chan bool)
	first = table.Schedule(b.t.Rows().Changed(changes), waiting{b.pos.Reader(), begun, end}, (*waiting).Execute, parallelfor.Workers(2))
	<-begun
	v := arraylaw.Breaks(t, safety.ErrArgument, func() { table.For(b.t.Rows().Changed(changes), reading{b.pos.Reader()}, (*reading).Execute) })
	require.ErrorContains(t, v, "one Changes")
	require.ErrorContains(t, v, `"bodies"`)
	close(end)
	first.Complete()
	table.For(b.t.Rows().Changed(changes), reading{b.pos.Reader()}, (*reading).Execute)
}

// waiting says that it has begun, and waits until it is to end.
type waiting struct {
	Pos   array.Reader[int]
	Begun chan bool `custody:"unguarded"`
	End   chan bool `custody:"unguarded"`
}

func (w *waiting) Execute(i int) {
	if i%10 == 0 {
		w.Begun <- true
		<-w.End
	}
}

// nested passes its view on, and runs loops over a table of its own.
type nested struct{ Pos array.Reader[int] }

func (n *nested) Execute(i int) {
	own := newBodies(12)
	table.For(own.t.Rows(), own.moving(), (*moving).Execute)
	parallelfor.For(2, n.Pos, func(r *array.Reader[int], k int) { r.At(k) })
}

// A loop that passes a column on counts as one that writes it: a Changes sees the chunks that it
// has entered.
func TestALoopThatLendsAColumnOn(t *testing.T) {
	b := newBodies(30)
	changes := table.NewChanges(b.pos)
	table.For(b.t.Rows().Changed(changes), reading{b.pos.Reader()}, (*reading).Execute)
	b.vel.Set(15, 7)
	only := table.NewChanges(b.vel)
	table.For(b.t.Rows().Changed(only), reading{b.vel.Reader()}, (*reading).Execute)
	b.vel.Set(15, 7)
	table.ForChunks(b.t.Rows().Changed(only), lending{b.pos.Writer(), b.vel.Reader()}, (*lending).ExecuteBatch)
	l := array.NewList[int]()
	table.ForChunks(b.t.Rows().Changed(changes), batches{b.pos.Reader(), l.ParallelWriter()}, (*batches).ExecuteBatch)
	require.Equal(t, []int{10}, l.Slice())
	require.Equal(t, -1, b.pos.At(19))
}

type lending struct {
	Pos array.Writer[int]
	Vel array.Reader[int]
}

func (l *lending) ExecuteBatch(begin, end int) {
	parallelfor.For(end-begin, l.Pos, func(w *array.Writer[int], k int) { w.Set(k, -1) })
}

// Keys that cannot be compared fail where they are staged.
func TestKeysThatCannotBeCompared(t *testing.T) {
	tab := table.New[anyKey](table.Fixed(4))
	table.KeyOf(tab, func(r *anyKey) *any { return &r.Key })
	gone := table.ColumnOf(tab, func(r *anyKey) *any { return &r.Key }, table.Discard())
	require.Panics(t, func() { tab.AddAll([]anyKey{{1}, {[]int{2}}}, nil) })
	require.NotNil(t, caughtPanic(func() {
		parallelfor.Do(tab.Stager(), func(s *table.Stager[anyKey]) { s.Add(anyKey{map[int]int{}}) })
	}))
	require.Zero(t, tab.Apply().Added)
	parallelfor.Do(tab.Stager(), func(s *table.Stager[anyKey]) { s.Add(anyKey{2}) })
	tab.AddAll([]anyKey{{1}}, nil)
	require.Equal(t, 2, tab.Apply().Added)
	require.Nil(t, gone.At(0), "it is discarded")
}

// Comparing a key ends at its first part that differs, and hashing does not. A key that cannot be
// hashed fails where it is staged, and Apply does all that was staged.
func TestAKeyThatCannotBeHashedIsNotRemoved(t *testing.T) {
	type parts struct {
		F float64
		V any
	}
	type row struct{ Key parts }
	tab := table.New[row]()
	keys := table.KeyOf(tab, func(r *row) *parts { return &r.Key })
	first := tab.Add(row{parts{1, 1}})
	tab.Apply()
	tab.Remove(first)
	require.Panics(t, func() { keys.Remove(parts{math.NaN(), []int{1}}) })
	keys.Remove(parts{math.NaN(), 1})
	tab.Add(row{parts{2, 2}})
	r := tab.Apply()
	require.Equal(t, []int{1, 1, 1}, []int{r.Added, r.Removed, len(r.Problems)})
	require.ErrorIs(t, r.Problems[0], table.ErrNoRow)
}

// A job with a Lookup executes the chunks that have changed, and no others. A Lookup that is not
// bound is refused.
func TestALoopThatLooksNamesUp(t *testing.T) {
	b := newBodies(30)
	changes := table.NewChanges(b.pos)
	l := array.NewList[int]()
	loop := func() []int {
		l.Clear()
		table.ForChunks(b.t.Rows().Changed(changes), finding{b.t.Lookup(), b.t.IDs(), b.pos.Reader(), l.ParallelWriter()}, func(v *finding, begin, end int) {
			for i := begin; i < end; i++ {
				if row, ok := v.Names.RowOf(v.IDs.At(i)); !ok || row != i {
					panic("another row")
				}
			}
			_, ok := v.Names.RowOf(table.ID{})
			if ok {
				panic("nobody's row")
			}
			v.Out.Append(begin)
		})
		return append([]int{}, l.Slice()...)
	}
	require.Equal(t, []int{0, 10, 20}, loop())
	require.Empty(t, loop())
	b.pos.Set(25, 1)
	require.Equal(t, []int{20}, loop())
	parallelfor.Do(b.t.Lookup(), func(v *table.Lookup) { v.RowOf(table.ID{}) })
	lawtest.CheckedOnly(t)
	h := parallelfor.ScheduleDo(finding2{b.t.Lookup()}, (*finding2).Execute, parallelfor.Name("looks"))
	require.Equal(t, "looks", arraylaw.Breaks(t, safety.ErrInFlight, func() { b.t.Apply() }).OtherJob)
	h.Complete()
	v := b.t.Lookup()
	arraylaw.Breaks(t, safety.ErrStaleView, func() { v.RowOf(table.ID{}) })
	arraylaw.Breaks(t, safety.ErrUnassigned, func() { parallelfor.Do(finding2{(*table.Table[body])(nil).Lookup()}, (*finding2).Execute) })
}

type finding struct {
	Names table.Lookup
	IDs   array.Reader[table.ID]
	Pos   array.Reader[int]
	Out   array.ParallelWriter[int]
}

type finding2 struct{ Names table.Lookup }

func (*finding2) Execute() {}

// A removal by a key takes the dead row that had the key, with and without an addition of the key:
// a later removal of the row is ErrRemovedTwice.
func TestADeadRowIsTakenByItsKeyBesideAnAddition(t *testing.T) {
	for name, between := range map[string]func(w *things){
		"nothing":                      func(w *things) {},
		"an addition":                  func(w *things) { w.add(theKey) },
		"one that was called off":      func(w *things) { w.remove(w.add(theKey)) },
		"two, of which one is refused": func(w *things) { w.add(theKey); w.add(theKey) },
	} {
		w := newThings()
		dead := w.add(theKey)
		w.apply(t, nil)
		between(w)
		w.removeKey(theKey)
		w.remove(dead)
		r := w.apply(t, func(thing) bool { return false })
		require.ErrorIs(t, r.Problems[len(r.Problems)-1], table.ErrRemovedTwice, name)
		require.Equal(t, 1, r.Swept, name)
	}
}
