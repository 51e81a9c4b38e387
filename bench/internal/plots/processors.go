package plots

import (
	"fmt"
	"strconv"
	"strings"

	"example.com/custody/internal/svg"
)

// Curve is how many times as fast something is at numbers of processors, as simulated and as
// measured.
type Curve struct {
	Name                string
	Simulated, Measured []Point
}

// Point is a speed at a number of processors.
type Point struct{ Processors, Fast float64 }

// Processors is a chart of curves, with logarithmic axes. What is measured are dots.
func Processors(title, axis, measured string, curves []Curve) *svg.Picture {
	const bottom, left, names = 330.0, 46.0, 236.0
	x := scale{lo: 1, hi: 2, from: left + 10, to: width - names, log: true}
	y := scale{lo: 0.5, hi: 2, from: bottom, to: top, log: true}
	for _, c := range curves {
		for _, points := range [][]Point{c.Simulated, c.Measured} {
			for _, p := range points {
				x.hi, y.lo, y.hi = max(x.hi, p.Processors), min(y.lo, p.Fast/1.1), max(y.hi, p.Fast*1.1)
			}
		}
	}
	p := svg.New(width, bottom+40, title)
	marks := []mark{
		{"simulated", func(x, y float64) { p.Line(svg.Axis, x-7, y, x+7, y, 2, "") }},
		{"in proportion", func(x, y float64) { p.Line(svg.Axis, x-7, y, x+7, y, 1, "1 2") }},
	}
	if measured != "" {
		marks = append(marks, mark{measured, func(x, y float64) { p.Dot(svg.Quiet, x, y, 4) }})
	}
	legend(p, 8, title, marks)
	for tick := 1.0 / 64; tick <= y.hi; tick *= 2 {
		if at := y.at(tick); tick >= y.lo {
			p.Line(svg.Grid, left, at, x.to, at, 1, "")
			p.Text(svg.Quiet, svg.Small, left-6, at+4, svg.End, strconv.FormatFloat(tick, 'g', 6, 64))
		}
	}
	for tick := 1.0; tick <= x.hi*1.1; tick *= 2 {
		at := x.at(tick)
		p.Line(svg.Axis, at, bottom, at, bottom+4, 1, "")
		p.Text(svg.Quiet, svg.Small, at, bottom+17, svg.Middle, strconv.FormatFloat(tick, 'g', 6, 64))
	}
	p.Line(svg.Axis, left, bottom, x.to, bottom, 1, "")
	p.Text(svg.Quiet, svg.Small, (left+x.to)/2, bottom+33, svg.Middle, axis)
	p.Line(svg.Axis, x.at(1), y.at(1), x.at(min(x.hi, y.hi)), y.at(min(x.hi, y.hi)), 1, "1 2")
	var ends []end
	for i, c := range curves {
		if len(c.Simulated) == 0 {
			continue
		}
		var d strings.Builder
		d.WriteByte('M')
		for _, at := range c.Simulated {
			fmt.Fprintf(&d, "%.2f %.2f ", x.at(at.Processors), y.at(at.Fast))
		}
		dashes := ""
		if i >= svg.Colours {
			dashes = "6 3"
		}
		p.Path(svg.Colour(i), d.String(), 2, dashes)
		for _, at := range c.Measured {
			p.Dot(svg.Colour(i), x.at(at.Processors), y.at(at.Fast), 4)
		}
		last := c.Simulated[len(c.Simulated)-1]
		ends = append(ends, end{i, c.Name, x.at(last.Processors), y.at(last.Fast), 0})
	}
	name(p, ends, x.to, bottom)
	return p
}
