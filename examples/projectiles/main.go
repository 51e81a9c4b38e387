package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"example.com/custody/examples/internal/program"
	"example.com/custody/parallelfor"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program. It returns the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	o := program.Options{N: 10_000, Steps: 300, Chunk: 512}
	return program.Simulate("projectiles", "guns", o, args, stdout, stderr, simulate)
}

func simulate(o program.Options, w io.Writer) error {
	pool := parallelfor.NewPool(o.Workers)
	defer pool.Close()
	r := rules{guns: o.N, targets: 100, seed: o.Seed}
	plain, jobs := newPlain(r), newWorld(r, o.Chunk, parallelfor.On(pool))
	if err := program.Race(w, o.Steps,
		program.Way{Name: "plain loops", Step: plain.step},
		program.Way{Name: fmt.Sprintf("jobs, %d workers", o.Workers), Step: jobs.step},
	); err != nil {
		return err
	}
	fmt.Fprintf(w, "%d guns made %d hits, and %d targets are gone\n", o.N, plain.hits, plain.made-r.targets)
	return program.Verified(w, plain.state(), jobs.state())
}

// rules decide what happens, by numbers that are drawn from a seed. They count it too.
type rules struct {
	guns, targets int
	seed          uint64

	fired, hits, made int
	drawn             float32
}

// draw returns two numbers from 0 to 1.
func (r *rules) draw(what, number int) (a, b float32) {
	z := r.seed + uint64(what)<<40 + uint64(number)
	for range 2 { // the steps of splitmix64, by Steele, Lea and Flood, 2014
		z += 0x9e3779b97f4a7c15
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		z ^= z >> 31
	}
	return float32(z>>40) / (1 << 24), float32(z<<24>>40) / (1 << 24)
}

// target is a row of the table of targets. They drive, and are gone after some hits.
type target struct {
	at, velocity vec
	health       int
}

// target returns the next target, in the east of the field.
func (r *rules) target() target {
	x, y := r.draw(1, r.made)
	dx, dy := r.draw(2, r.made)
	r.made++
	return target{at: vec{x: 100 + 140*x, y: 120 * y}, velocity: vec{x: dx/5 - 0.1, y: dy/5 - 0.1}, health: 40}
}

// shoot returns the next shot of a gun, in the west, and the row of one of n targets.
func (r *rules) shoot(gun, n int) (s shot, row int) {
	x, y := r.draw(3, gun)
	a, _ := r.draw(4, r.fired)
	r.fired++
	return shot{order: order{gun: gun}, flight: flight{ground: vec{x: 40 * x, y: 120 * y}}}, min(int(a*float32(n)), n-1)
}

// show adds up the heights of a picture, in place of a screen.
func (r *rules) show(picture []flight) {
	for _, f := range picture {
		r.drawn += f.height
	}
}

// fly moves a shot towards its aim, on a parabola with a slope of 1 at its start.
func (f *flight) fly(aim vec) {
	x, y := float64(aim.x-f.ground.x), float64(aim.y-f.ground.y)
	left := math.Sqrt(float64(x*x) + float64(y*y))
	if f.landed = left <= 1; f.landed { // a frame's way is a metre
		f.ground, f.flown, f.height = aim, f.flown+float32(left), 0
		return
	}
	f.ground = vec{x: f.ground.x + float32(x/left), y: f.ground.y + float32(y/left)}
	f.flown++
	f.height = float32(float64(f.flown) * (left - 1) / (float64(f.flown) + left - 1))
}

// drive moves a target by a frame.
func drive(at *vec, velocity vec) { at.x, at.y = at.x+velocity.x, at.y+velocity.y }

// fire stages a shot.
func (w *world) fire(gun int) {
	s, row := w.shoot(gun, w.all.Len())
	s.order.target, s.aim = w.all.ID(row), w.places.At(row)
	w.shots.Add(s)
}

// settle has what has landed take effect, and the targets drive.
func (w *world) settle() {
	for to, guns := range w.landed.All() {
		if row, hits := to-1, len(guns); row >= 0 && hits > 0 {
			w.hits += hits
			if w.health.Set(row, w.health.At(row)-hits); w.health.At(row) <= 0 {
				w.all.Remove(w.all.ID(row))
				w.all.Add(w.target())
			}
		}
		for _, gun := range guns {
			w.fire(gun)
		}
	}
	speeds := w.speeds.Slice()
	for row, places := 0, w.places.Slice(); row < len(places); row++ {
		drive(&places[row], speeds[row])
	}
}

func (w *world) state() (list []any) {
	for row := range w.all.Len() {
		list = append(list, w.places.At(row), w.health.At(row))
	}
	for row := range w.shots.Len() {
		list = append(list, w.orders.At(row).gun, w.aims.At(row), w.flights.At(row))
	}
	return append(list, w.rules)
}

// plainWorld has slices in the order of the rows of the tables.
type plainWorld struct {
	rules
	all, newTargets []*plainTarget
	shots, newShots []*plainShot
	picture         []flight
	gone, landed    []int // rows
}

type plainTarget struct {
	target
	gone bool
}

type plainShot struct {
	shot
	to *plainTarget
}

func newPlain(r rules) *plainWorld {
	w := &plainWorld{rules: r, picture: make([]flight, r.guns)}
	for range r.targets {
		w.all = append(w.all, &plainTarget{target: w.target()})
	}
	for gun := range r.guns {
		w.fire(gun)
	}
	return w
}

func (w *plainWorld) fire(gun int) {
	s, row := w.shoot(gun, len(w.all))
	s.aim = w.all[row].at
	w.newShots = append(w.newShots, &plainShot{shot: s, to: w.all[row]})
}

// replace removes rows, the last of all taking the place of each, then adds others.
func replace[T any](all []T, rows []int, more []T) []T {
	slices.Sort(rows)
	for _, row := range slices.Backward(rows) {
		last := len(all) - 1
		all[row], all = all[last], all[:last]
	}
	return append(all, more...)
}

func (w *plainWorld) step() {
	for _, row := range w.gone {
		w.all[row].gone = true
	}
	w.all, w.gone, w.newTargets = replace(w.all, w.gone, w.newTargets), nil, nil
	w.shots, w.landed, w.newShots = replace(w.shots, w.landed, w.newShots), nil, nil
	w.show(w.picture)
	for i, s := range w.shots {
		if !s.to.gone {
			s.aim = s.to.at
		}
		s.flight.fly(s.aim)
		w.picture[i] = s.flight
		if s.flight.landed {
			w.landed = append(w.landed, i)
		}
	}
	guns := make([][]int, 1+len(w.all))
	for _, i := range w.landed {
		s, to := w.shots[i], 0
		if !s.to.gone {
			to = 1 + slices.Index(w.all, s.to)
		}
		guns[to] = append(guns[to], s.order.gun)
	}
	for to, guns := range guns {
		if row, hits := to-1, len(guns); row >= 0 && hits > 0 {
			w.hits += hits
			t := w.all[row]
			if t.health -= hits; t.health <= 0 {
				w.gone = append(w.gone, row)
				w.newTargets = append(w.newTargets, &plainTarget{target: w.target()})
			}
		}
		for _, gun := range guns {
			w.fire(gun)
		}
	}
	for _, t := range w.all {
		drive(&t.at, t.velocity)
	}
}

func (w *plainWorld) state() (list []any) {
	for _, t := range w.all {
		list = append(list, t.at, t.health)
	}
	for _, s := range w.shots {
		list = append(list, s.order.gun, s.aim, s.flight)
	}
	return append(list, w.rules)
}
