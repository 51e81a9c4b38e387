package timeline

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"example.com/custody/internal/svg"
	"example.com/custody/parallelfor"
)

const (
	svgWidth  = 640.0
	svgRight  = 24.0 // room for half of the last number below the axis
	svgLine   = 36.0 // from the top of a line to that of the next
	svgBox    = 26.0 // the height of a batch
	svgPad    = 4.0
	svgLegend = 22.0 // from the top of a row of the legend to that of the next
)

// SVG writes the jobs as a picture, for documents and browsers. Time goes to the right. Each
// goroutine has a line, as in [Trace], and each batch is a box in the colour of its job's name. The
// name stands in the boxes of a stay, or to the right of them, or below the axis where neither has
// room. Pointing at a box shows the name, the indices, the worker's number and the time they took.
// The picture follows the light or dark scheme of its reader. The error is w's.
func SVG(w io.Writer, jobs []parallelfor.RecordedJob) error {
	v := view{lines: linesOf(jobs), colours: map[string]string{}}
	for _, j := range jobs {
		if _, ok := v.colours[j.Name]; !ok {
			v.colours[j.Name] = svg.Colour(len(v.colours))
		}
	}
	v.from, v.to = window(v.lines)
	v.left = svg.Width("time in µs", svg.Small) + 2*svgPad + 8
	for _, l := range v.lines {
		v.left = max(v.left, svg.Width(l.name, svg.Normal)+2*svgPad+8)
	}
	v.scale = (svgWidth - v.left - svgRight) / float64(max(v.to-v.from, 1))
	legend := v.legend()
	axis := svgPad + svgLine*float64(len(v.lines))
	v.p = svg.New(svgWidth, axis+26+svgLegend*float64(len(legend)), counted(len(jobs), "job", "jobs")+" in time, a line for each goroutine")
	v.axis(axis)
	for i, l := range v.lines {
		v.line(svgPad+svgLine*float64(i), l)
	}
	for i, row := range legend {
		for _, e := range row {
			y := axis + 26 + svgLegend*float64(i)
			v.p.Area(v.colours[e.name], e.x, y+2, 12, 12)
			v.p.Text("", svg.Small, e.x+16, y+12, svg.Start, e.text)
		}
	}
	_, err := v.p.WriteTo(w)
	return err
}

// view is a picture in the making.
type view struct {
	p        *svg.Picture
	lines    []*line
	colours  map[string]string // by the names of jobs
	from, to time.Duration
	left     float64 // where the first stay begins
	scale    float64 // pixels for a nanosecond
}

func (v *view) x(t time.Duration) float64 { return v.left + v.scale*float64(t-v.from) }

// units are the units of the axis.
var units = []struct {
	name string
	of   time.Duration
}{{"s", time.Second}, {"ms", time.Millisecond}, {"µs", time.Microsecond}, {"ns", 1}}

// axis draws the axis of time below the lines.
func (v *view) axis(y float64) {
	if v.to <= v.from {
		return
	}
	span := v.to - v.from
	unit := units[len(units)-1]
	for _, u := range units {
		if span >= 2*u.of {
			unit = u
			break
		}
	}
	for _, tick := range svg.Ticks(0, float64(span)/float64(unit.of), 10) {
		x := v.left + v.scale*tick*float64(unit.of)
		v.p.Line(svg.Grid, x, 0, x, y, 1, "")
		v.p.Line(svg.Axis, x, y, x, y+4, 1, "")
		v.p.Text(svg.Quiet, svg.Small, x, y+17, svg.Middle, strconv.FormatFloat(tick, 'g', 6, 64))
	}
	v.p.Line(svg.Axis, v.left, y, svgWidth-svgRight, y, 1, "")
	v.p.Text(svg.Quiet, svg.Small, svgPad, y+17, svg.Start, "time in "+unit.name)
}

// line draws the batches of a line, and the names of their jobs.
func (v *view) line(y float64, l *line) {
	v.p.Text("", svg.Normal, svgPad, y+svgBox/2+5, svg.Start, l.name)
	v.p.Area(svg.Lane, v.left, y, svgWidth-svgRight-v.left, svgBox)
	for k, s := range l.stays {
		colour := v.colours[s.name]
		for i, b := range s.Batches {
			width := max(v.scale*float64(b.To-b.From), 0.1)
			v.p.Rect(colour, v.x(b.From), y, width, svgBox,
				fmt.Sprintf("%s, indices %d <= i < %d, worker %d, %v", s.name, b.Begin, b.End, s.Worker, b.To-b.From))
			if i+1 < len(s.Batches) || k+1 < len(l.stays) {
				v.p.Line(svg.Gap, v.x(b.To), y, v.x(b.To), y+svgBox, min(width/4, 1), "")
			}
		}
		switch x, width := v.label(l, k); {
		case x == 0:
		case width > 0:
			v.p.Area(colour, x-width/2-1, y+4, width+2, svgBox-8)
			v.p.Text(svg.On, svg.Small, x, y+svgBox/2+4, svg.Middle, s.name)
		default:
			v.p.Text("", svg.Small, x, y+svgBox/2+4, svg.Start, s.name)
		}
	}
}

// label returns the place of the name of stay k. In the boxes of the stay, x is the middle of the
// name and width its width. To the right of them, x is its left end and width is 0. Where there is
// no room, both are 0.
func (v *view) label(l *line, k int) (x, width float64) {
	width = svg.Width(l.stays[k].name, svg.Small)
	from, to, end := v.widest(l.stays[k])
	if width+2*svgPad <= to-from {
		return (from + to) / 2, width
	}
	next := svgWidth - svgRight
	if k+1 < len(l.stays) {
		next = v.x(l.stays[k+1].Batches[0].From)
	}
	if end+width+2*svgPad <= next {
		return end + svgPad, 0
	}
	return 0, 0
}

// widest returns the widest part of a stay in which no two batches are more than gap pixels apart,
// and where the last batch ends.
func (v *view) widest(s stay) (from, to, end float64) {
	const gap = 2.0
	begin := v.x(s.Batches[0].From)
	for i, b := range s.Batches {
		if at := v.x(b.From); i > 0 && at-end > gap {
			begin = at
		}
		if end = v.x(b.To); end-begin > to-from {
			from, to = begin, end
		}
	}
	return from, to, end
}

// entry is the name of a job in the legend, the text for it, and the left end of the entry.
type entry struct {
	name, text string
	x          float64
}

// legend returns the rows of the legend. It has the name of each job with a stay whose label has no
// room.
func (v *view) legend() (rows [][]entry) {
	var names []string
	for _, l := range v.lines {
		for k, s := range l.stays {
			if x, _ := v.label(l, k); x == 0 && !slices.Contains(names, s.name) {
				names = append(names, s.name)
			}
		}
	}
	x := svgWidth
	for _, name := range names {
		text := svg.Fit(name, svg.Small, svgWidth-v.left-svgRight-16)
		width := 16 + svg.Width(text, svg.Small)
		if x+width > svgWidth-svgRight {
			rows, x = append(rows, nil), v.left
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], entry{name, text, x})
		x += width + 16
	}
	return rows
}

// window returns when the first stay begins and when the last one ends.
func window(lines []*line) (from, to time.Duration) {
	for i, l := range lines {
		if first := l.stays[0].From; i == 0 || first < from {
			from = first
		}
		to = max(to, l.until)
	}
	return from, to
}
