package table_test

import (
	"bytes"
	"errors"
	"iter"
	"runtime/trace"
	"slices"
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

// item is what a row stands for.
type item struct {
	pos, vel int
	dead     bool
}

type held struct {
	Item     *item
	Pos, Vel int
}

// world is a table of items and its pipeline.
type world struct {
	t        *table.Table[held]
	items    *table.Key[*item]
	pos, vel *table.Column[int]
	p        *table.Pipeline
	handed   []int
	reports  []table.Report
}

func newWorld(opts ...table.Option) *world {
	w := &world{t: table.New[held](opts...)}
	w.items = table.KeyOf(w.t, func(r *held) **item { return &r.Item })
	w.pos = table.ColumnOf(w.t, func(r *held) *int { return &r.Pos })
	w.vel = table.ColumnOf(w.t, func(r *held) *int { return &r.Vel })
	w.t.Sweep(func(row int) bool { return !w.items.At(row).dead })
	w.p = table.NewPipeline(w.t, table.Frame{
		Applied: func(r table.Report) {
			if r.Added+r.Removed+r.Swept > 0 {
				w.reports = append(w.reports, r)
			}
		},
		Gather: eachRow(func(row int) { w.vel.Set(row, w.items.At(row).vel) }),
		Schedule: func() parallelfor.Handle {
			return table.Schedule(w.t.Rows(), moving{w.pos.Writer(), w.vel.Reader()}, (*moving).Execute, parallelfor.Name("moves"))
		},
		HandBack: eachRow(func(row int) {
			w.items.At(row).pos = w.pos.At(row)
			w.handed = append(w.handed, row)
		}),
	})
	return w
}

// eachRow returns a stage that calls do for each row.
func eachRow(do func(row int)) func(rows iter.Seq[int]) {
	return func(rows iter.Seq[int]) {
		for row := range rows {
			do(row)
		}
	}
}

func (w *world) add(vel int) *item {
	it := &item{vel: vel}
	w.t.Add(held{Item: it})
	return it
}

// A frame applies, gathers and schedules. The next frame completes it and hands back, in the order
// of the rows.
func TestAPipeline(t *testing.T) {
	for name, opts := range map[string][]table.Option{"rows that move": nil, "places": {table.Fixed(5)}} {
		w := newWorld(opts...)
		w.p.Step()
		require.False(t, w.p.Running(), "there is no row")
		a, b, c := w.add(1), w.add(10), w.add(100)
		w.p.Step()
		require.True(t, w.p.Running())
		require.Empty(t, w.handed)
		w.items.Remove(a) // while the loop runs
		d := w.add(1000)
		b.vel = 20
		w.p.Step()
		require.Equal(t, []int{0, 1, 2}, w.handed)
		require.Equal(t, []int{1, 10, 100}, []int{a.pos, b.pos, c.pos})
		c.dead = true
		w.handed = nil
		w.p.Finish()
		require.Len(t, w.handed, 2, "one died meanwhile")
		require.Equal(t, []int{1, 30, 100, 1000}, []int{a.pos, b.pos, c.pos, d.pos})
		w.p.Finish()
		w.p.Start()
		require.Equal(t, 2, w.t.Count(), name)
		require.Equal(t, table.Report{Swept: 1}, w.reports[len(w.reports)-1])
		w.p.Close()
		w.p.Close()
		require.True(t, w.t.Disposed())
		require.False(t, w.p.Running())
		w.p.Finish()
		require.Equal(t, []int{30, 1000}, []int{b.pos, d.pos}, "closing hands nothing back")
	}
}

// A stage may move whole columns, run a loop, and range over the rows: again, and in part.
func TestStagesOfWholeColumns(t *testing.T) {
	w := newWorld(table.Fixed(6), table.ChunkRows(2))
	var gathered, handed [][]int
	some := func(rows iter.Seq[int]) (found []int) {
		for row := range rows {
			if found = append(found, row); len(found) == 2 {
				break
			}
		}
		return found
	}
	p := table.NewPipeline(w.t, table.Frame{
		Gather: func(rows iter.Seq[int]) {
			for row := range w.vel.Slice() {
				w.vel.Set(row, 10*row)
			}
			gathered = append(gathered, some(rows), slices.Collect(rows))
		},
		Schedule: func() parallelfor.Handle {
			return table.Schedule(w.t.Rows(), moving{w.pos.Writer(), w.vel.Reader()}, (*moving).Execute)
		},
		HandBack: func(rows iter.Seq[int]) {
			table.For(w.t.Rows(), moving{w.pos.Writer(), w.vel.Reader()}, (*moving).Execute)
			handed = append(handed, slices.Collect(rows), some(rows))
		},
	})
	var items []*item
	for range 5 {
		items = append(items, w.add(0))
	}
	w.t.Apply()
	w.items.Remove(items[1])
	p.Start()
	items[2].dead = true
	p.Finish()
	require.Equal(t, [][]int{{0, 2}, {0, 2, 3, 4}}, gathered)
	require.Equal(t, [][]int{{0, 3, 4}, {0, 3}}, handed)
	require.Equal(t, []int{0, 0, 40, 60, 80, 0}, w.pos.Slice())
}

// The rows that a stage gets are for stages.
func TestRowsOfAStageOutsideOfIt(t *testing.T) {
	lawtest.CheckedOnly(t)
	w := newWorld()
	w.add(1)
	var kept iter.Seq[int]
	outside := func() {
		v := arraylaw.Breaks(t, safety.ErrBorrowed, func() {
			for range kept {
			}
		})
		require.ErrorContains(t, v, "a range over the rows of table.Table")
		require.ErrorContains(t, v, " ran outside Gather and HandBack")
	}
	p := table.NewPipeline(w.t, table.Frame{
		Applied: func(table.Report) {
			if kept != nil {
				outside()
			}
		},
		Gather: func(rows iter.Seq[int]) { kept = rows },
		Schedule: func() parallelfor.Handle {
			outside()
			return table.Schedule(w.t.Rows(), moving{w.pos.Writer(), w.vel.Reader()}, (*moving).Execute)
		},
		HandBack: func(iter.Seq[int]) { require.Equal(t, []int{0}, slices.Collect(kept)) },
	})
	p.Step()
	outside()
	p.Finish()
	outside()
	w.items.At(0).dead = true
	p.Step()
	outside() // though there is no row
}

// A range over the rows of a stage ends with the stage.
func TestRowsThatOutliveTheirStage(t *testing.T) {
	lawtest.CheckedOnly(t)
	w := newWorld()
	w.add(1)
	w.add(2)
	var next func() (int, bool)
	var stop func()
	p := table.NewPipeline(w.t, table.Frame{
		Gather: func(rows iter.Seq[int]) {
			next, stop = iter.Pull(rows)
			next()
		},
		Schedule: func() parallelfor.Handle { return parallelfor.Handle{} },
	})
	p.Step()
	defer stop()
	arraylaw.Breaks(t, safety.ErrBorrowed, func() { next() })
}

func TestMisuseOfPipelines(t *testing.T) {
	lawtest.CheckedOnly(t)
	w := newWorld()
	w.add(1)
	w.p.Start()
	arraylaw.Breaks(t, safety.ErrArgument, w.p.Start)
	require.Equal(t, "moves", arraylaw.Breaks(t, safety.ErrInFlight, func() { w.t.Apply() }).OtherJob)
	w.p.Finish()
	arraylaw.Breaks(t, safety.ErrArgument, func() { table.NewPipeline(w.t, table.Frame{}) })
	w.t.Dispose()
	w.p.Close()
	arraylaw.Breaks(t, safety.ErrClosed, w.p.Start)
	arraylaw.Breaks(t, safety.ErrClosed, w.p.Step)
	arraylaw.Breaks(t, safety.ErrDisposed, func() { w.add(1) })
}

// If a loop fails, its frame fails, and the next frame can start.
func TestAPipelineWhoseLoopFails(t *testing.T) {
	w := newWorld()
	w.add(1)
	fails := true
	p := table.NewPipeline(w.t, table.Frame{
		Schedule: func() parallelfor.Handle {
			return table.Schedule(w.t.Rows(), throwing{w.pos.Writer(), fails}, (*throwing).Execute)
		},
		HandBack: eachRow(func(row int) { w.handed = append(w.handed, row) }),
	})
	p.Start()
	require.Same(t, errFails, caughtPanic(p.Finish).(*parallelfor.Panic).Value)
	require.Empty(t, w.handed)
	require.False(t, p.Running())
	fails = false
	p.Step()
	p.Finish()
	require.Equal(t, []int{0}, w.handed)
	fails = true
	p.Start()
	require.Same(t, errFails, caughtPanic(p.Close).(*parallelfor.Panic).Value)
	require.True(t, w.t.Disposed())
}

var errFails = errors.New("fails")

type throwing struct {
	Pos   array.Writer[int]
	Fails bool
}

func (t *throwing) Execute(i int) {
	if t.Fails {
		panic(errFails)
	}
}

// Frames of no rows do nothing, and allocate nothing.
func TestEmptyFrames(t *testing.T) {
	if safety.Strict || atom.Explored || atom.Race {
		t.Skip("jobs are made anew in this build")
	}
	w := newWorld()
	w.p.Step()
	require.Zero(t, testing.AllocsPerRun(20, w.p.Step))
	require.False(t, w.p.Running())
	require.Empty(t, w.handed)
}

// Each stage is a region of a trace.
func TestStagesAreRegionsOfATrace(t *testing.T) {
	if trace.IsEnabled() {
		t.Skip("somebody takes a trace")
	}
	w := newWorld()
	w.add(1)
	var buf bytes.Buffer
	require.NoError(t, trace.Start(&buf))
	w.p.Step()
	w.p.Step()
	w.p.Close()
	trace.Stop()
	for _, stage := range []string{"apply", "gather", "schedule", "complete", "hand back"} {
		require.Contains(t, buf.String(), "table: "+stage)
	}
}

// breeding stages a row for every second row, and removes every third.
type breeding struct {
	IDs array.Reader[table.ID]
	Out table.Stager[body]
}

func (b *breeding) Execute(i int) {
	if i%2 == 0 {
		b.Out.Add(body{Pos: 1000 + i})
	}
	if i%3 == 0 {
		b.Out.Remove(b.IDs.At(i))
	}
}

// Requests of the bodies of a loop take place in the order of the sequential loop.
func TestLoopsStage(t *testing.T) {
	var want []int
	for _, workers := range []int{1, 2, 8} {
		b := newBodies(95)
		stop := handout.Force(uint64(workers))
		h := table.Schedule(b.t.Rows(), breeding{b.t.IDs(), b.t.Stager()}, (*breeding).Execute, parallelfor.Workers(workers), parallelfor.Name("breeds"))
		if safety.Enabled {
			arraylaw.Breaks(t, safety.ErrConflict, func() { table.For(b.t.Rows(), breeding{b.t.IDs(), b.t.Stager()}, (*breeding).Execute) })
			arraylaw.Breaks(t, safety.ErrInFlight, func() { b.t.Apply() })
		}
		h.Complete()
		stop()
		require.Equal(t, 95, b.t.Len(), "nothing is applied")
		r := b.t.Apply()
		require.Equal(t, []int{48, 32}, []int{r.Added, r.Removed})
		got := slices.Clone(b.pos.Slice())
		if want == nil {
			want = got
		}
		require.Equal(t, want, got)
		require.Equal(t, 1094, got[len(got)-1])
	}
	lawtest.CheckedOnly(t)
	var w table.Stager[body]
	arraylaw.Breaks(t, safety.ErrStaleView, func() { w.Add(body{}) })
	arraylaw.Breaks(t, safety.ErrStaleView, func() { w.Remove(table.ID{}) })
	arraylaw.Breaks(t, safety.ErrUnassigned, func() {
		parallelfor.For(1, breeding{newBodies(1).t.IDs(), (*table.Table[body])(nil).Stager()}, (*breeding).Execute)
	})
}
