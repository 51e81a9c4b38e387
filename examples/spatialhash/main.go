package main

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"

	"example.com/custody/examples/internal/program"
	"example.com/custody/parallelfor"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program. It returns the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	return program.Simulate("spatialhash", "particles", program.Options{N: 50_000, Steps: 10, Chunk: 256}, args, stdout, stderr, simulate)
}

func simulate(o program.Options, w io.Writer) error {
	pool := parallelfor.NewPool(o.Workers)
	defer pool.Close()
	places, velocities, edge := begin(o)
	plain := &plainWorld{places: places, velocities: velocities, pushes: make([]vec, o.N), edge: edge}
	places, velocities, _ = begin(o)
	jobs := newWorld(places, velocities, edge, parallelfor.On(pool), parallelfor.Batch(o.Chunk))
	fmt.Fprintf(w, "%d particles in %.0f x %.0f x %.0f cells, %d steps\n", o.N, edge, edge, edge, o.Steps)
	if err := program.Race(w, o.Steps,
		program.Way{Name: "plain loops", Step: plain.step},
		program.Way{Name: fmt.Sprintf("jobs, %d workers", o.Workers), Step: jobs.step},
	); err != nil {
		return err
	}
	fmt.Fprintf(w, "%d times a particle was near another one\n", plain.near)
	return program.Verified(w,
		[]any{plain.places, plain.velocities, plain.near},
		[]any{jobs.places.Slice(), jobs.velocities.Slice(), jobs.near.Value()})
}

// begin returns particles in a box with two of them for each cell.
func begin(o program.Options) (places, velocities []vec, edge float32) {
	r := rand.New(rand.NewPCG(o.Seed, 1))
	edge = float32(max(1, math.Round(math.Cbrt(float64(o.N)/2))))
	for range o.N {
		var p, v vec
		for k := range p {
			p[k] = min(r.Float32()*edge, math.Nextafter32(edge, 0))
			v[k] = (r.Float32() - 0.5) / 10
		}
		places, velocities = append(places, p), append(velocities, v)
	}
	return places, velocities, edge
}

// plainWorld is the same simulation in plain loops, with Go's map.
type plainWorld struct {
	places, velocities, pushes []vec
	near                       int64
	edge                       float32
}

func (w *plainWorld) step() {
	s, cells := spaceOf(w.edge), map[int][]int32{}
	for i, p := range w.places {
		cells[s.cellOf(p)] = append(cells[s.cellOf(p)], int32(i))
	}
	for i, p := range w.places {
		home := s.cellOf(p)
		w.pushes[i] = vec{}
		for _, d := range s.around {
			w.near += w.pushes[i].add(i, w.places, cells[home+d])
		}
	}
	for i := range w.places {
		w.places[i], w.velocities[i] = moved(w.places[i], w.velocities[i], w.pushes[i], w.edge)
	}
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
