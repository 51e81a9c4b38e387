// Package picture draws a grid and the ways over it.
package picture

import (
	"image"
	"image/color"
	"image/draw"

	"example.com/custody/examples/router/internal/grid"
	"example.com/custody/examples/router/internal/route"
)

// wide is how many pixels a small grid's picture is wide and high; cells of a grid with more have one.
const wide = 560

// Colours of a picture: wall, costs from 1 on, and then as many as there are goals at most, which take turns.
var (
	terrain = func() color.Palette {
		p := color.Palette{color.RGBA{0x35, 0x3a, 0x40, 0xff}}
		for cost := range uint8(grid.Highest) {
			p = append(p, color.RGBA{0xfb - 9*cost, 0xf8 - 9*cost, 0xee - 11*cost, 0xff})
		}
		return p
	}()
	ways = color.Palette{
		color.RGBA{0xd6, 0x27, 0x28, 0xff}, color.RGBA{0x1f, 0x77, 0xb4, 0xff}, color.RGBA{0x2c, 0xa0, 0x2c, 0xff}, color.RGBA{0x94, 0x67, 0xbd, 0xff},
		color.RGBA{0xff, 0x7f, 0x0e, 0xff}, color.RGBA{0x17, 0xa2, 0xb8, 0xff}, color.RGBA{0xe3, 0x3f, 0xb0, 0xff}, color.RGBA{0x6b, 0x4f, 0x2a, 0xff},
		color.RGBA{0x00, 0x5f, 0x56, 0xff}, color.RGBA{0x10, 0x10, 0x10, 0xff},
	}
)

// Draw draws the cells, the darker the more they cost, and the routes to the goals: each in a colour, and at a place of its own within the
// cells, so that those that share cells lie side by side. Goals are boxes, crossed out where there is no way, and a small dark box is the start.
func Draw(t grid.Task, routes []route.Route) *image.Paletted {
	d := drawing{task: t, scale: max(1, wide/int(max(t.Width, t.Height)))}
	d.Paletted = image.NewPaletted(image.Rect(0, 0, int(t.Width)*d.scale, int(t.Height)*d.scale), append(append(color.Palette{}, terrain...), ways...))
	for y := range t.Height {
		for x := range t.Width {
			c := t.Cell(x, y)
			d.box(c, 0, d.scale, t.Costs[c])
		}
	}
	for i, r := range routes {
		d.way(i, len(routes), r.Path)
	}
	for i, r := range routes {
		d.goal(t.Goals[i], colour(i), len(r.Path) == 0)
	}
	d.box(t.Start, d.scale/3, d.scale-d.scale/3, grid.Wall)
	return d.Paletted
}

type drawing struct {
	*image.Paletted
	task  grid.Task
	scale int // pixels of a cell, along each edge
}

func colour(i int) uint8 { return uint8(len(terrain) + i%len(ways)) }

// corner returns where a cell begins.
func (d *drawing) corner(c grid.Cell) image.Point {
	x, y := d.task.At(c)
	return image.Pt(int(x)*d.scale, int(y)*d.scale)
}

// box fills a cell from one pixel of each edge to another one.
func (d *drawing) box(c grid.Cell, from, to int, colour uint8) {
	r := image.Rect(from, from, to, to).Add(d.corner(c))
	d.fill(r, colour)
}

func (d *drawing) fill(r image.Rectangle, colour uint8) {
	draw.Draw(d.Paletted, r, image.NewUniform(d.Palette[colour]), image.Point{}, draw.Src)
}

// way draws the line of route i of n.
func (d *drawing) way(i, n int, path []grid.Cell) {
	thick := max(1, d.scale/6)
	at := image.Pt(1, 1).Mul(i * (d.scale - thick) / max(n-1, 1))
	for k := range path {
		from := d.corner(path[max(k-1, 0)]).Add(at)
		to := d.corner(path[k]).Add(at)
		line := image.Rectangle{from, from.Add(image.Pt(thick, thick))}.Union(image.Rectangle{to, to.Add(image.Pt(thick, thick))})
		d.fill(line, colour(i))
	}
}

// goal draws a box, with a cross in it when no way leads to the goal.
func (d *drawing) goal(c grid.Cell, colour uint8, crossed bool) {
	d.box(c, d.scale/8, d.scale-d.scale/8, colour)
	if at := d.corner(c); crossed {
		for k := d.scale / 8; k < d.scale-d.scale/8; k++ {
			d.SetColorIndex(at.X+k, at.Y+k, 1)
			d.SetColorIndex(at.X+d.scale-1-k, at.Y+k, 1)
		}
	}
}
