package programs

import (
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/puzpuzpuz/xsync/v4"

	"example.com/custody/array"
	"example.com/custody/bench/internal/rows"
	"example.com/custody/parallelfor"
)

// particles puts particles into cells, which have dense numbers, and visits all cells; in each of
// some frames.
func particles(n int) program {
	const one = "counting sort, one goroutine"
	list := someParticles(n)
	work := rows.Thousands(n) + " particles put into 4k cells, cells visited"
	return program{work, n * frames, 0.9, one, []way{
		by(ours, list, flows, sequence),
		by("xsync.Map of slices, sorted", list, flowsXsync, sequence),
		hand("counting sort, all processors", list, func(list []particle) []flow {
			return flowsByHand(list, procs(), rows.PartsHere)
		}, sequence),
		hand(one, list, func(list []particle) []flow {
			return flowsByHand(list, 1, func(n int, part func(p, begin, end int)) { part(0, 0, n) })
		}, sequence),
	}}
}

const (
	edge   = 64 // cells along each edge
	cells  = edge * edge
	frames = 4
)

// particle is where a particle is in frame 0, and how far it moves in a frame.
type particle struct{ x, y, vx, vy float32 }

// cell returns the number of the particle's cell in a frame.
func (p *particle) cell(frame int) int {
	f := float32(frame)
	return edge*int(p.y+float32(f*p.vy)) + int(p.x+float32(f*p.vx))
}

// flow is the sum of the velocities of the particles that were in a cell.
type flow struct{ x, y float32 }

func (f *flow) add(p *particle) {
	f.x += p.vx
	f.y += p.vy
}

// locating is a job that finds the cells of particles.
type locating struct {
	Particles array.Reader[particle]
	Cells     array.Writer[uint16]
	Frame     int
}

func (j *locating) ExecuteBatch(begin, end int) {
	list, out := j.Particles.Slice()[begin:end], j.Cells.Slice()
	for i := range out {
		out[i] = uint16(list[i].cell(j.Frame))
	}
}

// placing is a job that puts particles into their cells.
type placing struct {
	Cells array.Reader[uint16]
	Grid  array.StreamKeyedWriter[int32]
}

func (j *placing) ExecuteBatch(begin, end int) { array.GroupIndices(&j.Grid, &j.Cells, begin, end) }

// visiting is a job that adds up the velocities in a cell.
type visiting struct {
	Particles array.Reader[particle]
	Cells     array.StreamReader[int32]
	Flows     array.Writer[flow]
}

func (j *visiting) Execute(c int) {
	list, f := j.Particles.Slice(), j.Flows.Ptr(c)
	for _, i := range j.Cells.At(c) {
		f.add(&list[i])
	}
}

func flows(list []particle) []flow {
	in, out := array.Of(list), array.New[flow](cells)
	of, grid := array.New[uint16](len(list)), array.NewStream[int32]()
	for frame := range frames {
		grid.Clear()
		grid.Resize(cells)
		parallelfor.ForBatch(len(list), locating{
			Particles: in.Reader(),
			Cells:     of.Writer(),
			Frame:     frame,
		}, (*locating).ExecuteBatch)
		parallelfor.ForBatch(len(list), placing{
			Cells: of.Reader(),
			Grid:  grid.KeyedWriter(),
		}, (*placing).ExecuteBatch)
		parallelfor.For(cells, visiting{
			Particles: in.Reader(),
			Cells:     grid.Reader(),
			Flows:     out.Writer(),
		}, (*visiting).Execute)
	}
	return out.Slice()
}

// flowsByHand sorts the particles by cell. Each worker counts and moves a part of them, and visits
// a part of the cells; parts starts the workers and waits.
func flowsByHand(list []particle, workers int, parts func(int, func(p, begin, end int))) []flow {
	out, places := make([]flow, cells), make([][cells]int32, workers)
	in, sorted := make([]uint16, len(list)), make([]int32, len(list))
	begins := make([]int32, cells+1)
	for frame := range frames {
		parts(len(list), func(p, begin, end int) {
			counts := &places[p]
			clear(counts[:])
			for i := begin; i < end; i++ {
				c := list[i].cell(frame)
				in[i] = uint16(c)
				counts[c]++
			}
		})
		at := int32(0)
		for c := range cells {
			for p := range places {
				at, places[p][c] = at+places[p][c], at
			}
			begins[c+1] = at
		}
		parts(len(list), func(p, begin, end int) {
			next := &places[p]
			for i := begin; i < end; i++ {
				c := in[i]
				sorted[next[c]] = int32(i)
				next[c]++
			}
		})
		parts(cells, func(_, begin, end int) {
			for c := begin; c < end; c++ {
				for _, i := range sorted[begins[c]:begins[c+1]] {
					out[c].add(&list[i])
				}
			}
		})
	}
	return out
}

// flowsXsync adds each particle to the slice of its cell, and sorts that when it visits the cell.
func flowsXsync(list []particle) []flow {
	type cellList struct {
		mu sync.Mutex
		of []int32
	}
	out := make([]flow, cells)
	grid := xsync.NewMap[int, *cellList]()
	for frame := range frames {
		rows.PartsHere(len(list), func(_, begin, end int) {
			for i := begin; i < end; i++ {
				c, _ := grid.LoadOrCompute(list[i].cell(frame), func() (*cellList, bool) { return new(cellList), false })
				c.mu.Lock()
				c.of = append(c.of, int32(i))
				c.mu.Unlock()
			}
		})
		rows.PartsHere(cells, func(_, begin, end int) {
			for c := begin; c < end; c++ {
				if l, ok := grid.Load(c); ok {
					slices.Sort(l.of)
					for _, i := range l.of {
						out[c].add(&list[i])
					}
					l.of = l.of[:0]
				}
			}
		})
	}
	return out
}

// someParticles returns particles that stay within the cells in all frames.
func someParticles(n int) []particle {
	random := rand.New(rand.NewPCG(24, 25))
	place := func() float32 { return 2 + (edge-4)*random.Float32() }
	speed := func() float32 { return (random.Float32() - 0.5) / 2 }
	list := make([]particle, n)
	for i := range list {
		list[i] = particle{place(), place(), speed(), speed()}
	}
	return list
}
