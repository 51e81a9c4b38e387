package plots

import (
	"bytes"
	"math"
	"os"
	"path/filepath"

	"example.com/custody/bench/internal/report"
	"example.com/custody/internal/svg"
)

// Chart is a picture, and what it is called.
type Chart struct {
	Name, Alt string
	Picture   *svg.Picture
}

// BreakEven is the name of the chart of a loop by the size of its work.
const BreakEven = "break-even"

// Charts returns the charts for which there are rows.
func Charts(rows []report.Row) (all []Chart) {
	add := func(name, alt string, p *svg.Picture) {
		if p != nil {
			all = append(all, Chart{name, alt, p})
		}
	}
	add(BreakEven, "Time of a parallel loop against the plain loop, by the size of its work", sizes(rows))
	add("scaling", "How many times as fast loops are with more workers", scaling(rows))
	for i := range report.Sections {
		s := &report.Sections[i]
		add(s.Name, s.Title+": time of the library against plain Go and the best peer", ratios(s, rows))
	}
	return all
}

// Write writes a picture into a file, and makes its directory.
func Write(name string, p *svg.Picture) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	var b bytes.Buffer
	if _, err := p.WriteTo(&b); err != nil {
		return err
	}
	return os.WriteFile(name, b.Bytes(), 0o666)
}

const (
	width = 640.0
	right = 28.0 // room for half of the last number of the axis
	top   = 52.0 // of a title and a legend
)

// scale maps values to pixels, linear or by their logarithms. Values outside are drawn at its end.
type scale struct {
	lo, hi, from, to float64
	log              bool
}

func (s scale) at(v float64) float64 {
	v = min(max(v, s.lo), s.hi)
	if s.log {
		return s.from + (s.to-s.from)*math.Log(v/s.lo)/math.Log(s.hi/s.lo)
	}
	return s.from + (s.to-s.from)*(v-s.lo)/(s.hi-s.lo)
}

// mark is an entry of a legend: draw draws it around the middle of a line of text.
type mark struct {
	text string
	draw func(x, y float64)
}

// legend writes the title and the marks in one line below it.
func legend(p *svg.Picture, x float64, title string, marks []mark) {
	p.Text("", svg.Normal, 8, 18, svg.Start, title)
	for _, m := range marks {
		m.draw(x+7, 36)
		p.Text(svg.Quiet, svg.Small, x+18, 40, svg.Start, m.text)
		x += 18 + svg.Width(m.text, svg.Small) + 14
	}
}

// isRatio reports whether a row has a ratio that a logarithmic axis has room for.
func isRatio(r *report.Row) bool {
	v := r.Ratio.Median
	return r.Against() != "" && v > 0 && !math.IsInf(v, 0) && !math.IsNaN(v)
}
