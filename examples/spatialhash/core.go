package main

import (
	"math"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/hashmap"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// vec is a place in the box, or a velocity. Particles closer than 1 push each other away.
type vec [3]float32

// cell is a cube of space with edges of 1: its coordinates plus 1, in 21 bits each. All neighbours
// of a particle are in its cell or in one of the 26 around.
type cell uint64

func cellOf(p vec) cell         { return packed(int64(p[0])+1, int64(p[1])+1, int64(p[2])+1) }
func packed(x, y, z int64) cell { return cell(x + y<<21 + z<<42) }

// around is what to add to a cell for itself and its 26 neighbours.
var around = func() (list [27]cell) {
	for k := range list {
		k := int64(k)
		list[k] = packed(k%3-1, k/3%3-1, k/9-1)
	}
	return list
}()

// group adds each particle to its cell.
type group struct {
	Places array.Reader[vec]
	Cells  hashmap.MultiParallelWriter[cell, int32]
}

func (g *group) Execute(i int) { g.Cells.Add(cellOf(g.Places.At(i)), int32(i)) }

// look adds up what the neighbours of each particle do to it.
type look struct {
	Places array.Reader[vec]
	Cells  hashmap.MultiReader[cell, int32]
	Pushes array.Writer[vec]
	Near   counter.ParallelWriter
}

func (l *look) Execute(i int) {
	places := l.Places.Slice()
	home, push := cellOf(places[i]), vec{}
	for _, d := range around {
		l.Near.Add(push.add(i, places, l.Cells.Values(home+d)))
	}
	l.Pushes.Set(i, push)
}

// move moves each particle.
type move struct {
	Pushes             array.Reader[vec]
	Places, Velocities array.Writer[vec]
	Edge               float32
}

func (m *move) Execute(i int) {
	p, v := moved(m.Places.At(i), m.Velocities.At(i), m.Pushes.At(i), m.Edge)
	m.Places.Set(i, p)
	m.Velocities.Set(i, v)
}

// world is the particles, in columns.
type world struct {
	places, velocities, pushes *array.Array[vec]
	cells                      *hashmap.MultiMap[cell, int32]
	near                       *counter.Counter // neighbours of all particles in all steps
	edge                       float32          // of the box
	opts                       []parallelfor.Option
}

func newWorld(places, velocities []vec, edge float32, opts ...parallelfor.Option) *world {
	return &world{
		places:     array.Of(places, safety.Named("places")),
		velocities: array.Of(velocities, safety.Named("velocities")),
		pushes:     array.New[vec](len(places), safety.Named("pushes")),
		cells:      hashmap.NewMulti[cell, int32](safety.Named("cells")),
		near:       counter.New(safety.Named("near")),
		edge:       edge,
		opts:       opts,
	}
}

// step schedules three jobs, each after the one whose results it needs. The order of neighbours
// decides how a sum is rounded; the multimap has them in the order of the sequential loop, so a
// step leaves the same bits at any number of workers.
func (w *world) step() {
	n := w.places.Len()
	grouped := parallelfor.Schedule(n, group{
		Places: w.places.Reader(),
		Cells:  w.cells.ParallelWriter(),
	}, (*group).Execute, w.opts...)
	looked := parallelfor.Schedule(n, look{
		Places: w.places.Reader(),
		Cells:  w.cells.Reader(),
		Pushes: w.pushes.Writer(),
		Near:   w.near.ParallelWriter(),
	}, (*look).Execute, w.after(grouped)...)
	moving := parallelfor.Schedule(n, move{
		Pushes:     w.pushes.Reader(),
		Places:     w.places.Writer(),
		Velocities: w.velocities.Writer(),
		Edge:       w.edge,
	}, (*move).Execute, w.after(looked)...)
	looked.Complete()
	w.cells.Clear() // while the particles move
	moving.Complete()
}

func (w *world) after(h parallelfor.Handle) []parallelfor.Option {
	return append([]parallelfor.Option{parallelfor.After(h)}, w.opts...)
}

// add adds the pushes of some particles on particle i, and returns how many of them are near. The
// conversions of products forbid the compiler to fuse a product and a sum, which would round once.
func (v *vec) add(i int, places []vec, some []int32) (near int64) {
	at := places[i]
	for _, k := range some {
		x, y, z := at[0]-places[k][0], at[1]-places[k][1], at[2]-places[k][2]
		square := float32(x*x) + float32(y*y) + float32(z*z)
		if square >= 1 || int(k) == i {
			continue
		}
		near++
		v[0] += float32((1 - square) * x)
		v[1] += float32((1 - square) * y)
		v[2] += float32((1 - square) * z)
	}
	return near
}

// moved returns a place and a velocity after a step. At the walls of the box a particle turns back.
func moved(p, v, push vec, edge float32) (vec, vec) {
	for k := range p {
		v[k] = float32(v[k]*0.95) + float32(push[k]*0.02)
		p[k] += v[k]
		if p[k] < 0 || p[k] >= edge {
			v[k] = -v[k]
			p[k] = min(max(p[k], 0), math.Nextafter32(edge, 0))
		}
	}
	return p, v
}
