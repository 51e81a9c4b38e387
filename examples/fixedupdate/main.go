package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"sync"

	"example.com/custody/examples/internal/program"
	"example.com/custody/parallelfor"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program. It returns the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	o := program.Options{N: 10_000, Steps: 100, Chunk: 128}
	return program.Simulate("fixedupdate", "objects at first", o, args, stdout, stderr, simulate)
}

func simulate(o program.Options, w io.Writer) error {
	pool := parallelfor.NewPool(o.Workers)
	defer pool.Close()
	plain := newScript(o, &plainWorld{})
	hand := newScript(o, &handWorld{workers: o.Workers})
	jobs := newScript(o, newWorld(o.Chunk, parallelfor.On(pool)))
	if err := program.Race(w, o.Steps,
		program.Way{Name: "calls, one by one", Step: plain.step},
		program.Way{Name: fmt.Sprintf("calls, %d goroutines", o.Workers), Step: hand.step},
		program.Way{Name: fmt.Sprintf("a job, %d workers", o.Workers), Step: jobs.step},
	); err != nil {
		return err
	}
	fmt.Fprintf(w, "%d objects were made in %d steps\n", len(plain.all), o.Steps)
	return program.Verified(w, plain.state(), hand.state(), jobs.state())
}

// body is what a step needs of an object, and what it leaves.
type body struct {
	at, speed [3]float32
	drag      float32
	left      int // steps
}

// move moves a body by a step, in 50 parts, and reports whether its time is over.
func (b *body) move() (over bool) {
	const seconds = 0.0004
	for range 50 {
		for k := range b.at {
			b.speed[k] -= float32(b.speed[k] * float32(b.drag*seconds))
			b.at[k] += float32(b.speed[k] * seconds)
		}
		b.speed[1] -= 9.81 * seconds
	}
	b.left--
	return b.left == 0
}

// stone is an object that falls.
type stone struct {
	is   body
	dead bool
}

func (s *stone) body() body   { return s.is }
func (s *stone) moved(b body) { s.is = b }
func (s *stone) alive() bool  { return !s.dead }

// feather is a stone that the air holds the more, the faster it is.
type feather struct{ stone }

func (f *feather) body() body {
	b := f.is
	b.drag = 1 + float32(b.speed[1]*b.speed[1])/8
	return b
}

// plainWorld is a world without the library: a list.
type plainWorld struct{ objects, added, removed []object }

func (w *plainWorld) add(o object)    { w.added = append(w.added, o) }
func (w *plainWorld) remove(o object) { w.removed = append(w.removed, o) }

func (w *plainWorld) step(meanwhile func()) {
	w.apply()
	meanwhile()
	w.removed = append(w.removed, fall(w.objects)...)
}

func (w *plainWorld) apply() {
	gone := map[object]bool{}
	for _, o := range w.removed {
		gone[o] = true
	}
	w.objects = slices.DeleteFunc(w.objects, func(o object) bool { return gone[o] || !o.alive() })
	w.objects = append(w.objects, w.added...)
	w.added, w.removed = nil, nil
}

// fall moves objects by a step and returns those whose time is over.
func fall(objects []object) (over []object) {
	for _, o := range objects {
		b := o.body()
		isOver := b.move()
		if o.alive() {
			o.moved(b)
		}
		if isOver {
			over = append(over, o)
		}
	}
	return over
}

// handWorld is a plainWorld in which goroutines move a part of the objects each.
type handWorld struct {
	plainWorld
	workers int
}

func (w *handWorld) step(meanwhile func()) {
	w.apply()
	meanwhile() // kills objects, so nothing moves yet
	over := make([][]object, w.workers)
	var wg sync.WaitGroup
	for k := range over {
		n := len(w.objects)
		wg.Go(func() { over[k] = fall(w.objects[n*k/w.workers : n*(k+1)/w.workers]) })
	}
	wg.Wait()
	w.removed = append(w.removed, slices.Concat(over...)...)
}

// script decides what happens in a world, by a seed.
type script struct {
	world  updater
	random *rand.Rand
	all    []object // that were ever made
}

// updater is a world, a plainWorld or a handWorld.
type updater interface {
	add(o object)
	remove(o object)
	step(meanwhile func())
}

func newScript(o program.Options, w updater) *script {
	s := &script{world: w, random: rand.New(rand.NewPCG(o.Seed, 1))}
	for range o.N {
		s.make()
	}
	return s
}

// make adds an object.
func (s *script) make() {
	fresh := stone{is: body{drag: s.random.Float32() / 10, left: 1 + s.random.IntN(200)}}
	for k := range fresh.is.at {
		fresh.is.at[k], fresh.is.speed[k] = s.random.Float32(), s.random.Float32()-0.5
	}
	var o object = &fresh
	if s.random.IntN(2) == 0 {
		o = &feather{stone: fresh}
	}
	s.all = append(s.all, o)
	s.world.add(o)
}

// step adds 40 objects while the job runs, removes 10 and kills 10.
func (s *script) step() {
	s.world.step(func() {
		known := len(s.all)
		for range 40 {
			s.make()
		}
		for k := range min(20, known) {
			o := s.all[s.random.IntN(known)]
			if k%2 == 0 {
				s.world.remove(o) // which may be gone already
			} else if stone, is := o.(*stone); is {
				stone.dead = true
			}
		}
	})
}

// state returns all objects that were ever made.
func (s *script) state() (list []any) {
	for _, o := range s.all {
		list = append(list, o.body(), o.alive())
	}
	return list
}
