// Frame moves particles to where fewer of them are. A frame is four jobs: count, push and move, one
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
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
	"example.com/custody/timeline"
)

const (
	particles = 100_000
	size      = 40 // of the world, in cells
	columns   = 12 // of the picture
)

type point struct{ X, Y float64 }

// cell is the number of the cell that the point lies in.
func (p point) cell() int { return int(p.Y)*size + int(p.X) }

// count counts the particles of each cell.
type count struct {
	At      array.Reader[point]
	Density counter.HistogramParallelWriter
}

func (c *count) Execute(i int) { c.Density.Add(c.At.At(i).cell(), 1) }

// push finds out where around each particle fewer are.
type push struct {
	At      array.Reader[point]
	Density counter.HistogramReader
	Push    array.Writer[point]
}

func (p *push) Execute(i int) {
	at := p.At.At(i)
	var sum point
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			x, y := min(max(int(at.X)+dx, 0), size-1), min(max(int(at.Y)+dy, 0), size-1)
			n := float64(p.Density.At(y*size + x))
			sum.X, sum.Y = sum.X-n*float64(dx), sum.Y-n*float64(dy)
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
	m.Next.Set(i, point{min(max(at.X+by.X/2000, 0), size-1), min(max(at.Y+by.Y/2000, 0), size-1)})
}

// draw adds a soft disc of each particle to the columns of the picture.
type draw struct {
	At      array.Reader[point]
	Picture counter.HistogramParallelWriter
}

func (d *draw) Execute(i int) {
	at := d.At.At(i).X * columns / size
	for column := max(int(at)-1, 0); column < min(int(at)+2, columns); column++ {
		away := at - float64(column) - 0.5
		d.Picture.Add(column, int64(100*math.Exp(-2*away*away)))
	}
}

var file = flag.String("timeline", "", "draw the last frame in time, as SVG, into this `file`")

func main() {
	flag.Parse()
	at := array.NewDouble[point](particles, safety.Named("at"))
	pushes := array.New[point](particles, safety.Named("pushes"))
	density := counter.NewHistogram(size*size, safety.Named("density"))
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
		density.Reset()
		picture.Reset()
		now := at.Front()
		counted := parallelfor.Schedule(particles, count{At: now.Reader(), Density: density.ParallelWriter()}, (*count).Execute)
		pushed := parallelfor.Schedule(particles, push{At: now.Reader(), Density: density.Reader(), Push: pushes.Writer()}, (*push).Execute,
			parallelfor.After(counted))
		moved := parallelfor.Schedule(particles, move{At: now.Reader(), Push: pushes.Reader(), Next: at.Back().Writer()}, (*move).Execute,
			parallelfor.After(pushed))
		parallelfor.Schedule(particles, draw{At: now.Reader(), Picture: picture.ParallelWriter()}, (*draw).Execute).Complete()
		moved.Complete()
		at.Swap()
	}
	for column, n := range picture.All() {
		fmt.Printf("%2d %s\n", column, strings.Repeat("#", int(n/50_000)))
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
