package plots

import (
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"example.com/custody/bench/internal/report"
)

// isRatio says whether a row has a ratio that a logarithmic axis has room for: allocations and bytes are not ratios.
func isRatio(r *report.Row) bool {
	v := r.Ratio.Median
	return r.Against() != "" && v > 0 && !math.IsInf(v, 0) && !math.IsNaN(v)
}

// kind is how a row came out, and how its point looks.
type kind struct {
	name  string
	color color.RGBA
	shape draw.GlyphDrawer
}

var kinds = []kind{
	{"meets its bar", blue, draw.CircleGlyph{}},
	{"misses its bar", red, draw.CrossGlyph{}},
	{"has no bar", grey, draw.RingGlyph{}},
}

func kindOf(r *report.Row) int {
	switch {
	case r.Info:
		return 2
	case r.OK():
		return 0
	}
	return 1
}

// legendRows is the room for the legend above the rows.
const legendRows = 4

// points are what plotter.NewXErrorBars takes.
type points struct {
	plotter.XYs
	plotter.XErrors
}

// ratios is a chart with a line for each row, the first at the top.
func ratios(rows []report.Row) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = "group " + rows[0].Group + ": time of the library / time of what it is compared with"
	p.X.Label.Text = "ratio, with its interval of 95 %; left of 1 the library is faster"
	p.X.Scale = plot.LogScale{}
	p.X.Min, p.X.Max = span(rows)
	p.X.Tick.Marker = plot.TickerFunc(powersOfTwo)
	p.Title.Padding, p.X.Label.Padding = vg.Points(4), vg.Points(4)
	p.Y.Min, p.Y.Max = -0.5, float64(len(rows)+legendRows)-0.5
	p.Legend.Top, p.Legend.Left = true, true
	clip := func(v float64) float64 { return min(max(v, p.X.Min), p.X.Max) }

	one, err := plotter.NewLine(plotter.XYs{{X: 1, Y: p.Y.Min}, {X: 1, Y: float64(len(rows)) - 0.5}})
	if err != nil {
		return nil, err
	}
	one.Color = grey
	p.Add(one)

	of := make([]points, len(kinds))
	labels := make([]plot.Tick, len(rows))
	barred := false
	for i := range rows {
		r, y := &rows[i], float64(len(rows)-1-i)
		labels[i] = plot.Tick{Value: y, Label: label(r)}
		k := &of[kindOf(r)]
		k.XYs = append(k.XYs, plotter.XY{X: clip(r.Ratio.Median), Y: y})
		k.XErrors = append(k.XErrors, struct{ Low, High float64 }{clip(r.Ratio.Lo) - clip(r.Ratio.Median), clip(r.Ratio.Hi) - clip(r.Ratio.Median)})
		if r.Info || r.Bar <= 0 {
			continue
		}
		bar, err := plotter.NewLine(plotter.XYs{{X: clip(r.Bar), Y: y - 0.4}, {X: clip(r.Bar), Y: y + 0.4}})
		if err != nil {
			return nil, err
		}
		bar.Color, bar.Width = dark, vg.Points(2)
		p.Add(bar)
		if !barred {
			barred = true
			p.Legend.Add("the bar", bar)
		}
	}
	p.Y.Tick.Marker = plot.ConstantTicks(labels)
	for k := range kinds {
		if len(of[k].XYs) == 0 {
			continue
		}
		whiskers, err := plotter.NewXErrorBars(of[k])
		if err != nil {
			return nil, err
		}
		dots, err := plotter.NewScatter(of[k].XYs)
		if err != nil {
			return nil, err
		}
		whiskers.Color = kinds[k].color
		dots.GlyphStyle = draw.GlyphStyle{Color: kinds[k].color, Radius: vg.Points(3), Shape: kinds[k].shape}
		p.Add(whiskers, dots)
		p.Legend.Add(kinds[k].name, dots)
	}
	return p, nil
}

// label names a row beside its line. What is too long loses its middle.
func label(r *report.Row) string {
	const most = 100
	text := []rune(r.Work + " / " + r.Against())
	if len(text) > most {
		text = append(append(text[:most/2:most/2], []rune("...")...), text[len(text)-most/2+3:]...)
	}
	return string(text)
}

// span is the part of the axis that the medians and bars need, and twice as much on both sides; intervals that reach further
// are cut off there.
func span(rows []report.Row) (lo, hi float64) {
	lo, hi = 0.5, 2
	for i := range rows {
		r := &rows[i]
		lo, hi = min(lo, r.Ratio.Median), max(hi, r.Ratio.Median)
		if !r.Info && r.Bar > 0 {
			lo, hi = min(lo, r.Bar), max(hi, r.Bar)
		}
	}
	return math.Exp2(math.Floor(math.Log2(lo)) - 1), math.Exp2(math.Ceil(math.Log2(hi)) + 1)
}

func powersOfTwo(lo, hi float64) (ticks []plot.Tick) {
	for e := math.Ceil(math.Log2(lo)); e <= math.Log2(hi); e++ {
		v := math.Exp2(e)
		ticks = append(ticks, plot.Tick{Value: v, Label: strconv.FormatFloat(v, 'g', 3, 64)})
	}
	return ticks
}
