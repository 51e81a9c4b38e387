package main

import (
	"fmt"
	"image/png"
	"io"
	"os"

	"example.com/custody/examples/projectiles/internal/picture"
	"example.com/custody/examples/projectiles/internal/sim"
	"example.com/custody/parallelfor"
)

// drawn is how many frames are drawn: in so many all of the first have landed.
const drawn = 280

// draw draws the projectiles of each frame while the next one is computed.
func draw(o options, w io.Writer) (err error) {
	world := sim.NewWorld(o.Config, parallelfor.Workers(o.workers[0]))
	defer world.Close()
	p := picture.New()
	for range drawn {
		world.Step()
		p.Draw(world.Poses())
	}
	world.Finish()
	f, err := os.Create(o.png)
	if err != nil {
		return err
	}
	defer func() {
		if e := f.Close(); err == nil {
			err = e
		}
	}()
	if err := png.Encode(f, p.Paletted); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s: the arcs of %d frames\n", o.png, drawn)
	return err
}
