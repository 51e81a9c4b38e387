package plots

import (
	"fmt"
	"strconv"

	"example.com/custody/bench/internal/report"
	"example.com/custody/internal/svg"
)

const (
	ratioLine = 22.0
	ratioLeft = 268.0 // room for names
)

var (
	plainColour = svg.Colour(0)
	peerColour  = svg.Colour(1)
	missColour  = svg.Colour(4)
)

// ratios is a chart of a section, with a line for each entry that has a ratio; nil without one.
func ratios(s *report.Section, rows []report.Row) *svg.Picture {
	var entries []report.Entry
	x := scale{lo: 0.5, hi: 2, from: ratioLeft, to: width - right, log: true}
	for _, e := range s.Entries(rows) {
		drawn := false
		for _, r := range []*report.Row{e.Plain, e.Peer} {
			if r != nil && isRatio(r) {
				drawn = true
				x.reach(r.Ratio.Median)
				if !r.Info {
					x.reach(r.Bar)
				}
			}
		}
		if drawn {
			entries = append(entries, e)
		}
	}
	if len(entries) == 0 {
		return nil
	}
	bottom := top + ratioLine*float64(len(entries))
	p := svg.New(width, bottom+40, s.Title+": ratios of times")
	legend(p, 8, s.Title+": time of the library ÷ time of the other program", []mark{
		{"plain Go", func(x, y float64) { p.Dot(plainColour, x, y, 4) }},
		{"best peer", func(x, y float64) { diamond(p, peerColour, x, y) }},
		{"bar that is met", func(x, y float64) { p.Line(svg.Axis, x, y-6, x, y+6, 2.5, "") }},
		{"bar that is missed", func(x, y float64) { p.Line(missColour, x, y-6, x, y+6, 4, "") }},
	})
	for _, tick := range svg.LogTicks(x.lo, x.hi, 9) {
		at := x.at(tick)
		p.Line(svg.Grid, at, top, at, bottom, 1, "")
		p.Line(svg.Axis, at, bottom, at, bottom+4, 1, "")
		p.Text(svg.Quiet, svg.Small, at, bottom+17, svg.Middle, strconv.FormatFloat(tick, 'f', -1, 64))
	}
	p.Line(svg.Axis, x.from, bottom, x.to, bottom, 1, "")
	p.Line(svg.Axis, x.at(1), top, x.at(1), bottom, 1.5, "")
	p.Text(svg.Quiet, svg.Small, x.from, bottom+33, svg.Start, "← the library is faster")
	p.Text(svg.Quiet, svg.Small, x.to, bottom+33, svg.End, "slower →")
	for i, e := range entries {
		y := top + ratioLine*float64(i)
		if i%2 == 0 {
			p.Area(svg.Lane, 0, y, ratioLeft-8, ratioLine)
		}
		p.Text("", svg.Small, 8, y+ratioLine/2+4, svg.Start, svg.Fit(e.Name, svg.Small, ratioLeft-24))
		if r := e.Plain; r != nil && isRatio(r) {
			at := interval(p, plainColour, x, r, y+7)
			p.Dot(plainColour, at, y+7, 4)
		}
		if r := e.Peer; r != nil && isRatio(r) {
			at := interval(p, peerColour, x, r, y+15)
			diamond(p, peerColour, at, y+15)
		}
	}
	return p
}

// reach has the scale reach a value, and half as much more.
func (s *scale) reach(v float64) {
	if v > 0 {
		s.lo, s.hi = min(s.lo, v/1.5), max(s.hi, v*1.5)
	}
}

// interval draws the bar and the interval of a row, and returns where its median is.
func interval(p *svg.Picture, colour string, x scale, r *report.Row, y float64) float64 {
	if !r.Info && r.Bar > 0 {
		class, thick := svg.Axis, 2.5
		if !r.OK() {
			class, thick = missColour, 4
		}
		p.Line(class, x.at(r.Bar), y-4, x.at(r.Bar), y+4, thick, "")
	}
	p.Line(colour, x.at(r.Ratio.Lo), y, x.at(r.Ratio.Hi), y, 2, "")
	return x.at(r.Ratio.Median)
}

func diamond(p *svg.Picture, colour string, x, y float64) {
	p.Path(colour+" fill", fmt.Sprintf("M%.2f %.2fl5 5l-5 5l-5 -5z", x, y-5), 0, "")
}
