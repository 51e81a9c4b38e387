// Package picture draws the arcs of projectiles.
package picture

import (
	"image"
	"image/color"

	"example.com/custody/examples/projectiles/internal/sim"
)

// scale is how many pixels a metre has. The field is seen from the south and from above, so depth has fewer.
const (
	scale = 4
	depth = 0.5
	sky   = 230 // pixels above the far edge of the field
	edge  = 12  // pixels around it
)

// colours are those of the sky, of the ground, of where a projectile has landed, and of the arcs, which take turns.
var colours = color.Palette{
	color.RGBA{0xfb, 0xf8, 0xee, 0xff}, color.RGBA{0xe7, 0xe2, 0xd2, 0xff}, color.RGBA{0x35, 0x3a, 0x40, 0xff},
	color.RGBA{0xd6, 0x27, 0x28, 0xff}, color.RGBA{0x1f, 0x77, 0xb4, 0xff}, color.RGBA{0x2c, 0xa0, 0x2c, 0xff}, color.RGBA{0x94, 0x67, 0xbd, 0xff},
	color.RGBA{0xff, 0x7f, 0x0e, 0xff}, color.RGBA{0x17, 0xa2, 0xb8, 0xff}, color.RGBA{0xe3, 0x3f, 0xb0, 0xff}, color.RGBA{0x6b, 0x4f, 0x2a, 0xff},
}

const (
	ground = 1
	ending = 2
	arcs   = 3 // the first of them
)

// Picture is what has been drawn.
type Picture struct{ *image.Paletted }

// New returns a Picture of the field.
func New() *Picture {
	p := &Picture{image.NewPaletted(image.Rect(0, 0, sim.Wide*scale+2*edge, sky+int(sim.Deep*scale*depth)+2*edge), colours)}
	for y := edge + sky; y < p.Rect.Max.Y-edge; y++ {
		for x := edge; x < p.Rect.Max.X-edge; x++ {
			p.SetColorIndex(x, y, ground)
		}
	}
	return p
}

// Draw draws projectiles where they are in a frame: a dot for each, in the colour of its gun, and a cross where one has landed.
func (p *Picture) Draw(poses []sim.Pose) {
	for i := range poses {
		pose := &poses[i]
		x, y := at(pose.Place)
		if !pose.Landed {
			colour := uint8(arcs + int(pose.Gun)%(len(colours)-arcs))
			p.SetColorIndex(x, y, colour)
			p.SetColorIndex(x+1, y, colour)
			continue
		}
		for k := -2; k <= 2; k++ {
			p.SetColorIndex(x+k, y+k, ending)
			p.SetColorIndex(x+k, y-k, ending)
		}
	}
}

// at returns the pixel of a place.
func at(p sim.Place) (x, y int) {
	return edge + int(p.X*scale), edge + sky + int((sim.Deep-p.Y)*scale*depth-p.Z*scale)
}
