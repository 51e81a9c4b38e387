package plots

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/bench/internal/report"
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

// texts returns what is written in a chart.
func texts(t *testing.T, name string) (found []string) {
	t.Helper()
	file, err := os.Open(name)
	require.NoError(t, err)
	defer file.Close()
	d, inside := xml.NewDecoder(file), false
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return found
		}
		require.NoError(t, err)
		switch token := token.(type) {
		case xml.StartElement:
			inside = token.Name.Local == "text"
		case xml.EndElement:
			inside = false
		case xml.CharData:
			if inside {
				found = append(found, string(token))
			}
		}
	}
}

func TestAChartForEachGroupWithRatiosAndTheSameOneEveryTime(t *testing.T) {
	all := rows(t)
	var drawn [2]map[string][]byte
	for i := range drawn {
		dir := filepath.Join(t.TempDir(), "plots")
		names, err := Draw(dir, all)
		require.NoError(t, err)
		require.Equal(t, map[string]string{"counter": "counter.svg", "map phases": "map-phases.svg", "scaling": "scaling.svg"}, names)
		drawn[i] = map[string][]byte{}
		for _, name := range names {
			text, err := os.ReadFile(filepath.Join(dir, name))
			require.NoError(t, err)
			drawn[i][name] = text
		}
		if i == 0 {
			require.Subset(t, texts(t, filepath.Join(dir, "counter.svg")), []string{label(&all[0]), "meets its bar", "misses its bar", "the bar"})
			require.Subset(t, texts(t, filepath.Join(dir, "scaling.svg")), []string{"array: out[i] = 2*in[i], 1M float64", "workers", "1", "2"})
		}
	}
	require.Equal(t, drawn[0], drawn[1])
}

func TestWhatIsNoRatioIsNotDrawn(t *testing.T) {
	drawn := 0
	for _, r := range rows(t) {
		if isRatio(&r) {
			drawn++
		} else {
			require.True(t, r.Unit != "" || r.Ratio.Median == 0, r.Work)
		}
	}
	require.Positive(t, drawn)
	r := report.Row{Peer: "p", Info: true}
	for _, v := range []float64{0, -1, math.Inf(1), math.NaN()} {
		r.Ratio.Median = v
		require.False(t, isRatio(&r))
	}
	names, err := Draw(t.TempDir(), []report.Row{r})
	require.NoError(t, err)
	require.Empty(t, names)
}

func TestTheAxisReachesEveryMedianAndBar(t *testing.T) {
	r := report.Row{Bar: 40}
	r.Ratio.Median = 0.01
	lo, hi := span([]report.Row{r})
	require.Less(t, lo, 0.01)
	require.Greater(t, hi, 40.0)
	require.NotEmpty(t, powersOfTwo(lo, hi))
}

func TestLongLabelsLoseTheirMiddle(t *testing.T) {
	r := report.Row{Peer: "the peer"}
	for range 30 {
		r.Work += "a work "
	}
	require.Len(t, []rune(label(&r)), 100)
	require.Regexp(t, `^a work .*\.\.\..* / the peer$`, label(&r))
}
