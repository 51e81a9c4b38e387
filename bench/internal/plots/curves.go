package plots

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"example.com/custody/bench/internal/report"
	"example.com/custody/internal/svg"
)

// curve is a work at several numbers of workers.
type curve struct {
	name   string
	points []*report.Row
}

// work returns the work without its number of workers, and what stands before its colon.
func work(r *report.Row) (name, short string) {
	name, _, _ = strings.Cut(r.Work, ", workers: ")
	short, _, _ = strings.Cut(name, ":")
	return name, short
}

// curvesOf returns the works that were measured with one worker.
func curvesOf(rows []report.Row) (all []curve) {
	last := ""
	for i := range rows {
		r := &rows[i]
		if r.Group != "scaling" || r.Workers == 0 {
			continue
		}
		name, short := work(r)
		switch {
		case r.Workers == 1 && r.Limit > 0 && r.Ours > 0:
			all, last = append(all, curve{short, []*report.Row{r}}), name
		case name == last:
			c := &all[len(all)-1]
			c.points = append(c.points, r)
		}
	}
	return all
}

// fast returns how many times as fast as one goroutine of plain Go a time is.
func (c *curve) fast(ns float64) float64 { return c.points[0].Limit / ns }

// scaling is a chart of how many times as fast each work is with more workers, as one goroutine of
// plain Go is; nil without works. The library's curves are whole, those of goroutines dashed.
func scaling(rows []report.Row) *svg.Picture {
	curves := curvesOf(rows)
	if len(curves) == 0 {
		return nil
	}
	const bottom, left, names = 300.0, 46.0, 150.0
	most, fastest := 1, 1.0
	for i := range curves {
		for _, r := range curves[i].points {
			most, fastest = max(most, r.Workers), max(fastest, float64(r.Workers), curves[i].fast(r.Ours), curves[i].fast(r.Limit))
		}
	}
	x := scale{lo: 1, hi: max(float64(most), 2), from: left + 10, to: width - right - names}
	y := scale{lo: 0, hi: fastest * 1.05, from: bottom, to: top}
	p := svg.New(width, bottom+40, "times as fast as one goroutine, by workers")
	legend(p, 8, "Workers: times as fast as one goroutine of plain Go", []mark{
		{"the library", func(x, y float64) { p.Line(svg.Axis, x-7, y, x+7, y, 2, "") }},
		{"goroutines by hand", func(x, y float64) { p.Line(svg.Axis, x-7, y, x+7, y, 2, "4 3") }},
		{"as many times as workers", func(x, y float64) { p.Line(svg.Axis, x-7, y, x+7, y, 1, "1 2") }},
	})
	for _, tick := range svg.Ticks(0, y.hi, 8) {
		at := y.at(tick)
		p.Line(svg.Grid, left, at, x.to, at, 1, "")
		p.Text(svg.Quiet, svg.Small, left-6, at+4, svg.End, strconv.FormatFloat(tick, 'g', 6, 64))
	}
	for _, tick := range svg.Ticks(1, x.hi, 9) {
		if at := x.at(tick); tick == float64(int(tick)) {
			p.Line(svg.Axis, at, bottom, at, bottom+4, 1, "")
			p.Text(svg.Quiet, svg.Small, at, bottom+17, svg.Middle, strconv.FormatFloat(tick, 'g', 6, 64))
		}
	}
	p.Line(svg.Axis, left, bottom, x.to, bottom, 1, "")
	p.Text(svg.Quiet, svg.Small, (left+x.to)/2, bottom+33, svg.Middle, "workers")
	p.Line(svg.Axis, x.at(1), y.at(1), x.at(float64(most)), y.at(float64(most)), 1, "1 2")

	var ends []end
	for i := range curves {
		c := &curves[i]
		ours, hand := "M", "M"
		for _, r := range c.points {
			at := x.at(float64(r.Workers))
			ours += fmt.Sprintf("%.2f %.2f ", at, y.at(c.fast(r.Ours)))
			hand += fmt.Sprintf("%.2f %.2f ", at, y.at(c.fast(r.Limit)))
			p.Dot(svg.Colour(i), at, y.at(c.fast(r.Ours)), 3)
		}
		p.Path(svg.Colour(i), hand, 1.5, "4 3")
		p.Path(svg.Colour(i), ours, 2, "")
		last := c.points[len(c.points)-1]
		ends = append(ends, end{i, c.name, x.at(float64(last.Workers)), y.at(c.fast(last.Ours)), 0})
	}
	name(p, ends, x.to, bottom)
	return p
}

// end is where a curve ends.
type end struct {
	curve  int
	name   string
	x, y   float64
	middle float64 // of the name
}

// name writes the names of curves to the right, where these end, but none on another one.
func name(p *svg.Picture, ends []end, right, bottom float64) {
	slices.SortFunc(ends, func(a, b end) int { return cmp.Compare(a.y, b.y) })
	const apart = 18.0
	for i := range ends {
		if ends[i].middle = ends[i].y; i > 0 {
			ends[i].middle = max(ends[i].middle, ends[i-1].middle+apart)
		}
	}
	for i := len(ends) - 1; i >= 0; i-- { // those that would leave the picture push the others up
		limit := bottom
		if i+1 < len(ends) {
			limit = ends[i+1].middle - apart
		}
		ends[i].middle = min(ends[i].middle, limit)
	}
	for _, e := range ends {
		p.Path(svg.Colour(e.curve), fmt.Sprintf("M%.2f %.2fL%.2f %.2fh6", e.x+4, e.y, right+16, e.middle), 1, "")
		p.Text("", svg.Small, right+26, e.middle+4, svg.Start, svg.Fit(e.name, svg.Small, width-right-34))
	}
}
