package timeline

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"time"

	"example.com/custody/parallelfor"
)

const (
	svgWidth  = 1000.0 // of the part that stands for the whole time
	svgMargin = 110.0  // to the left, for the names of lines
	svgLine   = 22.0
)

// SVG writes the jobs as a picture, for documents and browsers. Time goes to the right. Each
// goroutine has a line, as in [Trace], and each batch is a box in the colour of its job. Pointing
// at a box shows the job's name, the indices and the time they took. The error is w's.
func SVG(w io.Writer, jobs []parallelfor.RecordedJob) error {
	out := bufio.NewWriter(w)
	lines := linesOf(jobs)
	from, to := window(lines)
	scale := svgWidth / float64(max(to-from, 1))
	height := svgLine * float64(len(lines)+1)
	fmt.Fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" font-family=\"sans-serif\" font-size=\"12\">\n",
		svgMargin+svgWidth, height)
	for i, l := range lines {
		y := svgLine * float64(i)
		fmt.Fprintf(out, "<text x=\"2\" y=\"%.0f\">%s</text>\n", y+15, l.name)
		for _, s := range l.stays {
			for _, b := range s.Batches {
				fmt.Fprintf(out, "<rect x=\"%.2f\" y=\"%.0f\" width=\"%.2f\" height=\"%.0f\" fill=\"hsl(%d,60%%,60%%)\"><title>%s, indices %d &lt;= i &lt; %d, worker %d, %v</title></rect>\n",
					svgMargin+scale*float64(b.From-from), y+2, max(scale*float64(b.To-b.From), 0.1), svgLine-4, s.job*47%360,
					html.EscapeString(s.name), b.Begin, b.End, s.Worker, b.To-b.From)
			}
		}
	}
	fmt.Fprintf(out, "<text x=\"%.0f\" y=\"%.0f\">%v</text>\n</svg>\n", svgMargin, height-7, to-from)
	return out.Flush()
}

// window returns the time from the first stay to the end of the last.
func window(lines []*line) (from, to time.Duration) {
	for i, l := range lines {
		if first := l.stays[0].From; i == 0 || first < from {
			from = first
		}
		to = max(to, l.until)
	}
	return from, to
}
