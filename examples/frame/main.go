// Frame moves particles that push each other away. A frame is four jobs: group, push and move, one
// after the other, and draw, which shows the last frame meanwhile. With -timeline a frame is drawn
// in time.
package main

import (
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"strings"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/hashmap"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
	"example.com/custody/timeline"
)

const (
	particles = 20_000
	size      = 200 // of the world, in cells
	columns   = 12  // of the picture
)

type point struct{ X, Y float64 }

// cell is the number of the cell that the point lies in.
func (p point) cell() int { return int(p.Y)*size + int(p.X) }

// group puts each particle into its cell.
type group struct {
	At    array.Reader[point]
	Cells hashmap.MultiParallelWriter[int, int]
}

func (g *group) Execute(i int) { g.Cells.Add(g.At.At(i).cell(), i) }

// push adds up how the particles of the nine cells around push each one.
type push struct {
	At    array.Reader[point]
	Cells hashmap.MultiReader[int, int]
	Push  array.Writer[point]
}

func (p *push) Execute(i int) {
	at, sum := p.At.At(i), point{}
	cell := at.cell()
	for k := range 9 {
		for _, other := range p.Cells.Values(cell + (k/3-1)*size + k%3 - 1) {
			dx, dy := at.X-p.At.At(other).X, at.Y-p.At.At(other).Y
			if d := dx*dx + dy*dy; d > 0 && d < 1 {
				sum.X, sum.Y = sum.X+dx*(1-d), sum.Y+dy*(1-d)
			}
		}
	}
	p.Push.Set(i, sum)
}

// move moves the particles into the next frame.
type move struct {
	At, Push array.Reader[point]
	Next     array.Writer[point]
}

func (m *move) Execute(i int) {
	at, by := m.At.At(i), m.Push.At(i)
	m.Next.Set(i, point{min(max(at.X+by.X/10, 0), size-1), min(max(at.Y+by.Y/10, 0), size-1)})
}

// draw adds a soft disc of each particle to the columns of the picture.
type draw struct {
	At      array.Reader[point]
	Picture counter.HistogramParallelWriter
}

func (d *draw) Execute(i int) {
	at := d.At.At(i).X * columns / size
	for column := range columns {
		away := at - float64(column) - 0.5
		d.Picture.Add(column, int64(100*math.Exp(-2*away*away)))
	}
}

var file = flag.String("timeline", "", "draw the last frame in time, as SVG, into this `file`")

func main() {
	flag.Parse()
	at := array.NewDouble[point](particles, safety.Named("at"))
	pushes := array.New[point](particles, safety.Named("pushes"))
	cells := hashmap.NewMulti[int, int](safety.Named("cells"))
	picture := counter.NewHistogram(columns, safety.Named("picture"))
	for i := range particles { // more to the left
		x, y := float64(i*7919%particles)/particles, float64(i)/particles
		at.Front().Set(i, point{x * math.Sqrt(x) * size, y * size})
	}

	var graph *parallelfor.Graph
	for frame := range 10 {
		if frame == 9 && *file != "" {
			graph = parallelfor.Record()
		}
		cells.Clear()
		picture.Reset()
		now := at.Front()
		grouped := parallelfor.Schedule(particles, group{At: now.Reader(), Cells: cells.ParallelWriter()}, (*group).Execute)
		pushed := parallelfor.Schedule(particles, push{At: now.Reader(), Cells: cells.Reader(), Push: pushes.Writer()}, (*push).Execute,
			parallelfor.After(grouped))
		moved := parallelfor.Schedule(particles, move{At: now.Reader(), Push: pushes.Reader(), Next: at.Back().Writer()}, (*move).Execute,
			parallelfor.After(pushed))
		parallelfor.Schedule(particles, draw{At: now.Reader(), Picture: picture.ParallelWriter()}, (*draw).Execute).Complete()
		moved.Complete()
		at.Swap()
	}
	for column, n := range picture.All() {
		fmt.Printf("%2d %s\n", column, strings.Repeat("#", int(n/15_000)))
	}
	if graph == nil {
		return
	}
	graph.Stop()
	out, err := os.Create(*file)
	if err != nil {
		log.Fatal(err)
	}
	if err := timeline.SVG(out, graph.Jobs()); err != nil {
		log.Fatal(err)
	}
	if err := out.Close(); err != nil {
		log.Fatal(err)
	}
}
