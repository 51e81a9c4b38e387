package table_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/arraylaw"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/handout"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
	"example.com/custody/table"
)

type body struct{ Pos, Vel, Sum int }

type bodies struct {
	t             *table.Table[body]
	pos, vel, sum *table.Column[int]
}

func newBodies(n int, opts ...table.Option) *bodies {
	b := &bodies{t: table.New[body](append([]table.Option{table.ChunkRows(10), table.Named("bodies")}, opts...)...)}
	b.pos = table.ColumnOf(b.t, func(r *body) *int { return &r.Pos }, table.Named("pos"))
	b.vel = table.ColumnOf(b.t, func(r *body) *int { return &r.Vel }, table.Named("vel"))
	b.sum = table.ColumnOf(b.t, func(r *body) *int { return &r.Sum }, table.Named("sum"))
	for i := range n {
		b.t.Add(body{i, 2 * i, 0})
	}
	b.t.Apply()
	return b
}

// moving adds the velocity to the position.
type moving struct {
	Pos array.Writer[int]
	Vel array.Reader[int]
}

func (m *moving) Execute(i int) { m.Pos.Set(i, m.Pos.At(i)+m.Vel.At(i)) }

func (m *moving) ExecuteBatch(begin, end int) {
	pos, vel := m.Pos.Slice(), m.Vel.Slice()[begin:end]
	for i := range pos {
		pos[i] += vel[i]
	}
}

func (b *bodies) moving() moving { return moving{b.pos.Writer(), b.vel.Reader()} }

// Loops do what the sequential loop does, at any number of workers.
func TestLoopsOverATable(t *testing.T) {
	for workers := 1; workers <= 8; workers *= 2 {
		for _, n := range []int{0, 1, 9, 10, 95} {
			b := newBodies(n)
			stop := handout.Force(uint64(workers))
			table.For(b.t.Rows(), b.moving(), (*moving).Execute, parallelfor.Workers(workers))
			table.ForChunks(b.t.Rows(), b.moving(), (*moving).ExecuteBatch, parallelfor.Workers(workers))
			table.Schedule(b.t.Rows(), b.moving(), (*moving).Execute, parallelfor.Workers(workers)).Complete()
			table.ScheduleChunks(b.t.Rows(), b.moving(), (*moving).ExecuteBatch, parallelfor.Workers(workers)).Complete()
			stop()
			for i := range n {
				require.Equal(t, 9*i, b.pos.At(i))
			}
		}
	}
}

// batches counts the batches of a loop.
type batches struct {
	Pos array.Reader[int]
	Out array.ParallelWriter[int]
}

func (c *batches) ExecuteBatch(begin, end int) { c.Out.Append(begin) }

// bumping has a Writer and writes nothing.
type bumping struct{ Pos array.Writer[int] }

func (b *bumping) ExecuteBatch(begin, end int) {}

// A loop over changes executes the chunks that have changed since the last one, by the owner or by
// any job.
func TestALoopSeesWhatHasChanged(t *testing.T) {
	b := newBodies(95)
	changes := table.NewChanges(b.pos)
	all := []int{0, 10, 20, 30, 40, 50, 60, 70, 80, 90}
	seen := func() []int {
		l := array.NewList[int]()
		table.ForChunks(b.t.Rows().Changed(changes), batches{b.pos.Reader(), l.ParallelWriter()}, (*batches).ExecuteBatch)
		return append([]int{}, l.Slice()...)
	}
	require.Equal(t, all, seen(), "the first sees every chunk")
	require.Empty(t, seen())
	b.pos.Set(33, 1)
	require.Equal(t, []int{30}, seen())
	b.vel.Set(33, 1)
	require.Empty(t, seen(), "another column")
	table.ForChunks(b.t.Rows(), bumping{b.vel.Writer()}, (*bumping).ExecuteBatch)
	require.Empty(t, seen())
	table.ForChunks(b.t.Rows(), bumping{b.pos.Writer()}, (*bumping).ExecuteBatch)
	require.Equal(t, all, seen(), "a job that may write counts as having written")
	table.For(b.t.Rows(), reading{b.pos.Reader()}, (*reading).Execute)
	parallelfor.For(95, reading{b.pos.Reader()}, (*reading).Execute)
	require.Empty(t, seen(), "a job that reads does not")
	parallelfor.For(5, moving{b.pos.Writer(), b.vel.Reader()}, (*moving).Execute)
	require.Equal(t, all, seen(), "a loop of another package may have written anywhere")
	b.pos.Slice()
	require.Equal(t, all, seen())
	b.pos.Set(33, 1)
	table.ForChunks(b.t.Rows().Changed(table.NewChanges(b.pos)), anywhere{array.Unrestricted(b.pos.Writer())}, (*anywhere).ExecuteBatch)
	require.Equal(t, all, seen(), "a view without a range may have written anywhere")
	changes.Forget()
	require.Equal(t, all, seen())

	id := b.t.ID(12)
	b.t.Remove(id)
	b.t.Apply()
	require.Equal(t, []int{10}, seen(), "the last row has come there")
	b.t.Add(body{})
	b.t.Apply()
	require.Equal(t, []int{90}, seen())
	b.t.Set(b.t.ID(55), body{})
	require.Equal(t, []int{50}, seen())

	// The loop's own writes are no change for its Changes, and are one for others.
	other := table.NewChanges(b.pos, b.vel)
	table.ForChunks(b.t.Rows().Changed(other), moving{b.pos.Writer(), b.vel.Reader()}, (*moving).ExecuteBatch)
	require.Equal(t, all, seen())
	b.vel.Set(71, 5)
	table.ForChunks(b.t.Rows().Changed(other), moving{b.pos.Writer(), b.vel.Reader()}, (*moving).ExecuteBatch)
	require.Equal(t, []int{70}, seen(), "any of its columns; only what was entered is written")
	b.pos.Set(3, 5)
	table.For(b.t.Rows().Changed(other), moving{b.pos.Writer(), b.vel.Reader()}, (*moving).Execute)
	require.Equal(t, []int{0}, seen())
}

type reading struct{ Pos array.Reader[int] }

func (r *reading) Execute(i int) { r.Pos.At(i) }

// anywhere writes any row.
type anywhere struct{ Pos array.Writer[int] }

func (a *anywhere) ExecuteBatch(begin, end int) { a.Pos.Set(94-begin, 1) }

// failing fails at a row.
type failing struct {
	Pos array.Writer[int]
	At  int
}

func (f *failing) Execute(i int) {
	if i == f.At {
		panic(errBody)
	}
	f.Pos.Set(i, -1)
}

// A loop that fails has seen nothing.
func TestALoopOverChangesThatFails(t *testing.T) {
	b := newBodies(40)
	changes := table.NewChanges(b.pos)
	table.For(b.t.Rows().Changed(changes), reading{b.pos.Reader()}, (*reading).Execute)
	b.pos.Set(12, 1)
	require.NotNil(t, caughtPanic(func() { table.For(b.t.Rows().Changed(changes), failing{b.pos.Writer(), 15}, (*failing).Execute) }))
	l := array.NewList[int]()
	table.ForChunks(b.t.Rows().Changed(changes), batches{b.pos.Reader(), l.ParallelWriter()}, (*batches).ExecuteBatch)
	require.Equal(t, []int{10}, l.Slice())
}

func TestMisuseOfLoopsOverTables(t *testing.T) {
	lawtest.CheckedOnly(t)
	b, c := newBodies(25), newBodies(5)
	v := arraylaw.Breaks(t, safety.ErrArgument, func() {
		table.For(b.t.Rows().Changed(table.NewChanges(b.pos)), reading{b.vel.Reader()}, (*reading).Execute)
	})
	require.ErrorContains(t, v, `table.Column[int] "pos"`)
	v = arraylaw.Breaks(t, safety.ErrArgument, func() { table.NewChanges(b.pos, c.pos) })
	require.ErrorContains(t, v, "two tables")
	arraylaw.Breaks(t, safety.ErrArgument, func() { table.NewChanges() })
	v = arraylaw.Breaks(t, safety.ErrArgument, func() { b.t.Rows().Changed(table.NewChanges(newBodies(25, table.Named("others")).pos)) })
	require.ErrorContains(t, v, `table.Table[example.com/custody/table_test.body] "others"`)
	require.Equal(t, `table.Table[example.com/custody/table_test.body] "bodies"`, v.Container)
	arraylaw.Breaks(t, safety.ErrUnassigned, func() { b.t.Rows().Changed(nil) })
	arraylaw.Breaks(t, safety.ErrUnassigned, func() { b.t.Rows().Changed(new(table.Changes)) })
	arraylaw.Breaks(t, safety.ErrUnassigned, func() {
		table.For(table.Rows{}.Changed(table.NewChanges(b.pos)), reading{b.vel.Reader()}, (*reading).Execute)
	})
	arraylaw.Breaks(t, safety.ErrUnassigned, func() { table.For(table.Rows{}, reading{b.vel.Reader()}, (*reading).Execute) })
	arraylaw.Breaks(t, safety.ErrUnassigned, func() { table.Schedule(table.Rows{}, reading{b.vel.Reader()}, (*reading).Execute) })
	arraylaw.Breaks(t, safety.ErrUnassigned, func() { table.For((*table.Table[body])(nil).Rows(), reading{b.vel.Reader()}, (*reading).Execute) })
	arraylaw.Breaks(t, safety.ErrUnassigned, func() { table.For(b.t.Rows(), reading{(*table.Column[int])(nil).Reader()}, (*reading).Execute) })
	arraylaw.Breaks(t, safety.ErrUnassigned, func() {
		table.For(b.t.Rows(), moving{(*table.Column[int])(nil).Writer(), b.vel.Reader()}, (*moving).Execute)
	})

	changes := table.NewChanges(b.pos)
	h := table.Schedule(b.t.Rows().Changed(changes), reading{b.pos.Reader()}, (*reading).Execute, parallelfor.Name("first"))
	arraylaw.Breaks(t, safety.ErrConflict, func() { table.For(b.t.Rows(), b.moving(), (*moving).Execute) })
	v = arraylaw.Breaks(t, safety.ErrInFlight, func() { b.t.Apply() })
	require.Equal(t, []string{"first", `table.Table[example.com/custody/table_test.body] "bodies"`}, []string{v.OtherJob, v.Container})
	b.t.Add(body{Pos: 7})
	b.t.Remove(b.t.ID(0))
	require.Equal(t, 25, b.t.Len())
	for name, f := range map[string]func(){
		"Dispose": b.t.Dispose, "Sweep": func() { b.t.Sweep(nil) }, "Set": func() { b.t.Set(b.t.ID(0), body{}) },
		"column Set": func() { b.pos.Set(0, 1) }, "column Slice": func() { b.pos.Slice() },
		"another column": func() { table.ColumnOf(b.t, func(r *body) *int { return &r.Pos }) },
	} {
		arraylaw.Breaks(t, safety.ErrInFlight, f, name)
	}
	require.Zero(t, b.pos.At(0))
	h.Complete()
	r := b.t.Apply()
	require.Equal(t, []int{1, 1}, []int{r.Added, r.Removed})
	require.Equal(t, 7, b.pos.At(24))

	h = parallelfor.Schedule(3, moving{b.pos.Writer(), b.vel.Reader()}, (*moving).Execute, parallelfor.Name("plain"))
	require.Equal(t, "plain", arraylaw.Breaks(t, safety.ErrInFlight, func() { b.t.Apply() }).OtherJob)
	h.Complete()

	v = arraylaw.Breaks(t, safety.ErrWriteRange, func() { table.ForChunks(b.t.Rows(), outside{b.pos.Writer()}, (*outside).ExecuteBatch) })
	require.Equal(t, "outside", v.Job)
	require.ErrorContains(t, v, `table.Column[int] "pos"`)
	if safety.Strict {
		arraylaw.Breaks(t, safety.ErrWriteRange, func() { table.For(b.t.Rows(), outside{b.pos.Writer()}, (*outside).Execute) })
	}

	arraylaw.Breaks(t, safety.ErrArgument, func() { table.ColumnOf(b.t, func(r *body) *int { return &r.Pos }) })
	arraylaw.Breaks(t, safety.ErrArgument, func() { table.ColumnOf[int](table.New[body](), nil) })
	arraylaw.Breaks(t, safety.ErrArgument, func() { table.KeyOf[int](table.New[body](), nil) })
	arraylaw.Breaks(t, safety.ErrArgument, func() { table.KeyOf(b.t, func(r *body) *int { return &r.Pos }) })
	twice := table.New[body]()
	table.KeyOf(twice, func(r *body) *int { return &r.Pos })
	arraylaw.Breaks(t, safety.ErrArgument, func() { table.KeyOf(twice, func(r *body) *int { return &r.Pos }) })
	for _, o := range []table.Option{table.ChunkRows(0), table.ChunkRows(-1), table.GrowBy(1), table.GrowBy(-2), table.Discard()} {
		arraylaw.Breaks(t, safety.ErrArgument, func() { table.New[body](o) })
	}
	arraylaw.Breaks(t, safety.ErrIndex, func() { b.t.ID(b.t.Len()) })
	arraylaw.Breaks(t, safety.ErrIndex, func() { b.pos.At(-1) })

	id := b.t.ID(0)
	b.t.Dispose()
	require.True(t, b.t.Disposed())
	for name, f := range map[string]func(){
		"Add": func() { b.t.Add(body{}) }, "Remove": func() { b.t.Remove(id) }, "Apply": func() { b.t.Apply() }, "Len": func() { b.t.Len() }, "Stats": func() { b.t.Stats() },
		"RowOf": func() { b.t.RowOf(id) }, "Dispose": b.t.Dispose, "column": func() { b.pos.Len() },
		"loop": func() { table.For(b.t.Rows(), reading{b.pos.Reader()}, (*reading).Execute) },
	} {
		arraylaw.Breaks(t, safety.ErrDisposed, f, name)
	}
}

// outside writes the row behind its own.
type outside struct{ Pos array.Writer[int] }

func (o *outside) Execute(i int)               { o.Pos.Set((i+1)%25, 1) }
func (o *outside) ExecuteBatch(begin, end int) { o.Pos.Set(end%25, 1) }

// The elements of a column that discards are zero after rows were added or removed, and otherwise
// stay.
func TestAColumnThatDiscards(t *testing.T) {
	tab := table.New[body]()
	pos := table.ColumnOf(tab, func(r *body) *int { return &r.Pos })
	sum := table.ColumnOf(tab, func(r *body) *int { return &r.Sum }, table.Discard())
	id := tab.Add(body{1, 2, 3})
	tab.Add(body{4, 5, 6})
	tab.Apply()
	require.Equal(t, []int{1, 0, 4, 0}, []int{pos.At(0), sum.At(0), pos.At(1), sum.At(1)})
	sum.Slice()[1] = 8
	tab.Apply()
	require.Equal(t, 8, sum.At(1))
	tab.Remove(id)
	tab.Apply()
	require.Equal(t, []int{4, 0, 1}, []int{pos.At(0), sum.At(0), sum.Len()})
}

// A frame in which nothing is staged, and loops after the first, allocate nothing but the jobs of
// handles.
func TestFramesAllocateNothing(t *testing.T) {
	if safety.Strict || atom.Explored || atom.Race {
		t.Skip("jobs are made anew in this build")
	}
	b := newBodies(3000)
	changes := table.NewChanges(b.vel)
	frame := func() {
		b.t.Apply()
		table.ForChunks(b.t.Rows(), b.moving(), (*moving).ExecuteBatch, parallelfor.Workers(1))
		table.For(b.t.Rows().Changed(changes), b.moving(), (*moving).Execute, parallelfor.Workers(1))
		first := table.Schedule(b.t.Rows(), b.moving(), (*moving).Execute)
		table.ScheduleChunks(b.t.Rows(), b.moving(), (*moving).ExecuteBatch, parallelfor.After(first)).Complete()
	}
	frame()
	frame()
	require.LessOrEqual(t, testing.AllocsPerRun(20, frame), 2.0, "one for each schedule")
	swap := func() {
		for i := range 20 {
			b.t.Remove(b.t.ID(i * 100))
			b.t.Add(body{i, i, i})
		}
		b.t.Apply()
	}
	for range 3 {
		swap()
	}
	require.Zero(t, testing.AllocsPerRun(20, swap))
}

var errBody = errors.New("this row fails")

// caughtPanic returns what f panics with.
func caughtPanic(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}
