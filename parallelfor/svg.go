package parallelfor

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"time"
)

const (
	svgWidth  = 1000.0 // of the part that stands for the whole time
	svgMargin = 110.0  // to the left, for the names of lanes
	svgLane   = 22.0
)

// SVG writes what was recorded as a picture, for documents and browsers: time goes to the right, each goroutine
// has a line as in [Graph.Timeline], each cell is a box in the colour of its job, and pointing at it shows the job's
// name, the indices and the time it took. The error is w's.
func (g *Graph) SVG(w io.Writer) error {
	out := bufio.NewWriter(w)
	jobs := g.jobs()
	lines := lanes(jobs)
	from, to := window(lines)
	scale := svgWidth / float64(max(to-from, 1))
	hue := map[*record]int{}
	for i, r := range jobs {
		hue[r] = i * 47 % 360
	}
	height := svgLane * float64(len(lines)+1)
	fmt.Fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" font-family=\"sans-serif\" font-size=\"12\">\n",
		svgMargin+svgWidth, height)
	for i, l := range lines {
		y := svgLane * float64(i)
		fmt.Fprintf(out, "<text x=\"2\" y=\"%.0f\">%s</text>\n", y+15, l.name)
		for _, s := range l.stays {
			for _, c := range s.part.spans {
				fmt.Fprintf(out, "<rect x=\"%.2f\" y=\"%.0f\" width=\"%.2f\" height=\"%.0f\" fill=\"hsl(%d,60%%,60%%)\"><title>%s, indices %d &lt;= i &lt; %d, worker %d, %v</title></rect>\n",
					svgMargin+scale*float64(c.from-from), y+2, max(scale*float64(c.to-c.from), 0.1), svgLane-4, hue[s.job],
					html.EscapeString(s.job.name), c.begin, c.end, s.part.worker, time.Duration(c.to-c.from))
			}
		}
	}
	fmt.Fprintf(out, "<text x=\"%.0f\" y=\"%.0f\">%v</text>\n</svg>\n", svgMargin, height-7, time.Duration(to-from))
	return out.Flush()
}

// window returns the time from the first part to the end of the last.
func window(lines []*lane) (from, to int64) {
	for i, l := range lines {
		if first := l.stays[0].part.from; i == 0 || first < from {
			from = first
		}
		to = max(to, l.until)
	}
	return from, to
}
