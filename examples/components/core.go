package main

import (
	"context"
	"math"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/table"
)

// pair is a job, and two columns whose elements its body gets. Violations name the fields of the
// job, since it is inline, and First and Second.
type pair[J, A, B any] struct {
	Job    J `custody:"inline"`
	First  array.Writer[A]
	Second array.Reader[B]
}

// rows is a kind of job: its body gets the rows of a batch, as slices of both columns.
type rows[J, A, B any] struct{ body func(j *J, a []A, b []B) }

// PerIndex reports that the rows of a batch do not depend on each other.
func (rows[J, A, B]) PerIndex() bool { return true }

// Loop executes batches on one worker.
func (r rows[J, A, B]) Loop(p *pair[J, A, B], batches *parallelfor.Batches) error {
	for batches.Next() {
		r.body(&p.Job, p.First.Slice(), p.Second.Slice()[batches.Begin():batches.End()])
	}
	return nil
}

// thing is what a table has in its columns.
type thing struct {
	at, speed   vec
	angle, rate float32
}

type vec struct{ x, y float32 }

// things are a table: all that is of one archetype, as its tags say.
type things struct {
	*table.Table[thing]
	at, speed   *table.Column[vec]
	angle, rate *table.Column[float32]
}

func newThings(name string, tags ...*table.Tag) things {
	t := table.New[thing](table.Named(name))
	t.Tag(tags...)
	return things{
		Table: t,
		at:    table.ColumnOf(t, func(t *thing) *vec { return &t.at }, table.Named(name+" at")),
		speed: table.ColumnOf(t, func(t *thing) *vec { return &t.speed }, table.Named(name+" speed")),
		angle: table.ColumnOf(t, func(t *thing) *float32 { return &t.angle }, table.Named(name+" angle")),
		rate:  table.ColumnOf(t, func(t *thing) *float32 { return &t.rate }, table.Named(name+" rate")),
	}
}

// world is tables, and the jobs that were scheduled over them.
type world struct {
	driven, frozen *table.Tag
	tables         []table.Any
	of             map[table.Any]things
	opts           []parallelfor.Option
	handles        []parallelfor.Handle
}

// schedule schedules a job over each table that the query chooses. Jobs over different columns or
// tables run side by side; with AutoOrder the others run in the order in which they were scheduled.
func schedule[J, A, B any](w *world, q table.Query, job J, body func(j *J, a []A, b []B), columns func(t things) (*table.Column[A], *table.Column[B])) {
	for chosen := range q.All() {
		t := w.of[chosen]
		first, second := columns(t)
		pair := pair[J, A, B]{Job: job, First: first.Writer(), Second: second.Reader()}
		w.handles = append(w.handles, parallelfor.ScheduleKind(context.Background(), t.Len(), pair, rows[J, A, B]{body: body}, append(w.opts, parallelfor.AutoOrder())...))
	}
}

// step schedules the systems of a step, then completes all.
func (w *world) step() {
	all := table.Over(w.tables...)
	schedule(w, all.Without(w.frozen), turn{Seconds: 0.1}, (*turn).Execute,
		func(t things) (*table.Column[float32], *table.Column[float32]) { return t.angle, t.rate })
	schedule(w, all.With(w.driven), steer{Thrust: 0.5}, (*steer).Execute,
		func(t things) (*table.Column[vec], *table.Column[float32]) { return t.speed, t.angle })
	schedule(w, all.Without(w.frozen), move{Seconds: 0.1}, (*move).Execute,
		func(t things) (*table.Column[vec], *table.Column[vec]) { return t.at, t.speed })
	schedule(w, all.Without(w.frozen), bounce{Edge: 1000}, (*bounce).Execute,
		func(t things) (*table.Column[vec], *table.Column[vec]) { return t.speed, t.at })
	parallelfor.Combine(w.handles...).Complete()
	w.handles = w.handles[:0]
}

// The jobs. The compiler inlines what a job does with one row into its loop, as it does into the
// plain loop. Conversions of products forbid it to fuse a product and a sum.
type (
	turn   struct{ Seconds float32 }
	steer  struct{ Thrust float32 }
	move   struct{ Seconds float32 }
	bounce struct{ Edge float32 }
)

func (j *turn) Execute(angle, rate []float32) {
	for i, rate := range rate {
		j.row(&angle[i], rate)
	}
}

func (j *turn) row(angle *float32, rate float32) { *angle += float32(rate * j.Seconds) }

func (j *steer) Execute(speed []vec, angle []float32) {
	for i, angle := range angle {
		j.row(&speed[i], angle)
	}
}

func (j *steer) row(speed *vec, angle float32) {
	sin, cos := math.Sincos(float64(angle))
	speed.x = float32(speed.x*0.99) + float32(j.Thrust*float32(cos))
	speed.y = float32(speed.y*0.99) + float32(j.Thrust*float32(sin))
}

func (j *move) Execute(at, speed []vec) {
	for i, speed := range speed {
		j.row(&at[i], speed)
	}
}

func (j *move) row(at *vec, speed vec) {
	at.x += float32(speed.x * j.Seconds)
	at.y += float32(speed.y * j.Seconds)
}

func (j *bounce) Execute(speed, at []vec) {
	for i, at := range at {
		j.row(&speed[i], at)
	}
}

func (j *bounce) row(speed *vec, at vec) {
	if at.x < 0 && speed.x < 0 || at.x > j.Edge && speed.x > 0 {
		speed.x = -speed.x
	}
	if at.y < 0 && speed.y < 0 || at.y > j.Edge && speed.y > 0 {
		speed.y = -speed.y
	}
}
