package main

import (
	"fmt"
	"image"
	"image/color"
	"io"
	"math/rand/v2"
	"os"
	"sync"
	"sync/atomic"

	"example.com/custody/examples/internal/program"
	"example.com/custody/parallelfor"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program. It returns the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	return program.Simulate("rasterizer", "triangles", program.Options{N: 10_000, Steps: 10, Chunk: 256}, args, stdout, stderr, simulate)
}

func simulate(o program.Options, w io.Writer) error {
	pool := parallelfor.NewPool(o.Workers)
	defer pool.Close()
	triangles := begin(rand.New(rand.NewPCG(o.Seed, 1)), o.N)
	plain, hand := image.NewRGBA(screen), newByHand(triangles, o.Workers)
	jobs := newRenderer(triangles, parallelfor.On(pool), parallelfor.Batch(o.Chunk))
	frame := -1
	if err := program.Race(w, o.Steps,
		program.Way{Name: "triangle by triangle", Step: func() { frame++; oneByOne(triangles, frame, plain) }},
		program.Way{Name: fmt.Sprintf("by hand, %d goroutines", o.Workers), Step: func() { hand.draw(frame) }},
		program.Way{Name: fmt.Sprintf("loops, %d workers", o.Workers), Step: func() { jobs.draw(frame) }},
	); err != nil {
		return err
	}
	fmt.Fprintf(w, "%d triangles are in %d places of tiles\n", o.N, jobs.tiles.Total())
	return program.Verified(w, string(plain.Pix), string(hand.picture.Pix), string(jobs.bytes()))
}

// bytes returns the picture row by row, as an image.RGBA has it.
func (r *renderer) bytes() (all []byte) {
	for _, s := range r.picture.All() {
		all = append(all, s[:]...)
	}
	return all
}

// begin returns triangles of up to 128 pixels, most of them small.
func begin(r *rand.Rand, n int) []triangle {
	all := make([]triangle, n)
	for i := range all {
		t := &all[i]
		point := func(reach int) image.Point { return image.Pt(r.IntN(2*reach+1)-reach, r.IntN(2*reach+1)-reach) }
		t.at, t.speed = point(size*unit), point(2*unit)
		reach := (4 + r.IntN(60)*r.IntN(60)/60) * unit
		for k := range t.corners {
			t.corners[k] = point(reach)
		}
		if a, b := t.corners[1].Sub(t.corners[0]), t.corners[2].Sub(t.corners[0]); a.X*b.Y < a.Y*b.X {
			t.corners[1], t.corners[2] = t.corners[2], t.corners[1]
		}
		c := color.NRGBA{R: uint8(r.Uint32()), G: uint8(r.Uint32()), B: uint8(r.Uint32()), A: uint8(32 + r.IntN(192))}
		t.colour = color.RGBAModel.Convert(c).(color.RGBA)
	}
	return all
}

// oneByOne is draw in a plain loop.
func oneByOne(triangles []triangle, frame int, picture *image.RGBA) {
	clear(picture.Pix)
	for i := range triangles {
		triangles[i].draw(frame, picture)
	}
}

// byHand is a renderer with goroutines. Each bins a part of the triangles into tiles of its own.
type byHand struct {
	triangles []triangle
	parts     [][across * across][]int32 // for each goroutine, and each tile
	picture   *image.RGBA
}

func newByHand(triangles []triangle, workers int) *byHand {
	return &byHand{triangles, make([][across * across][]int32, workers), image.NewRGBA(screen)}
}

// draw waits for all parts before the first tile is painted. Goroutines take tiles one by one.
func (h *byHand) draw(frame int) {
	var running sync.WaitGroup
	for w := range h.parts {
		running.Go(func() { h.bin(w, frame) })
	}
	running.Wait()
	var next atomic.Int32
	for range h.parts {
		running.Go(func() {
			for k := next.Add(1) - 1; k < across*across; k = next.Add(1) - 1 {
				h.paint(int(k), frame)
			}
		})
	}
	running.Wait()
}

// bin adds the numbers of the triangles of part w to the tiles that they may touch.
func (h *byHand) bin(w, frame int) {
	part, n := &h.parts[w], len(h.triangles)
	for k := range part {
		part[k] = part[k][:0]
	}
	for i := w * n / len(h.parts); i < (w+1)*n/len(h.parts); i++ {
		_, box := h.triangles[i].cornersIn(frame)
		for y := box.Min.Y / tile; y*tile < box.Max.Y; y++ {
			for x := box.Min.X / tile; x*tile < box.Max.X; x++ {
				part[y*across+x] = append(part[y*across+x], int32(i))
			}
		}
	}
}

// paint draws the triangles of tile k, part by part: the parts have the order of the triangles.
func (h *byHand) paint(k, frame int) {
	on := h.picture.SubImage(windowOf(k)).(*image.RGBA)
	for y := range tile {
		clear(on.Pix[y*on.Stride:][:4*tile])
	}
	for w := range h.parts {
		for _, i := range h.parts[w][k] {
			h.triangles[i].draw(frame, on)
		}
	}
}
