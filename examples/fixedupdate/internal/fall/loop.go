package fall

import (
	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/parallelfor"
	"example.com/custody/table"
)

// Loop is a world whose steps are a parallel loop over interface calls. The table knows who holds the list of items, but not what the items
// themselves have: that no two of them have something in common is the word of whoever wrote them. And because the loop changes the items, nobody
// may look at one before it ends: what else there is to do in a step is done before.
type Loop struct {
	rows  *table.Table[entry]
	items *table.Key[Item]
	moved *counter.Counter
	job   call
	opts  []parallelfor.Option
	tally Tally
}

// entry is a row: the item is its key and in a column, too.
type entry struct{ Item Item }

// call is the job.
type call struct {
	Items array.Reader[Item]
	Names array.Reader[table.ID]
	Burnt table.Stager[entry]
	Moved counter.ParallelWriter
	Parts int
}

// ExecuteBatch has the items of a chunk move themselves.
func (c *call) ExecuteBatch(begin, end int) {
	moved := int64(0)
	for i, it := range c.Items.Slice()[begin:end] {
		if !it.Alive() {
			continue
		}
		if it.FixedUpdate(c.Parts) {
			c.Burnt.Remove(c.Names.At(begin + i))
		}
		moved++
	}
	c.Moved.Add(moved)
}

// NewLoop returns a world without items. The options are for its loop.
func NewLoop(c Config, opts ...parallelfor.Option) *Loop {
	t := table.New[entry](table.Named("called"), table.ChunkRows(c.Chunk))
	w := &Loop{rows: t, moved: counter.New(), opts: opts}
	w.items = table.KeyOf(t, func(e *entry) *Item { return &e.Item })
	column := table.ColumnOf(t, func(e *entry) *Item { return &e.Item }, table.Named("items"))
	t.Sweep(func(row int) bool { return w.items.At(row).Alive() })
	w.job = call{column.Reader(), t.IDs(), t.Stage(), w.moved.ParallelWriter(), c.Parts}
	return w
}

// Register implements World.
func (w *Loop) Register(it Item) error {
	if err := check(it); err != nil {
		return err
	}
	w.rows.Add(entry{it})
	return nil
}

// Remove implements World.
func (w *Loop) Remove(it Item) { w.items.Remove(it) }

// Step implements World.
func (w *Loop) Step(meanwhile func()) {
	r := w.rows.Apply()
	w.tally.Added += r.Added
	w.tally.Removed += r.Removed
	w.tally.Swept += r.Swept
	w.tally.CalledOff += r.CalledOff
	w.tally.Refused += len(r.Problems)
	meanwhile()
	before := w.moved.Value()
	table.ForChunks(w.rows.Rows(), w.job, (*call).ExecuteBatch, w.opts...)
	moved := int(w.moved.Value() - before)
	w.tally.Moved += moved
	w.tally.PassedBy += w.rows.Len() - moved
}

// Len implements World.
func (w *Loop) Len() int { return w.rows.Len() }

// Tally implements World.
func (w *Loop) Tally() Tally { return w.tally }

// Close implements World.
func (w *Loop) Close() {
	w.rows.Dispose()
	w.moved.Dispose()
}
