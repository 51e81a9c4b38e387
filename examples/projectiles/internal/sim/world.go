package sim

import (
	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
	"example.com/custody/table"
)

// World is the simulation on tables. It is for one goroutine.
type World struct {
	config   Config
	opts     []parallelfor.Option
	targets  targets
	shots    shots
	poses    *array.Double[Pose]
	landings *array.List[landing]
	frames   *table.Pipeline
	frame    uint64
	running  int // rows of the frame that is computed
	shown    int // and of that which can be seen
	waiting  waiting
	tally    Tally
}

// targets is the table of targets.
type targets struct {
	*table.Table[Target]
	number       *table.Key[uint32]
	at, velocity *table.Column[Vec]
	health       *table.Column[int32]
	next         uint32 // number
}

// shots is the table of projectiles.
type shots struct {
	*table.Table[Shot]
	order  *table.Column[Order]
	aim    *table.Column[Vec]
	flight *table.Column[Flight]
	landed *table.Column[bool]
}

// Tally counts what happens.
type Tally struct{ Fired, Landed, Hits, Killed int }

// NewWorld returns a World before its first frame. The options are those of its loops.
func NewWorld(c Config, opts ...parallelfor.Option) *World {
	w := &World{config: c, opts: opts, targets: newTargets(), shots: newShots(c)}
	w.poses = array.NewDouble[Pose](c.Guns, safety.Named("poses"))
	w.landings = array.NewList[landing](safety.Named("landings"))
	w.frames = table.NewPipeline(w.shots.Table, table.Stages{Applied: w.applied, Schedule: w.schedule})
	for range c.Targets {
		w.arrive()
	}
	w.targets.Apply()
	w.waiting.all(c.Guns)
	return w
}

func newTargets() targets {
	t := table.New[Target](table.Named("targets"))
	return targets{
		Table:    t,
		number:   table.KeyOf(t, func(r *Target) *uint32 { return &r.Number }),
		at:       table.ColumnOf(t, func(r *Target) *Vec { return &r.At }, table.Named("at")),
		velocity: table.ColumnOf(t, func(r *Target) *Vec { return &r.Velocity }, table.Named("velocity")),
		health:   table.ColumnOf(t, func(r *Target) *int32 { return &r.Health }, table.Named("health")),
	}
}

func newShots(c Config) shots {
	t := table.New[Shot](table.Named("shots"), table.ChunkRows(c.Chunk))
	return shots{
		Table:  t,
		order:  table.ColumnOf(t, func(r *Shot) *Order { return &r.Order }, table.Named("order")),
		aim:    table.ColumnOf(t, func(r *Shot) *Vec { return &r.Aim }, table.Named("aim")),
		flight: table.ColumnOf(t, func(r *Shot) *Flight { return &r.Flight }, table.Named("flight")),
		landed: table.ColumnOf(t, func(r *Shot) *bool { return &r.Landed }, table.Named("landed"), table.Discard()),
	}
}

// Step finishes the frame before, if that was not done, and starts the next one. While that runs the poses of the frame before can be seen, and
// the guns that were silent fire.
func (w *World) Step() {
	w.Finish()
	w.settle()
	w.frame++
	w.frames.Start()
	w.fire()
}

// Finish completes the frame that was started, if there is one: its poses can be seen.
func (w *World) Finish() {
	if w.frames.Running() {
		w.frames.Finish()
		w.poses.Swap()
		w.shown = w.running
	}
}

// settle has the landings of the frame before take effect on targets and guns, and the targets move.
func (w *World) settle() {
	t := &w.targets
	for _, l := range w.landings.Slice() {
		w.tally.Landed++
		if l.jammed {
			w.waiting.add(w.frame, l.Gun)
		} else {
			w.tally.Fired++
		}
		if !l.hit {
			continue
		}
		w.tally.Hits++
		row, _ := t.RowOf(l.Target)
		health := t.health.At(row) - 1
		t.health.Set(row, health)
		if health == 0 {
			w.tally.Killed++
			t.Remove(l.Target)
			w.arrive()
		}
	}
	w.landings.Clear()
	t.Apply()
	table.ForChunks(t.Rows(), move{t.at.Writer(), t.velocity.Writer()}, (*move).ExecuteBatch, w.opts...)
}

// arrive stages another target.
func (w *World) arrive() {
	r := Target{Number: w.targets.next, Health: toughness}
	w.targets.next++
	r.At, r.Velocity = w.config.begin(r.Number)
	w.targets.Add(r)
}

// fire stages the projectiles of guns that have waited.
func (w *World) fire() {
	t := &w.targets
	for _, gun := range w.waiting.take(w.frame) {
		k := w.config.aims(gun, w.frame, t.Len())
		w.shots.Add(fired(w.config, gun, w.frame, t.ID(k), t.at.At(k)))
		w.tally.Fired++
	}
}

// applied is told what the frame begins with.
func (w *World) applied(r table.Report) {
	for _, p := range r.Problems {
		panic(p) // each projectile lands once
	}
	w.running = w.shots.Len()
}

// schedule schedules the three jobs of a frame, each of which needs what the one before it leaves.
func (w *World) schedule() parallelfor.Handle {
	rows := w.shots.Rows()
	seeking := table.ScheduleChunks(rows, w.seek(), (*seek).ExecuteBatch, w.opts...)
	flying := table.ScheduleChunks(rows, w.arc(), (*arc).ExecuteBatch, w.after(seeking)...)
	return table.ScheduleChunks(rows, w.apply(), (*apply).ExecuteBatch, w.after(flying)...)
}

func (w *World) seek() seek {
	s, t := &w.shots, &w.targets
	return seek{Targets: t.Lookup(), At: t.at.Reader(), Order: s.order.Reader(), Aim: s.aim.Writer()}
}

func (w *World) arc() arc {
	s := &w.shots
	return arc{Order: s.order.Reader(), Aim: s.aim.Reader(), Flight: s.flight.Writer(), Landed: s.landed.Writer(), Poses: w.poses.Back().Writer()}
}

func (w *World) apply() apply {
	s, t := &w.shots, &w.targets
	return apply{
		Landed: s.landed.Reader(), Order: s.order.Reader(), IDs: s.IDs(),
		Targets: t.Lookup(), Names: t.IDs(), At: t.at.Reader(),
		Shots: s.Stage(), Landings: w.landings.ParallelWriter(), Config: w.config, Frame: w.frame,
	}
}

// after returns the options of a job that runs after another one.
func (w *World) after(h parallelfor.Handle) []parallelfor.Option {
	k := len(w.opts)
	return append(w.opts[:k:k], parallelfor.After(h))
}

// Poses returns what is seen: the projectiles of the last frame that was finished, also while the next one is computed. It is good until that is.
func (w *World) Poses() []Pose { return w.poses.Front().Slice()[:w.shown] }

// Close ends the world. A frame that runs is completed.
func (w *World) Close() {
	w.frames.Close()
	w.targets.Dispose()
	w.poses.Dispose()
	w.landings.Dispose()
}
