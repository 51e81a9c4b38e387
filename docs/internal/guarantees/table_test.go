//go:build !race && !custody_explore

package guarantees_test

import (
	"context"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/table"
)

// item is a row.
type item struct{ Key, X, Y int }

// stored is a table of items.
type stored struct {
	t   *table.Table[item]
	key *table.Key[int]
	x   *table.Column[int]
	y   *table.DoubleColumn[int]
	tag *table.Tag
}

func newStored() *stored {
	s := &stored{t: table.New[item](table.ChunkRows(2)), tag: table.NewTag("counted")}
	s.key = table.KeyOf(s.t, func(r *item) *int { return &r.Key })
	s.x = table.ColumnOf(s.t, func(r *item) *int { return &r.X }, table.Named("x"))
	s.y = table.DoubleOf(s.t, func(r *item) *int { return &r.Y }, table.Named("y"))
	s.t.Tag(s.tag)
	for i := range many {
		s.t.Add(item{Key: i})
	}
	s.t.Apply()
	return s
}

// countTables counts the rows of package table.
func countTables(c *counted) {
	s := newStored()
	t, id := s.t, s.t.ID(1)
	of := c.of("table.Table")
	of("Len, Count", func() { used(t.Len()); used(t.Count()) })
	of("RowOf, ID", func() { t.RowOf(id); used(t.ID(1)) })
	of("Tagged", func() { used(t.Tagged(s.tag)) })
	of("Chunk, Name", func() { used(t.Chunk()); used(t.Name()) })
	of("Rows, IDs, Lookup, Stager", func() { used(t.Rows()); used(t.IDs()); used(t.Lookup()); used(t.Stager()) })
	of("Disposed", func() { used(t.Disposed()) })
	of("Stats", func() { used(t.Stats()) })
	of("Dispose", each(func() *table.Table[item] { return table.New[item]() }, func(t *table.Table[item]) { t.Dispose() }))

	of = c.of("table.Column")
	of("Len, At, Set", func() { s.x.Set(1, s.x.At(s.x.Len()-1)) })
	of("All", func() {
		for range s.x.All() {
		}
	})
	of("Slice", func() { used(s.x.Slice()) })
	of("Reader, Writer", func() { used(s.x.Reader()); used(s.x.Writer()) })
	of = c.of("table.DoubleColumn")
	of("Front, Back", func() { used(s.y.Front()); used(s.y.Back()) })
	of("Swap", func() { s.y.Swap() })
	of = c.of("table.Key")
	of("Find, RowOf, At", func() { s.key.Find(1); s.key.RowOf(2); used(s.key.At(3)) })
	of("All", func() {
		for range s.key.All() {
		}
	})

	changes := table.NewChanges(s.x)
	c.of("table.Changes")("Forget", func() { changes.Forget() })
	pipeline := table.NewPipeline(t, table.Frame{Schedule: func() parallelfor.Handle { return parallelfor.Handle{} }})
	c.of("table.Pipeline")("Running", func() { used(pipeline.Running()) })
	query := table.Over(t, t).With(s.tag)
	c.of("table.Query")("All", func() {
		for range query.All() {
		}
	})
	rows := t.Rows()
	c.of("table.Rows")("Changed", func() { used(rows.Changed(changes)) })
	c.of("table.Tag")("String", func() { used(s.tag.String()) })
	problem := table.Problem{Err: table.ErrRemovedTwice}
	c.of("table.Problem")("Unwrap", func() { used(problem.Unwrap()) })
	of = c.of("table")
	of("Named, Discard", func() { used(table.Named("x")); used(table.Discard()) })

	parallelfor.Do(t.Lookup(), func(l *table.Lookup) {
		c.of("table.Lookup")("RowOf", func() { l.RowOf(id) })
	})
	countTableLoops(c, s)
}

// doubling is a job over the rows of a table.
type doubling struct{ X array.Writer[int] }

func (d *doubling) Execute(i int) { d.X.Set(i, 2*d.X.At(i)) }

func (d *doubling) ExecuteBatch(begin, end int) { d.X.Slice() }

// trying is one that can fail.
type trying struct{ X array.Writer[int] }

func (d *trying) Execute(i int) error { return nil }

func (d *trying) ExecuteBatch(begin, end int) error { return nil }

// countTableLoops counts the loops over a table.
func countTableLoops(c *counted, s *stored) {
	ctx, rows := context.Background(), s.t.Rows()
	x := s.x.Writer()
	job, try := doubling{x}, trying{x}
	c.loop("table", "For", func() {
		table.For(rows, job, (*doubling).Execute)
		table.For(rows, x, func(*array.Writer[int], int) {})
	})
	c.loop("table", "ForChunks", func() {
		table.ForChunks(rows, job, (*doubling).ExecuteBatch)
		table.ForChunks(rows, x, func(*array.Writer[int], int, int) {})
	})
	c.loop("table", "ForErr", func() {
		used(table.ForErr(ctx, rows, try, (*trying).Execute))
		used(table.ForErr(ctx, rows, x, func(*array.Writer[int], int) error { return nil }))
	})
	c.loop("table", "ForChunksErr", func() {
		used(table.ForChunksErr(ctx, rows, try, (*trying).ExecuteBatch))
		used(table.ForChunksErr(ctx, rows, x, func(*array.Writer[int], int, int) error { return nil }))
	})
	c.loop("table", "Schedule", func() { table.Schedule(rows, job, (*doubling).Execute).Complete() })
	c.loop("table", "ScheduleChunks", func() { table.ScheduleChunks(rows, job, (*doubling).ExecuteBatch).Complete() })
	c.loop("table", "ScheduleErr", func() { table.ScheduleErr(ctx, rows, try, (*trying).Execute).Complete() })
	c.loop("table", "ScheduleChunksErr", func() { table.ScheduleChunksErr(ctx, rows, try, (*trying).ExecuteBatch).Complete() })
}
