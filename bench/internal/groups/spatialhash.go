package groups

import (
	"math/rand/v2"
	"runtime"

	"example.com/custody/array"
	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/rows"
	"example.com/custody/counter"
	"example.com/custody/hashmap"
	"example.com/custody/parallelfor"
)

// side is how many cells there are in a row; beside it, and below, there is one more, that is
// empty.
const side = 29

// point is where a particle is.
type point struct{ x, y, z float32 }

func (p point) cell() (x, y, z int) { return int(p.x), int(p.y), int(p.z) }

// spatial adds the rows of particles in a grid of cells: which are in a cell, and which near each
// particle.
func spatial(r *rows.Run) {
	const particles = 200_000
	queried := 50_000
	if r.Config.Brief {
		queried = 10_000 // that is near all cells, too
	}
	random := rand.New(rand.NewPCG(10, 11))
	points := make([]point, particles)
	keys := make([]int, particles)
	along := func() float32 { return 1 + side*random.Float32()*0.999999 } // so that a cell has neighbours below
	for i := range points {
		points[i] = point{along(), along(), along()}
		keys[i] = packed(points[i].cell())
	}
	p := newKeyed[int, int32](keys)
	const appends, arrays = "slices by Compute in a xsync.Map", "arrays, by the number of the cell"
	builders, sides := peersBuild(p, building(ours, p, func() grouped[int, int32] { return &ourGroups[int, int32]{} }),
		building(arrays, p, func() grouped[int, int32] { return new(dense) }),
		building(appends, p, func() grouped[int, int32] { return newComputed[int, int32]() }))
	builders = append(builders, appends)
	add := func(c *rows.Comparison, names []string, bar float64) {
		c.Peers = names
		c.AtMostOf(bar, c.Best(names...))
		if r.AllPeers {
			c.Beside()
		}
	}
	add(r.Compare("200k particles put into 24k cells", particles, []string{arrays}, sides...), builders, 0.6)

	names, _ := peerGroups[int, int32]()
	g := &ourGroups[int, int32]{}
	g.build(p)
	boxed, locked, plain := newBoxes[int, int32](), &slices64[int, int32]{newSharded[int, []int32](0)}, mapOfSlices[int, int32]{}
	appended, cells := newComputed[int, int32](), new(dense)
	for _, peer := range []grouped[int, int32]{boxed, locked, plain, appended, cells} {
		peer.build(p)
	}
	want := near(plain, points, 0, queried)
	at := array.Of(points)
	by := func(name string, count func(begin, end int) int) measure.Side {
		return measure.Do(name, func() {
			found := make([]int, 16*runtime.GOMAXPROCS(0))
			rows.Parts(queried, func(p, begin, end int) { found[16*p] = count(begin, end) })
			sum := 0
			for _, n := range found {
				sum += n
			}
			rows.MustBe(name, sum, want)
		})
	}
	add(r.Compare("particles in the 27 cells around one", queried, []string{arrays},
		measure.Do(ours, func() {
			n := counter.New()
			parallelfor.ForBatch(queried, nearing{at.Reader(), g.m.Reader(), n.ParallelWriter()}, (*nearing).ExecuteBatch)
			rows.MustBe(ours, int(n.Value()), want)
		}),
		by(arrays, func(begin, end int) int { return cells.near(points, begin, end) }),
		by(appends, func(begin, end int) int { return near(appended, points, begin, end) }),
		by(names[0], func(begin, end int) int { return near(boxed, points, begin, end) }),
		by(names[1], func(begin, end int) int { return near(locked, points, begin, end) }),
		by(names[2], func(begin, end int) int { return near(plain, points, begin, end) })), append(names, appends), 0.55)
}

// nearing is a job that does what near does.
type nearing struct {
	Points array.Reader[point]
	Cells  hashmap.MultiReader[int, int32]
	N      counter.ParallelWriter
}

func (j *nearing) ExecuteBatch(begin, end int) {
	j.N.Add(int64(near(ofReader{&j.Cells}, j.Points.Slice(), begin, end)))
}

type ofReader struct {
	r *hashmap.MultiReader[int, int32]
}

func (r ofReader) values(k int) []int32 { return r.r.Values(k) }

// near adds up the numbers of the particles in the cells around each particle of [begin, end). What
// a query then does with them, such as to look where they are, is not the map's.
func near[M lookup[int, int32]](m M, points []point, begin, end int) (sum int) {
	for _, p := range points[begin:end] {
		x, y, z := p.cell()
		for dx := -1; dx <= 1; dx++ {
			for dy := -1; dy <= 1; dy++ {
				for dz := -1; dz <= 1; dz++ {
					for _, i := range m.values(packed(x+dx, y+dy, z+dz)) {
						sum += int(i)
					}
				}
			}
		}
	}
	return sum
}

// dense has an array of all cells, as a program can when they are few and known beforehand: the
// particles of a cell lie together, and those of three neighbours too.
type dense struct{ begins, all []int32 }

// number is that of a cell.
func (g *dense) number(x, y, z int) int { return x + (side+2)*(y+(side+2)*z) }

func (g *dense) build(p *keyed[int, int32]) {
	const mask = 1<<21 - 1
	of := make([]int32, len(p.keys))
	g.begins, g.all = make([]int32, (side+2)*(side+2)*(side+2)+1), make([]int32, len(p.keys))
	for i, k := range p.keys {
		of[i] = int32(g.number(k&mask, k>>21&mask, k>>42))
		g.begins[of[i]]++
	}
	at := int32(0)
	for c, n := range g.begins {
		at += n
		g.begins[c] = at
	}
	for i := len(of) - 1; i >= 0; i-- {
		g.begins[of[i]]--
		g.all[g.begins[of[i]]] = int32(i)
	}
}

func (g *dense) visit() (t tally) {
	for c := range len(g.begins) - 1 {
		if vs := g.all[g.begins[c]:g.begins[c+1]]; len(vs) > 0 {
			t.add(tallyOf(vs))
		}
	}
	return t
}

func (g *dense) visitAll(*keyed[int, int32]) tally { return g.visit() }

// near is near, with the three cells of a row at once.
func (g *dense) near(points []point, begin, end int) (sum int) {
	for _, p := range points[begin:end] {
		x, y, z := p.cell()
		for dz := -1; dz <= 1; dz++ {
			for dy := -1; dy <= 1; dy++ {
				c := g.number(x-1, y+dy, z+dz)
				for _, i := range g.all[g.begins[c]:g.begins[c+3]] {
					sum += int(i)
				}
			}
		}
	}
	return sum
}
