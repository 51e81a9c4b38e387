package main

import (
	"image"
	"image/color"
)

// The picture is a square of square tiles.
const (
	size   = 1024        // pixels along an edge of the picture
	tile   = 64          // and along an edge of a tile
	across = size / tile // tiles
	unit   = 16          // corners lie on a grid of 16 x 16 points for each pixel
)

var screen = image.Rect(0, 0, size, size)

// windowOf returns the pixels of a tile.
func windowOf(k int) image.Rectangle {
	return image.Rect(0, 0, tile, tile).Add(image.Pt(k%across, k/across).Mul(tile))
}

// triangle moves over the picture, and comes back at the other side.
type triangle struct {
	at, speed image.Point    // in units, and units a frame
	corners   [3]image.Point // clockwise around at
	colour    color.RGBA
}

// cornersIn returns the corners in a frame, and the box of pixels around them in the picture.
func (t *triangle) cornersIn(frame int) ([3]image.Point, image.Rectangle) {
	at := t.at.Add(t.speed.Mul(frame)).Mod(image.Rect(0, 0, size*unit, size*unit))
	c := [3]image.Point{at.Add(t.corners[0]), at.Add(t.corners[1]), at.Add(t.corners[2])}
	box := image.Rect(
		min(c[0].X, c[1].X, c[2].X)/unit, min(c[0].Y, c[1].Y, c[2].Y)/unit,
		max(c[0].X, c[1].X, c[2].X)/unit+1, max(c[0].Y, c[1].Y, c[2].Y)/unit+1)
	return c, box.Intersect(screen)
}

// draw blends the triangle over the pixels whose centres are inside. Integers do not round, so it
// does not matter where a tile cuts the box.
func (t *triangle) draw(frame int, on *image.RGBA) {
	corners, box := t.cornersIn(frame)
	box = box.Intersect(on.Rect)
	var left, right, down [3]int // of each edge: twice an area at the row's begin, and its changes
	for k, from := range corners {
		edge := corners[(k+1)%3].Sub(from)
		p := box.Min.Mul(unit).Add(image.Pt(unit/2, unit/2)).Sub(from)
		left[k], right[k], down[k] = edge.X*p.Y-edge.Y*p.X, -edge.Y*unit, edge.X*unit
	}
	for y := box.Min.Y; y < box.Max.Y; y++ {
		a, b, c := left[0], left[1], left[2]
		row := on.Pix[on.PixOffset(box.Min.X, y):][:4*box.Dx()]
		for ; len(row) > 0; row = row[4:] {
			if a|b|c >= 0 {
				blend((*[4]uint8)(row), t.colour)
			}
			a, b, c = a+right[0], b+right[1], c+right[2]
		}
		for k := range left {
			left[k] += down[k]
		}
	}
}

// blend is c over the pixel. Colours are multiplied by their alphas.
func blend(pixel *[4]uint8, c color.RGBA) {
	through := 255 - uint32(c.A)
	for k, v := range [4]uint8{c.R, c.G, c.B, c.A} {
		pixel[k] = v + uint8((uint32(pixel[k])*through+127)/255)
	}
}
