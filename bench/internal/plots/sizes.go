package plots

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"example.com/custody/bench/internal/report"
	"example.com/custody/internal/svg"
)

// point is a row and the time of the plain loop that its work was made for.
type point struct {
	*report.Row
	size float64
}

// bound is the ratio that a loop of that time should not exceed.
func bound(size float64) float64 { return 1.1 + 250/size }

// course is the points of one situation.
type course struct {
	name   string
	points []point
}

// courses returns the situations in their order. The work of a row names its situation last.
func courses(rows []report.Row) (all []course) {
	for i := range rows {
		r := &rows[i]
		size, _, _ := strings.Cut(r.Work, " ")
		d, err := time.ParseDuration(size)
		if r.Group != "sizes" || err != nil || !isRatio(r) || r.Limit <= 0 {
			continue
		}
		_, name, _ := strings.Cut(r.Work, ", ")
		if name = strings.TrimSuffix(name, " between"); len(all) == 0 || all[len(all)-1].name != name {
			all = append(all, course{name: name})
		}
		last := &all[len(all)-1]
		last.points = append(last.points, point{r, float64(d)})
	}
	return all
}

// sizes is a chart of the time of a loop, divided by that of the plain loop, by the time of the
// plain loop, in each situation; nil when there are not two sizes.
func sizes(rows []report.Row) *svg.Picture {
	all := courses(rows)
	if len(all) == 0 || len(all[0].points) < 2 {
		return nil
	}
	points := all[0].points
	const bottom, left = 300.0, 46.0
	x := scale{lo: points[0].size, hi: points[len(points)-1].size, from: left + 10, to: width - right, log: true}
	y := scale{lo: 0.4, hi: 1.5, from: bottom, to: top, log: true}
	for _, c := range all {
		for _, r := range c.points {
			y.lo, y.hi = min(y.lo, r.Ratio.Median/1.1), max(y.hi, r.Ratio.Median*1.1, r.byHand()*1.1)
		}
	}
	y.lo, y.hi = max(y.lo, 0.05), min(y.hi, 20)
	p := svg.New(width, bottom+40, "time of a loop by the size of its work")
	dashes := []string{"", "8 3", "3 3", "1 3"}
	marks := []mark{
		{"by hand", func(x, y float64) { p.Line(peerColour, x-7, y, x+7, y, 2, "4 3") }},
		{"1.1 loops + 0.25 µs", func(x, y float64) { p.Line(missColour, x-7, y, x+7, y, 1, "") }},
	}
	for i, c := range all {
		marks = append(marks, mark{c.name, func(x, y float64) { p.Line(plainColour, x-7, y, x+7, y, 2, dashes[i%len(dashes)]) }})
	}
	legend(p, 8, fmt.Sprintf("Time of a loop ÷ time of the plain loop, by the size of its work (%d cores)", points[0].Workers), marks)
	for _, tick := range svg.LogTicks(y.lo, y.hi, 8) {
		at := y.at(tick)
		p.Line(svg.Grid, left, at, x.to, at, 1, "")
		p.Text(svg.Quiet, svg.Small, left-6, at+4, svg.End, strconv.FormatFloat(tick, 'f', -1, 64))
	}
	for _, tick := range svg.LogTicks(x.lo, x.hi, 6) {
		at := x.at(tick)
		p.Line(svg.Axis, at, bottom, at, bottom+4, 1, "")
		p.Text(svg.Quiet, svg.Small, at, bottom+17, svg.Middle, report.Duration(tick))
	}
	p.Line(svg.Axis, left, bottom, x.to, bottom, 1, "")
	p.Line(svg.Axis, left, y.at(1), x.to, y.at(1), 1.5, "")
	p.Text(svg.Quiet, svg.Small, (left+x.to)/2, bottom+33, svg.Middle, "time of the plain loop")

	path := func(colour, dash string, wide float64, points []point, ratio func(r point) float64) {
		var d strings.Builder
		d.WriteString("M")
		for _, r := range points {
			fmt.Fprintf(&d, "%.2f %.2f ", x.at(r.size), y.at(ratio(r)))
		}
		p.Path(colour, d.String(), wide, dash)
	}
	for _, r := range points {
		at := x.at(r.size)
		p.Line(plainColour, at, y.at(r.Ratio.Lo), at, y.at(r.Ratio.Hi), 1, "")
		p.Dot(plainColour, at, y.at(r.Ratio.Median), 3)
	}
	path(missColour, "", 1, points, func(r point) float64 { return bound(r.size) })
	path(peerColour, "4 3", 1.5, points, point.byHand)
	for i, c := range all {
		path(plainColour, dashes[i%len(dashes)], 2.5, c.points, func(r point) float64 { return r.Ratio.Median })
	}
	if even := breakEven(points); even > 0 {
		at := x.at(even)
		p.Line(svg.Axis, at, top+18, at, bottom, 1, "3 3")
		text := "break-even: " + report.Duration(even)
		anchor := svg.Start
		if at+svg.Width(text, svg.Small)+6 > x.to {
			at, anchor = at-12, svg.End
		}
		p.Text("", svg.Small, at+6, top+14, anchor, text)
	}
	return p
}

// byHand returns the ratio of the goroutines' time to that of the plain loop.
func (r point) byHand() float64 {
	for _, s := range r.Sides {
		if s.Name != r.Side && s.Name != r.LimitSide {
			return s.Time.Median / r.Limit
		}
	}
	return 1
}

// breakEven returns from which time of the plain loop on the library is always faster, on the line
// between two points, or 0.
func breakEven(points []point) float64 {
	for i := len(points) - 1; i > 0; i-- {
		a, b := points[i-1], points[i]
		if b.Ratio.Median >= 1 {
			return 0
		}
		if a.Ratio.Median >= 1 {
			part := math.Log(a.Ratio.Median) / math.Log(a.Ratio.Median/b.Ratio.Median)
			return a.size * math.Pow(b.size/a.size, part)
		}
	}
	return 0
}
