package main

import (
	"image"
	"image/color"
	"iter"
	"math"
)

// The picture is a square of tiles. They are wide, because draw adds up areas from the left of a
// triangle's box, also of pixels in other tiles.
const (
	size       = 1024        // pixels along an edge of the picture
	wide, high = 256, 64     // and along the edges of a tile
	across     = size / wide // tiles
	tiles      = across * (size / high)
	reach      = 64 // pixels from the first corner of a triangle to the others, at most
)

var screen = image.Rect(0, 0, size, size)

// windowOf returns the pixels of a tile.
func windowOf(k int) image.Rectangle {
	return image.Rect(0, 0, wide, high).Add(image.Pt(k%across*wide, k/across*high))
}

// span is a row of a tile.
type span [4 * wide]uint8

// point is a place in the picture, in pixels.
type point struct{ x, y float64 }

// triangle moves over the picture, and comes back at the other side.
type triangle struct {
	at, speed image.Point // in pixels, and pixels a frame
	corners   [3]point    // from at, counterclockwise as the picture is seen
	colour    color.NRGBA
}

// cornersIn returns the corners in a frame, and the box of pixels around them.
func (t *triangle) cornersIn(frame int) (c [3]point, box image.Rectangle) {
	at := t.at.Add(t.speed.Mul(frame)).Mod(screen.Inset(reach))
	for k, d := range t.corners {
		c[k] = point{float64(at.X) + d.x, float64(at.Y) + d.y}
	}
	return c, image.Rect(
		int(min(c[0].x, c[1].x, c[2].x)), int(min(c[0].y, c[1].y, c[2].y)),
		int(math.Ceil(max(c[0].x, c[1].x, c[2].x)))+1, int(math.Ceil(max(c[0].y, c[1].y, c[2].y)))+1)
}

// tilesIn returns the tiles that the box touches in a frame.
func (t *triangle) tilesIn(frame int) iter.Seq[int] {
	return func(yield func(k int) bool) {
		_, box := t.cornersIn(frame)
		for y := box.Min.Y / high; y*high < box.Max.Y; y++ {
			for x := box.Min.X / wide; x*wide < box.Max.X; x++ {
				if !yield(y*across + x) {
					return
				}
			}
		}
	}
}

// twice returns twice the area of a triangle, negative if its corners are clockwise.
func twice(p, q, r point) float64 {
	return float64((q.x-r.x)*(p.y-r.y)) - float64((q.y-r.y)*(p.x-r.x))
}

// areas are twice the areas between a pixel's centre and each edge. One is negative if the centre
// is outside of the edge. The conversions of products, here and in twice, forbid the compiler to
// fuse them with sums, which would round once instead of twice.
type areas struct{ a, b, c float64 }

func (v areas) plus(d areas) areas { return areas{v.a + d.a, v.b + d.b, v.c + d.c} }
func (v areas) times(n float64) areas {
	return areas{float64(v.a * n), float64(v.b * n), float64(v.c * n)}
}
func (v areas) inside() bool { return v.a >= 0 && v.b >= 0 && v.c >= 0 }

// outside returns how many pixels at the start of a row lie outside of an edge. The first has the
// areas v. inverse is 1 divided by the change to the next pixel: +Inf for a horizontal edge.
func (v areas) outside(inverse areas) int {
	n := 0.0
	if v.a < 0 {
		n = max(n, -v.a*inverse.a)
	}
	if v.b < 0 {
		n = max(n, -v.b*inverse.b)
	}
	if v.c < 0 {
		n = max(n, -v.c*inverse.c)
	}
	return int(min(n, size))
}

// draw blends the triangle over the pixels of on whose centres are inside. The areas are sums that
// round, so every tile makes the same additions: from the corner of the box down, and in a row from
// the first pixel that outside leaves.
func (t *triangle) draw(frame int, on *image.NRGBA) {
	corners, box := t.cornersIn(frame)
	p, q, r := corners[0], corners[1], corners[2]
	first := point{float64(box.Min.X) + 0.5, float64(box.Min.Y) + 0.5}
	row := areas{twice(p, q, first), twice(q, r, first), twice(r, p, first)}
	right, down := areas{q.y - p.y, r.y - q.y, p.y - r.y}, areas{p.x - q.x, q.x - r.x, r.x - p.x}
	inverse := areas{1 / right.a, 1 / right.b, 1 / right.c}
	part, ink := box.Intersect(on.Rect), inkOf(t.colour)
	for y := box.Min.Y; y < part.Max.Y; y, row = y+1, row.plus(down) {
		if y < part.Min.Y {
			continue
		}
		n := row.outside(inverse)
		x, v := box.Min.X+n, row.plus(right.times(float64(n)))
		for x < part.Max.X && (x < part.Min.X || !v.inside()) {
			x, v = x+1, v.plus(right)
		}
		for ; x < part.Max.X && v.inside(); x, v = x+1, v.plus(right) {
			ink.blend((*[4]uint8)(on.Pix[on.PixOffset(x, y):]))
		}
	}
}

// ink is a colour of 16 bits, multiplied by its alpha, and the part of the pixel that it leaves.
type ink struct{ r, g, b, a, through uint32 }

func inkOf(c color.NRGBA) ink {
	r, g, b, a := c.RGBA()
	return ink{r, g, b, a, (0xffff - a) * 0x101}
}

// blend draws over a pixel, whose colours are multiplied by its alpha too.
func (c *ink) blend(pixel *[4]uint8) {
	pixel[0] = uint8((uint32(pixel[0])*c.through/0xffff + c.r) >> 8)
	pixel[1] = uint8((uint32(pixel[1])*c.through/0xffff + c.g) >> 8)
	pixel[2] = uint8((uint32(pixel[2])*c.through/0xffff + c.b) >> 8)
	pixel[3] = uint8((uint32(pixel[3])*c.through/0xffff + c.a) >> 8)
}
