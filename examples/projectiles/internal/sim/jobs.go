package sim

import (
	"example.com/custody/array"
	"example.com/custody/table"
)

// Shot is a row: a projectile in the air.
type Shot struct {
	Order  Order
	Aim    Vec // where the target is, or was last
	Flight Flight
	Landed bool
}

// Order is what stays as it is while a projectile flies.
type Order struct {
	Gun    uint32
	Target table.ID // it is the target's name, wherever the row of that is, and when there is none any more
}

// Target is a row.
type Target struct {
	Number   uint32
	At       Vec
	Velocity Vec
	Health   int32
}

// landing is what has become of a projectile.
type landing struct {
	Order
	hit    bool // there was still a target where it landed
	jammed bool // its gun does not fire again at once
}

// seek is the first job of a frame: it reads where the targets are. The aim of a projectile whose target is gone stays.
type seek struct {
	Targets table.Lookup
	At      array.Reader[Vec] // of targets
	Order   array.Reader[Order]
	Aim     array.Writer[Vec]
}

func (j *seek) ExecuteBatch(begin, end int) {
	at, orders, aims := j.At.Slice(), j.Order.Slice()[begin:end], j.Aim.Slice()
	for i := range orders {
		if row, ok := j.Targets.RowOf(orders[i].Target); ok {
			aims[i] = at[row]
		}
	}
}

// arc is the second one: it moves the projectiles, and writes what is seen of them into the back of the poses.
type arc struct {
	Order  array.Reader[Order]
	Aim    array.Reader[Vec]
	Flight array.Writer[Flight]
	Landed array.Writer[bool]
	Poses  array.Writer[Pose]
}

func (j *arc) ExecuteBatch(begin, end int) {
	aims, orders := j.Aim.Slice()[begin:end], j.Order.Slice()[begin:end]
	flights, landed, poses := j.Flight.Slice(), j.Landed.Slice(), j.Poses.Slice()
	for i, aim := range aims {
		p := &poses[i]
		p.Gun = orders[i].Gun
		fly(&flights[i], aim, p)
		landed[i] = p.Landed
	}
}

// apply is the third one: what has landed is staged to be removed, and the gun fires again at a target that there is now.
type apply struct {
	Landed   array.Reader[bool]
	Order    array.Reader[Order]
	IDs      array.Reader[table.ID]
	Targets  table.Lookup
	Names    array.Reader[table.ID] // of targets
	At       array.Reader[Vec]      // of targets
	Shots    table.Stager[Shot]
	Landings array.ParallelWriter[landing]
	Config   Config
	Frame    uint64
}

func (j *apply) ExecuteBatch(begin, end int) {
	for i, landed := range j.Landed.Slice()[begin:end] {
		if landed {
			j.land(begin + i)
		}
	}
}

func (j *apply) land(row int) {
	l := landing{Order: j.Order.At(row)}
	_, l.hit = j.Targets.RowOf(l.Target)
	l.jammed = j.Config.jams(l.Gun, j.Frame)
	j.Landings.Append(l)
	j.Shots.Remove(j.IDs.At(row))
	if !l.jammed {
		k := j.Config.aims(l.Gun, j.Frame, j.Names.Len())
		j.Shots.Add(fired(j.Config, l.Gun, j.Frame, j.Names.At(k), j.At.At(k)))
	}
}

func fired(c Config, gun uint32, frame uint64, target table.ID, at Vec) Shot {
	return Shot{Order: Order{gun, target}, Aim: at, Flight: c.launch(gun, frame, at)}
}

// move is the job that moves the targets.
type move struct{ At, Velocity array.Writer[Vec] }

func (j *move) ExecuteBatch(begin, end int) {
	at, velocities := j.At.Slice(), j.Velocity.Slice()
	for i := range at {
		drive(&at[i], &velocities[i])
	}
}
