package plots

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/report"
	"example.com/custody/internal/svg"
)

func rows(t *testing.T) []report.Row {
	t.Helper()
	file, err := os.Open("../report/testdata/run.json")
	require.NoError(t, err)
	defer file.Close()
	_, rows, err := report.Read(file)
	require.NoError(t, err)
	return rows
}

// drawn returns the texts of a picture, which do not overlap, and all of it.
func drawn(t *testing.T, p *svg.Picture) (texts []string, all string) {
	t.Helper()
	require.NotNil(t, p)
	var b bytes.Buffer
	_, err := p.WriteTo(&b)
	require.NoError(t, err)
	found, err := svg.Overlaps(bytes.NewReader(b.Bytes()))
	require.NoError(t, err)
	require.Empty(t, found)
	var has struct {
		Texts []string `xml:"text"`
	}
	require.NoError(t, xml.Unmarshal(b.Bytes(), &has))
	return has.Texts, b.String()
}

func TestTheChartsOfRowsAreTheSameEveryTime(t *testing.T) {
	all := rows(t)
	again := Charts(all)
	var names []string
	for i, c := range Charts(all) {
		names = append(names, c.Name)
		texts, picture := drawn(t, c.Picture)
		_, same := drawn(t, again[i].Picture)
		require.Equal(t, same, picture)
		switch c.Name {
		case "sharing":
			require.Subset(t, texts, []string{"count in a loop, IncIf", "plain Go", "best peer", "0.5", "1"})
		case "scaling":
			require.Subset(t, texts, []string{"array", "workers", "1", "2"})
		case BreakEven:
			require.Subset(t, texts, []string{"time of the plain loop", "break-even: 2\u00a0µs", "1\u00a0µs", "0.5"})
		}
	}
	require.Equal(t, []string{BreakEven, "scaling", "loops", "maps", "sharing"}, names)
}

// Every section is a chart that a reader takes in at a glance.
func TestSectionsHaveFewLines(t *testing.T) {
	lines := 0
	for _, s := range report.Sections {
		require.LessOrEqual(t, len(s.Lines), 15, s.Name)
		lines += len(s.Lines)
		for _, l := range s.Lines {
			require.Equal(t, l.Name, svg.Fit(l.Name, svg.Small, ratioLeft-24))
		}
	}
	require.LessOrEqual(t, lines, 40)
}

// Charts of any values have texts that do not overlap.
func TestChartsOfExtremes(t *testing.T) {
	for _, span := range []float64{1.0001, 2, 50, 1e6} {
		s := report.Section{Name: "s", Title: "Extremes"}
		var all []report.Row
		for i := range 15 {
			work := fmt.Sprintf("work %d", i)
			v := math.Pow(span, float64(i)/7-1)
			s.Lines = append(s.Lines, report.Line{Name: work, Group: "g", Work: work})
			all = append(all, report.Row{Group: "g", Work: work, Peer: "p", PeerTime: 1, Ours: v, Bar: 1, Ratio: measure.Estimate{Median: v, Lo: v / 2, Hi: v * 2}})
		}
		drawn(t, ratios(&s, all))
		all = nil
		for i := range 60 {
			v := math.Pow(span, float64(i%15)/14)
			situation := []string{"alone", "one core busy", "caller busy between", "caller asleep between"}[i/15]
			all = append(all, report.Row{Group: "sizes", Work: fmt.Sprintf("%dns of work in 256 indices, %s", 100<<(i%15), situation), Limit: 100, LimitSide: "the loop", Ours: 100 / v,
				Ratio: measure.Estimate{Median: 1.5 / v, Lo: 1 / v, Hi: 2 / v}})
		}
		drawn(t, sizes(all))
		all = nil
		for i := range 6 {
			for w := 1; w <= 64; w *= 2 {
				v := 100 / (1 + float64(w*i)*math.Log(span))
				all = append(all, report.Row{Group: "scaling", Work: fmt.Sprintf("work %d: of a kind, workers: %d", i, w), Workers: w, Ours: v, Limit: 100, LimitSide: "hand"})
			}
		}
		drawn(t, scaling(all))
	}
}

// Curves of processors have names that do not overlap, though the curves do.
func TestCurvesOfProcessors(t *testing.T) {
	for _, span := range []float64{0.2, 1, 1.001, 3} {
		var curves []Curve
		for i := range 9 {
			c := Curve{Name: fmt.Sprintf("work %d", i), Measured: []Point{{1, 1}, {2, span}}}
			for n := 1.0; n <= 64; n *= 2 {
				c.Simulated = append(c.Simulated, Point{n, math.Pow(n, math.Min(span, 1))})
			}
			curves = append(curves, c)
		}
		texts, _ := drawn(t, Processors("title", "goroutines", "measured", append(curves, Curve{Name: "none"})))
		require.Subset(t, texts, []string{"title", "simulated", "measured", "goroutines", "64", "work 8"})
		require.NotContains(t, texts, "none")
	}
	drawn(t, Processors("title", "workers", "", nil))
}

func TestWhatIsNoRatioIsNotDrawn(t *testing.T) {
	r := report.Row{Group: "queue", Work: "a request and its answer", Peer: "p", Info: true}
	for _, v := range []float64{0, -1, math.Inf(1), math.NaN()} {
		r.Ratio.Median = v
		require.False(t, isRatio(&r))
	}
	require.Empty(t, Charts([]report.Row{r}))
	r.Ratio.Median = 2
	require.Len(t, Charts([]report.Row{r}), 1)
}

func TestBreakEvenIsWhereTheLibraryIsFasterFromThenOn(t *testing.T) {
	points := func(ratios ...float64) (all []point) {
		for i, v := range ratios {
			all = append(all, point{&report.Row{Ratio: measure.Estimate{Median: v}}, float64(int(1) << i)})
		}
		return all
	}
	require.InDelta(t, math.Sqrt2, breakEven(points(2, 0.5, 0.5)), 1e-9)
	require.InDelta(t, 4*math.Sqrt2, breakEven(points(2, 0.5, 2, 0.5)), 1e-9)
	require.Zero(t, breakEven(points(0.5, 0.5)))
	require.Zero(t, breakEven(points(0.5, 2)))
}

func TestFilesAreWritten(t *testing.T) {
	name := filepath.Join(t.TempDir(), "new", "a.svg")
	require.NoError(t, Write(name, svg.New(10, 10, "")))
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Contains(t, string(text), "</svg>")
	require.Error(t, Write(filepath.Join(name, "below"), svg.New(10, 10, "")))
}
