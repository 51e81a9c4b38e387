package report_test

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/report"
)

var update = flag.Bool("update", false, "write the page that the test compares with")

// fixture is the rows of testdata/run.json.
func fixture(t *testing.T) (*report.Run, []report.Row) {
	t.Helper()
	file, err := os.Open("testdata/run.json")
	require.NoError(t, err)
	defer file.Close()
	run, rows, err := report.Read(file)
	require.NoError(t, err)
	require.NotEmpty(t, rows)
	return run, rows
}

func TestWhatIsReadWritesTheSameAgain(t *testing.T) {
	run, rows := fixture(t)
	var b bytes.Buffer
	require.NoError(t, report.Start(&b, run))
	require.NoError(t, report.JSON(&b, rows))
	want, err := os.ReadFile("testdata/run.json")
	require.NoError(t, err)
	require.Equal(t, string(want), b.String())
}

func TestReadRefusesWhatIsNoRun(t *testing.T) {
	for name, text := range map[string]string{
		"nothing":          "",
		"no JSON":          "group work",
		"no line of a run": `{"group":"g","work":"w"}`,
		"a row of nothing": "{\"go\":\"go1.26\"}\n{}",
		"half a row":       "{\"go\":\"go1.26\"}\n{\"group\":",
	} {
		_, _, err := report.Read(strings.NewReader(text))
		assert.Error(t, err, name)
	}
}

// The page of a run is the same text every time, and has every row, what falls short included.
func TestPageOfARun(t *testing.T) {
	run, rows := fixture(t)
	page := report.Page{Run: run, Rows: rows,
		About: map[string]string{"counter": "What it costs to count."},
		Plots: map[string]string{"counter": "bench/plots/counter.svg", "scaling": "bench/plots/scaling.svg"}}
	var b bytes.Buffer
	_, err := page.WriteTo(&b)
	require.NoError(t, err)
	const golden = "testdata/page.golden"
	if *update {
		require.NoError(t, os.WriteFile(golden, b.Bytes(), 0o666))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), b.String(), "go -C bench test ./internal/report -update writes it anew")

	_, sections, ok := strings.Cut(b.String(), "\n## Group ")
	require.True(t, ok)
	for i := range rows {
		work := strings.NewReplacer("*", `\*`, "|", `\|`).Replace(rows[i].Work)
		assert.Contains(t, sections, "\n| "+work+" | ")
		if !rows[i].OK() {
			before, _, _ := strings.Cut(b.String(), "\n## Group ")
			assert.Contains(t, before, "| "+rows[i].Group+" | "+work+" | ")
		}
	}
}

func TestPageSaysWhenNothingFallsShort(t *testing.T) {
	var b bytes.Buffer
	page := report.Page{Run: &report.Run{Go: "go1.26"}, Rows: []report.Row{row(1, 1.3)}}
	_, err := page.WriteTo(&b)
	require.NoError(t, err)
	require.Contains(t, b.String(), "No row of this run misses its bar.")
	require.Contains(t, b.String(), "there are not two")
}

func TestTableHasLimitPeersAndSpreads(t *testing.T) {
	r := row(2, 1.3)
	r.Side, r.LimitSide, r.Peer, r.PeerTime = "ours", "by hand", "peer", 4
	for i, name := range []string{"ours", "by hand", "peer", "slower peer"} {
		m := float64(i + 1)
		r.Sides = append(r.Sides, report.Side{Name: name, Time: measure.Estimate{Median: m, Lo: 0.9 * m, Hi: 1.2 * m}})
	}
	again := r
	again.Work = "w again"
	var b strings.Builder
	require.NoError(t, report.Table(&b, []report.Row{r, again}))
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	require.Len(t, lines, 3)
	assert.Regexp(t, `g +w +2\.00 ns ±20% +1\.00 ns ±20% +peer +4\.00 ns ±20% +2\.00 +\[1\.00, 4\.00\] +1\.30 +NO +slower peer 4\.00 ns ±20%`, lines[1])
	assert.NotContains(t, lines[2], "slower peer", "once for each comparison")
}
