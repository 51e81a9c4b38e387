package main

import (
	"iter"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/table"
)

// object is what a world updates in fixed steps. Any type may be one.
type object interface {
	body() body   // for the next step
	moved(b body) // the result of a step
	alive() bool  // false after a step ends the object
}

// row is an object, and its body for the time of a step.
type row struct {
	object object
	body   body
}

// update is the job of the three loops of a step. In the first and the last one nothing else uses
// the objects, because a stage of a frame waits for its loop.
type update struct {
	Objects array.Reader[object]
	Bodies  array.Writer[body]
	IDs     array.Reader[table.ID]
	Over    table.Stager[row]
}

// gather takes the bodies out of the objects.
func (u *update) gather(begin, end int) {
	bodies := u.Bodies.Slice()
	for i, o := range u.Objects.Slice()[begin:end] {
		bodies[i] = o.body()
	}
}

// move moves the bodies and stages the removal of those whose time is over.
func (u *update) move(begin, end int) {
	bodies := u.Bodies.Slice()
	for i := range bodies {
		if bodies[i].move() {
			u.Over.Remove(u.IDs.At(begin + i))
		}
	}
}

// handBack gives the objects their bodies and stages the removal of those that have died.
func (u *update) handBack(begin, end int) {
	bodies := u.Bodies.Slice()
	for i, o := range u.Objects.Slice()[begin:end] {
		if o.alive() {
			o.moved(bodies[i])
		} else {
			u.Over.Remove(u.IDs.At(begin + i))
		}
	}
}

// world has its objects in the rows of a table.
type world struct {
	rows   *table.Table[row]
	keys   *table.Key[object]
	frames *table.Pipeline
}

func newWorld(chunk int, opts ...parallelfor.Option) *world {
	w := &world{rows: table.New[row](table.Named("objects"), table.ChunkRows(chunk))}
	w.keys = table.KeyOf(w.rows, func(r *row) *object { return &r.object })
	objects := table.ColumnOf(w.rows, func(r *row) *object { return &r.object })
	bodies := table.ColumnOf(w.rows, func(r *row) *body { return &r.body }, table.Named("bodies"))
	job := update{Objects: objects.Reader(), Bodies: bodies.Writer(), IDs: w.rows.IDs(), Over: w.rows.Stager()}
	rows := w.rows.Rows()
	w.frames = table.NewPipeline(w.rows, table.Frame{ // Start applies what was staged, then:
		Gather:   func(iter.Seq[int]) { table.ForChunks(rows, job, (*update).gather, opts...) },
		Schedule: func() parallelfor.Handle { return table.ScheduleChunks(rows, job, (*update).move, opts...) },
		HandBack: func(iter.Seq[int]) { table.ForChunks(rows, job, (*update).handBack, opts...) },
	})
	return w
}

// add and remove stage what the next step begins with: from any goroutine, also while a job runs.
func (w *world) add(o object)    { w.rows.Add(row{object: o}) }
func (w *world) remove(o object) { w.keys.Remove(o) }

// step makes a step; meanwhile runs beside its job.
func (w *world) step(meanwhile func()) {
	w.frames.Start()
	meanwhile()
	w.frames.Finish()
}
