package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"

	"example.com/custody/examples/internal/program"
	"example.com/custody/parallelfor"
	"example.com/custody/table"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program. It returns the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	o := program.Options{N: 100_000, Steps: 50, Chunk: 1024}
	return program.Simulate("components", "things", o, args, stdout, stderr, simulate)
}

func simulate(o program.Options, w io.Writer) error {
	pool := parallelfor.NewPool(o.Workers)
	defer pool.Close()
	plain, systems := begin(o), newWorld(o, parallelfor.On(pool))
	if err := program.Race(w, o.Steps,
		program.Way{Name: "plain loops", Step: plain.step},
		program.Way{Name: fmt.Sprintf("systems, %d workers", o.Workers), Step: systems.step},
	); err != nil {
		return err
	}
	fmt.Fprintf(w, "%d things in %d tables, 4 systems\n", o.N, len(systems.tables))
	return program.Verified(w, plain, systems.state())
}

// plain has the things of the tables: driven, free, frozen.
type plain [3][]thing

// begin returns things: each second one is free, of the others each second one is frozen.
func begin(o program.Options) (p plain) {
	r := rand.New(rand.NewPCG(o.Seed, 1))
	for i := range o.N {
		k := []int{1, 0, 1, 2}[i%4]
		p[k] = append(p[k], thing{
			at:    vec{x: r.Float32() * 1000, y: r.Float32() * 1000},
			speed: vec{x: r.Float32()*40 - 20, y: r.Float32()*40 - 20},
			angle: r.Float32() * 6,
			rate:  r.Float32() - 0.5,
		})
	}
	return p
}

func newWorld(o program.Options, opts ...parallelfor.Option) *world {
	w := &world{
		driven: table.NewTag("driven"),
		frozen: table.NewTag("frozen"),
		of:     map[table.Any]things{},
		opts:   append(opts, parallelfor.Batch(o.Chunk)),
	}
	// The driven things are first, since they have the longest work.
	kinds := []things{newThings("driven", w.driven), newThings("free"), newThings("frozen", w.frozen)}
	for k, rows := range begin(o) {
		t := kinds[k]
		t.AddAll(rows, nil)
		t.Apply()
		w.tables, w.of[t.Table] = append(w.tables, t.Table), t
	}
	return w
}

// state returns the rows of all tables.
func (w *world) state() (p plain) {
	for k, t := range w.tables {
		for _, row := range w.of[t].All() {
			p[k] = append(p[k], row)
		}
	}
	return p
}

func (p *plain) step() {
	turn, steer, move, bounce := turn{Seconds: 0.1}, steer{Thrust: 0.5}, move{Seconds: 0.1}, bounce{Edge: 1000}
	for k, rows := range p[:2] {
		for i := range rows {
			t := &rows[i]
			turn.row(&t.angle, t.rate)
			if k == 0 {
				steer.row(&t.speed, t.angle)
			}
			move.row(&t.at, t.speed)
			bounce.row(&t.speed, t.at)
		}
	}
}
