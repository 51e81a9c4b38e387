package main

import (
	"fmt"
	"image"
	"image/color"
	"io"
	"math/rand/v2"
	"os"

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
	plain, hand := image.NewNRGBA(screen), newByHand(triangles, o.Workers)
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

// bytes returns the picture row by row, as an image.NRGBA has it.
func (r *renderer) bytes() (all []byte) {
	for _, s := range r.picture.All() {
		all = append(all, s[:]...)
	}
	return all
}

// begin returns triangles of up to 128 pixels, most of them small. The first corner of each is the
// centre of a pixel, so that rounding decides whether this pixel is inside.
func begin(r *rand.Rand, n int) []triangle {
	all := make([]triangle, n)
	for i := range all {
		t := &all[i]
		t.at, t.speed = image.Pt(r.IntN(size), r.IntN(size)), image.Pt(r.IntN(7)-3, r.IntN(7)-3)
		const unit = 1 << 43 // coordinates are multiples of 1/unit, so no sum of two is rounded
		most := unit * (4 + r.Int64N(reach-4)*r.Int64N(reach-4)/(reach-4))
		place := func() float64 { return float64(r.Int64N(2*most)-most) / unit }
		t.corners = [3]point{{0.5, 0.5}, {place(), place()}, {place(), place()}}
		if twice(t.corners[0], t.corners[1], t.corners[2]) < 0 {
			t.corners[1], t.corners[2] = t.corners[2], t.corners[1]
		}
		t.colour = color.NRGBA{R: uint8(r.Uint32()), G: uint8(r.Uint32()), B: uint8(r.Uint32()), A: uint8(32 + r.IntN(192))}
	}
	return all
}

// oneByOne is draw in a plain loop.
func oneByOne(triangles []triangle, frame int, picture *image.NRGBA) {
	clear(picture.Pix)
	for i := range triangles {
		triangles[i].draw(frame, picture)
	}
}
