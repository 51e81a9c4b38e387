package plots

import (
	"fmt"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"example.com/custody/bench/internal/report"
)

// curves is a chart of how many times as fast each work is with more workers, as one goroutine of plain Go is: the library's
// curve whole with its spread, that of the goroutines dashed.
func curves(rows []report.Row) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = "times as fast as one goroutine"
	p.X.Label.Text = "workers"
	p.Title.Padding, p.X.Label.Padding = vg.Points(4), vg.Points(4)
	p.X.Min, p.Y.Min = 1, 0
	p.Legend.Top, p.Legend.Left = true, true

	most, series := 1, 0
	for len(rows) > 0 {
		work, n := curve(rows[0].Work), 1
		for n < len(rows) && curve(rows[n].Work) == work {
			n++
		}
		of := rows[:n]
		rows = rows[n:]
		if of[0].Workers != 1 || of[0].Limit <= 0 {
			continue // without one goroutine there is nothing to compare with
		}
		most = max(most, of[n-1].Workers)
		style := draw.LineStyle{Color: others[series%len(others)], Width: vg.Points(1.5)}
		series++
		if err := add(p, work, of, style); err != nil {
			return nil, err
		}
	}
	p.X.Max, p.Y.Max = float64(most)+0.2, max(p.Y.Max, float64(most))*1.3
	var ticks []plot.Tick
	for w := 1; w <= most; w++ {
		ticks = append(ticks, plot.Tick{Value: float64(w), Label: fmt.Sprint(w)})
	}
	p.X.Tick.Marker = plot.ConstantTicks(ticks)
	ideal, err := plotter.NewLine(plotter.XYs{{X: 1, Y: 1}, {X: float64(most), Y: float64(most)}})
	if err != nil {
		return nil, err
	}
	ideal.LineStyle = draw.LineStyle{Color: grey, Width: vg.Points(1), Dashes: []vg.Length{vg.Points(1), vg.Points(3)}}
	p.Add(ideal)
	p.Legend.Add("as many times as there are workers", ideal)
	return p, nil
}

// curve returns the work without its number of workers.
func curve(work string) string {
	name, _, _ := strings.Cut(work, ", workers: ")
	return name
}

// add adds the two curves of a work.
func add(p *plot.Plot, work string, rows []report.Row, style draw.LineStyle) error {
	alone := rows[0].Limit
	var ours, hand plotter.XYs
	var spread plotter.YErrors
	for i := range rows {
		r := &rows[i]
		x, fast := float64(r.Workers), alone/r.Ours
		ours = append(ours, plotter.XY{X: x, Y: fast})
		hand = append(hand, plotter.XY{X: x, Y: alone / r.Limit})
		var errs struct{ Low, High float64 }
		for _, s := range r.Sides {
			if s.Name == r.Side {
				errs.Low, errs.High = alone/s.Time.Hi-fast, alone/s.Time.Lo-fast
			}
		}
		spread = append(spread, errs)
	}
	line, dots, err := plotter.NewLinePoints(ours)
	if err != nil {
		return err
	}
	whiskers, err := plotter.NewYErrorBars(struct {
		plotter.XYs
		plotter.YErrors
	}{ours, spread})
	if err != nil {
		return err
	}
	dashed, err := plotter.NewLine(hand)
	if err != nil {
		return err
	}
	line.LineStyle, dashed.LineStyle, whiskers.LineStyle = style, style, style
	dashed.Dashes = []vg.Length{vg.Points(5), vg.Points(3)}
	whiskers.Width = vg.Points(0.75)
	dots.GlyphStyle = draw.GlyphStyle{Color: style.Color, Radius: vg.Points(3), Shape: draw.CircleGlyph{}}
	p.Add(dashed, whiskers, line, dots)
	p.Legend.Add(work, line, dots)
	p.Legend.Add("  the same by hand", dashed)
	return nil
}
