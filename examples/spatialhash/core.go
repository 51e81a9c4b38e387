package main

import (
	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// vec is a place in the box, or a velocity. Particles closer than 1 push each other away.
type vec [3]float32

// space numbers the cells, cubes with edges of 1. All neighbours of a particle are in its cell or
// in one of the 26 around. A row of cells begins and ends with one outside the box.
type space struct {
	row    int     // its length
	around [27]int // what to add to a cell for itself and those around
}

func spaceOf(edge float32) space {
	s := space{row: int(edge) + 2}
	for k := range s.around {
		s.around[k] = s.cell(k%3-1, k/3%3-1, k/9-1)
	}
	return s
}

func (s *space) cell(x, y, z int) int { return x + s.row*(y+s.row*z) }
func (s *space) cellOf(p vec) int     { return s.cell(int(p[0])+1, int(p[1])+1, int(p[2])+1) }

// group adds each particle to its cell.
type group struct {
	Space  space
	Places array.Reader[vec]
	Cells  array.StreamKeyedWriter[int32]
}

func (g *group) Execute(i int) { g.Cells.Add(g.Space.cellOf(g.Places.At(i)), int32(i)) }

// look adds up what the neighbours of each particle do to it.
type look struct {
	Space  space
	Places array.Reader[vec]
	Cells  array.StreamReader[int32]
	Pushes array.Writer[vec]
	Near   counter.ParallelWriter
}

func (l *look) Execute(i int) {
	places := l.Places.Slice()
	home, push := l.Space.cellOf(places[i]), vec{}
	for _, d := range l.Space.around {
		l.Near.Add(push.add(i, places, l.Cells.At(home+d)))
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
	cells                      *array.Stream[int32] // a row of particles for each cell
	near                       *counter.Counter     // neighbours of all particles in all steps
	edge                       float32              // of the box
	space
	opts []parallelfor.Option
}

func newWorld(places, velocities []vec, edge float32, opts ...parallelfor.Option) *world {
	return &world{
		places:     array.Of(places, safety.Named("places")),
		velocities: array.Of(velocities, safety.Named("velocities")),
		pushes:     array.New[vec](len(places), safety.Named("pushes")),
		cells:      array.NewStream[int32](safety.Named("cells")),
		near:       counter.New(safety.Named("near")),
		edge:       edge,
		space:      spaceOf(edge),
		opts:       opts,
	}
}

// step schedules three jobs, each after the one whose results it needs. The order of neighbours
// decides how a sum is rounded; the rows have them in the order of the sequential loop, so a step
// leaves the same bits at any number of workers.
func (w *world) step() {
	n := w.places.Len()
	w.cells.Clear()
	w.cells.Resize(w.row * w.row * w.row)
	grouped := parallelfor.Schedule(n, group{
		Space:  w.space,
		Places: w.places.Reader(),
		Cells:  w.cells.KeyedWriter(),
	}, (*group).Execute, w.opts...)
	looked := parallelfor.Schedule(n, look{
		Space:  w.space,
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
