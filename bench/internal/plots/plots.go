package plots

import (
	"errors"
	"image/color"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"example.com/custody/bench/internal/report"
)

// The colours are told apart by those who see red and green alike too; what misses its bar has another shape besides.
var (
	blue   = color.RGBA{0, 114, 178, 255}
	red    = color.RGBA{213, 94, 0, 255}
	grey   = color.RGBA{130, 130, 130, 255}
	dark   = color.RGBA{40, 40, 40, 255}
	others = []color.RGBA{blue, red, {0, 158, 115, 255}, {204, 121, 167, 255}, {230, 159, 0, 255}, dark}
)

// Draw writes the charts into a directory, which it makes, and returns their names by group. A group without anything to
// draw has none.
func Draw(dir string, rows []report.Row) (map[string]string, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	names := map[string]string{}
	for len(rows) > 0 {
		group := rows[0].Group
		end := slices.IndexFunc(rows, func(r report.Row) bool { return r.Group != group })
		if end < 0 {
			end = len(rows)
		}
		of := rows[:end]
		rows = rows[end:]
		p, width, height, err := chart(of)
		if err != nil {
			return nil, err
		}
		if p == nil {
			continue
		}
		names[group] = strings.ReplaceAll(group, " ", "-") + ".svg"
		if err := write(filepath.Join(dir, names[group]), p, width, height); err != nil {
			return nil, err
		}
	}
	return names, nil
}

// chart returns the chart of a group, or nil when there is nothing to draw.
func chart(rows []report.Row) (p *plot.Plot, width, height vg.Length, err error) {
	if slices.ContainsFunc(rows, func(r report.Row) bool { return r.Workers > 0 }) {
		p, err = curves(rows)
		return p, 9 * vg.Inch, 6 * vg.Inch, err
	}
	drawn := slices.DeleteFunc(slices.Clone(rows), func(r report.Row) bool { return !isRatio(&r) })
	if len(drawn) == 0 {
		return nil, 0, 0, nil
	}
	p, err = ratios(drawn)
	return p, 13 * vg.Inch, vg.Length(len(drawn)+legendRows)*0.2*vg.Inch + vg.Inch, err
}

func write(name string, p *plot.Plot, width, height vg.Length) (err error) {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	canvas := vgsvg.New(width, height)
	const margin = 8
	p.Draw(draw.Crop(draw.New(canvas), margin, -margin, margin, -margin))
	_, err = canvas.WriteTo(file)
	return err
}
