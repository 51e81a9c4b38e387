package fall

import (
	"time"

	"example.com/custody/array"
	"example.com/custody/examples/fixedupdate/internal/motion"
	"example.com/custody/parallelfor"
	"example.com/custody/table"
)

// Columns is a world that has the bodies of its items in columns. A step brings them there, has one job move them, and tells the items what
// has become of them.
type Columns struct {
	rows   *table.Table[row]
	items  *table.Key[Item]
	frames *table.Pipeline
	job    fall
	opts   []parallelfor.Option

	at    column[motion.Vec]
	speed column[motion.Vec]
	turn  column[motion.Quat]
	spin  column[motion.Vec]
	left  column[int32]
	shape column[motion.Shape]

	tally  Tally
	handed int // in this step
	clock  clock
}

// row is an item, and its body for the time of a step.
type row struct {
	Item Item
	motion.Body
}

// column is one of the table, and its elements as the owner sees them between Apply and the next one.
type column[T any] struct {
	*table.Column[T]
	all []T
}

// fall is the job: it moves bodies. The shapes are only read.
type fall struct {
	At    array.Writer[motion.Vec]
	Speed array.Writer[motion.Vec]
	Turn  array.Writer[motion.Quat]
	Spin  array.Writer[motion.Vec]
	Left  array.Writer[int32]
	Shape array.Reader[motion.Shape]
	Names array.Reader[table.ID]
	Burnt table.Stager[row]
	Parts int
}

// ExecuteBatch moves the bodies of a chunk. Those that have burnt out remove themselves.
func (f *fall) ExecuteBatch(begin, end int) {
	at, speed, turn, spin, left := f.At.Slice(), f.Speed.Slice(), f.Turn.Slice(), f.Spin.Slice(), f.Left.Slice()
	shape := f.Shape.Slice()[begin:end]
	for i := range at {
		at[i], speed[i], turn[i], spin[i] = motion.Advance(at[i], speed[i], turn[i], spin[i], shape[i], f.Parts)
		if left[i]--; left[i] == 0 {
			f.Burnt.Remove(f.Names.At(begin + i))
		}
	}
}

// NewColumns returns a world without items. The options are for its loop; what it leaves depends neither on them nor on the chunks.
func NewColumns(c Config, opts ...parallelfor.Option) *Columns {
	t := table.New[row](table.Named("falling"), table.ChunkRows(c.Chunk))
	w := &Columns{rows: t, opts: opts}
	w.items = table.KeyOf(t, func(r *row) *Item { return &r.Item })
	w.at.Column = table.ColumnOf(t, func(r *row) *motion.Vec { return &r.At }, table.Named("at"))
	w.speed.Column = table.ColumnOf(t, func(r *row) *motion.Vec { return &r.Speed }, table.Named("speed"))
	w.turn.Column = table.ColumnOf(t, func(r *row) *motion.Quat { return &r.Turn }, table.Named("turn"))
	w.spin.Column = table.ColumnOf(t, func(r *row) *motion.Vec { return &r.Spin }, table.Named("spin"))
	w.left.Column = table.ColumnOf(t, func(r *row) *int32 { return &r.Left }, table.Named("left"))
	w.shape.Column = table.ColumnOf(t, func(r *row) *motion.Shape { return &r.Shape }, table.Named("shape"))
	t.Sweep(func(row int) bool { return w.items.At(row).Alive() })
	w.job = fall{
		w.at.Writer(), w.speed.Writer(), w.turn.Writer(), w.spin.Writer(), w.left.Writer(),
		w.shape.Reader(), t.IDs(), t.Stage(), c.Parts,
	}
	w.frames = table.NewPipeline(t, table.Stages{Applied: w.applied, Gather: w.gather, Schedule: w.schedule, HandBack: w.handBack})
	return w
}

// Register implements World.
func (w *Columns) Register(it Item) error {
	if err := check(it); err != nil {
		return err
	}
	w.rows.Add(row{Item: it})
	return nil
}

// Remove implements World.
func (w *Columns) Remove(it Item) { w.items.Remove(it) }

// Step implements World. A program that draws a frame between two steps has the job run until then: it calls Step of the pipeline.
func (w *Columns) Step(meanwhile func()) {
	w.clock.begin()
	w.frames.Start()
	meanwhile()
	w.clock.stamp(Meanwhile)
	w.handed = 0
	runs := w.frames.Running()
	w.frames.Finish()
	w.clock.stamp(HandBack)
	if runs {
		w.tally.Moved += w.handed
		w.tally.PassedBy += w.rows.Len() - w.handed
	}
}

// applied is told what has become of the requests, and has the columns as slices until the next Apply.
func (w *Columns) applied(r table.Report) {
	w.tally.Added += r.Added
	w.tally.Removed += r.Removed
	w.tally.Swept += r.Swept
	w.tally.CalledOff += r.CalledOff
	w.tally.Refused += len(r.Problems)
	w.at.all, w.speed.all, w.turn.all = w.at.Slice(), w.speed.Slice(), w.turn.Slice()
	w.spin.all, w.left.all, w.shape.all = w.spin.Slice(), w.left.Slice(), w.shape.Slice()
	w.clock.stamp(Apply)
}

func (w *Columns) gather(row int) {
	b := w.items.At(row).Body()
	w.at.all[row], w.speed.all[row], w.turn.all[row] = b.At, b.Speed, b.Turn
	w.spin.all[row], w.left.all[row], w.shape.all[row] = b.Spin, b.Left, b.Shape
}

func (w *Columns) schedule() parallelfor.Handle {
	w.clock.stamp(Gather)
	h := table.ScheduleChunks(w.rows.Rows(), w.job, (*fall).ExecuteBatch, w.opts...)
	w.clock.stamp(Schedule)
	return h
}

func (w *Columns) handBack(row int) {
	if w.handed == 0 {
		w.clock.stamp(Complete)
	}
	w.handed++
	w.items.At(row).Moved(motion.Body{
		At: w.at.all[row], Speed: w.speed.all[row], Turn: w.turn.all[row],
		Spin: w.spin.all[row], Left: w.left.all[row], Shape: w.shape.all[row],
	})
}

// Len implements World.
func (w *Columns) Len() int { return w.rows.Len() }

// Tally implements World.
func (w *Columns) Tally() Tally { return w.tally }

// Took returns how long each stage took, step by step.
func (w *Columns) Took() [][Stages]time.Duration { return w.clock.took }

// Close implements World.
func (w *Columns) Close() { w.frames.Close() }
