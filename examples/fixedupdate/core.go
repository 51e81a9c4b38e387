package main

import (
	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/table"
)

// object is what a world updates in fixed steps. Any type may be one.
type object interface {
	body() body   // for the next step
	moved(b body) // the result of a step
	alive() bool  // false ends the object
}

// row is an object, and its body for the time of a step.
type row struct {
	object object
	body   body
}

// update moves the bodies and stages the removal of those whose time is over.
type update struct {
	Bodies array.Writer[body]
	IDs    array.Reader[table.ID]
	Over   table.Stager[row]
}

func (u *update) Execute(i int) {
	if b := u.Bodies.Ptr(i); b.move() {
		u.Over.Remove(u.IDs.At(i))
	}
}

// world has its objects in the rows of a table.
type world struct {
	rows    *table.Table[row]
	objects *table.Key[object]
	bodies  *table.Column[body]
	frames  *table.Pipeline
}

func newWorld(chunk int, opts ...parallelfor.Option) *world {
	w := &world{rows: table.New[row](table.Named("objects"), table.ChunkRows(chunk))}
	w.objects = table.KeyOf(w.rows, func(r *row) *object { return &r.object })
	w.bodies = table.ColumnOf(w.rows, func(r *row) *body { return &r.body }, table.Named("bodies"))
	w.rows.Sweep(func(row int) bool { return w.objects.At(row).alive() })
	job := update{Bodies: w.bodies.Writer(), IDs: w.rows.IDs(), Over: w.rows.Stager()}
	w.frames = table.NewPipeline(w.rows, table.Frame{ // Start applies what was staged, then:
		Gather:   func(row int) { w.bodies.Set(row, w.objects.At(row).body()) },
		Schedule: func() parallelfor.Handle { return table.Schedule(w.rows.Rows(), job, (*update).Execute, opts...) },
		HandBack: func(row int) { w.objects.At(row).moved(w.bodies.At(row)) },
	})
	return w
}

// add and remove stage what the next step begins with: from any goroutine, also while a job runs.
func (w *world) add(o object)    { w.rows.Add(row{object: o}) }
func (w *world) remove(o object) { w.objects.Remove(o) }

// step makes a step; meanwhile runs beside its job.
func (w *world) step(meanwhile func()) {
	w.frames.Start()
	meanwhile()
	w.frames.Finish()
}
