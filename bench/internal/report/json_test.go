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

// golden compares a text with a file, which -update writes.
func golden(t *testing.T, name, text string) {
	t.Helper()
	if *update {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
	}
	want, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, string(want), text, "go -C bench test ./internal/report -update writes it anew")
}

// The page of a run is the same text every time, and its table has every row.
func TestPageOfARun(t *testing.T) {
	run, rows := fixture(t)
	page := report.Page{Run: run, Rows: rows, Results: "bench/results.tsv",
		Plots: []report.Plot{{Alt: "Loops", Link: "bench/plots/loops.svg"}, {Alt: "Scaling", Link: "bench/plots/scaling.svg"}}}
	var text, table bytes.Buffer
	_, err := page.WriteTo(&text)
	require.NoError(t, err)
	golden(t, "testdata/page.golden", text.String())
	require.NoError(t, report.WriteTSV(&table, rows))
	golden(t, "testdata/results.golden.tsv", table.String())
	lines := strings.Split(strings.TrimSpace(table.String()), "\n")
	require.Len(t, lines, 1+len(rows))
	for _, line := range lines {
		require.Equal(t, strings.Count(lines[0], "\t"), strings.Count(line, "\t"), line)
	}
}

func TestPageSaysHowManyBarsAreMissed(t *testing.T) {
	for want, rows := range map[string][]report.Row{
		"all 1 bars are met": {row(1, 1.3)},
		"1 of 2 bars are missed, 1 of these within the interval": {row(1, 1.3), row(2, 1.3)},
		"none has a bar": {{Group: "g", Work: "w", Info: true}},
	} {
		var b bytes.Buffer
		page := report.Page{Run: &report.Run{Go: "go1.26"}, Rows: rows}
		_, err := page.WriteTo(&b)
		require.NoError(t, err)
		require.Contains(t, b.String(), want)
		require.Contains(t, b.String(), "there are not two")
	}
}

// Of several peers an entry has the fastest, of several sizes the largest, and it holds when all
// do.
func TestEntries(t *testing.T) {
	_, rows := fixture(t)
	var all []report.Entry
	for i := range report.Sections {
		all = append(all, report.Sections[i].Entries(rows)...)
	}
	require.Len(t, all, 3)
	uneven, look, count := all[0], all[1], all[2]
	require.Equal(t, "uneven indices", uneven.Name)
	require.InDelta(t, 0.54, uneven.Plain.Ratio.Median, 1e-9)
	require.InDelta(t, 0.53, uneven.Plain.Bar, 1e-9)
	require.InDelta(t, 1400000, uneven.Plain.Limit, 1e-9)
	require.Equal(t, "conc iter", uneven.Peer.Peer)
	require.Equal(t, "perhaps", uneven.Holds())
	require.Equal(t, "1M string keys, only looked up in a loop", look.Ours().Work)
	require.Equal(t, "perhaps", look.Holds())
	require.Nil(t, look.Peer)
	require.Equal(t, "fastest loop", count.Peer.Peer)
}

// Each line of the page is measured: the table in the tree has its rows.
func TestLinesAreMeasured(t *testing.T) {
	file, err := os.ReadFile("../../results.tsv")
	require.NoError(t, err)
	var rows []report.Row
	for line := range strings.Lines(string(file)) {
		fields := strings.Split(line, "\t")
		rows = append(rows, report.Row{Group: fields[0], Work: fields[1], Info: true})
	}
	for i := range report.Sections {
		s := &report.Sections[i]
		var names []string
		for _, e := range s.Entries(rows) {
			names = append(names, e.Name)
		}
		for _, l := range s.Lines {
			require.Contains(t, names, l.Name)
		}
	}
}

// BENCHMARKS.md is read in some minutes.
func TestThePageInTheTreeIsShort(t *testing.T) {
	page, err := os.ReadFile("../../../BENCHMARKS.md")
	require.NoError(t, err)
	require.LessOrEqual(t, len(strings.Fields(string(page))), 1500)
	require.LessOrEqual(t, strings.Count(string(page), "\n| "), 41)
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	require.LessOrEqual(t, len(strings.Fields(string(readme))), 800)
}

func TestDuration(t *testing.T) {
	for ns, want := range map[float64]string{0.1234: "0.123\u00a0ns", 999.4: "999\u00a0ns", 999.7: "1\u00a0µs", 2348739: "2.35\u00a0ms", 5e9: "5\u00a0s", 5e13: "5e+04\u00a0s"} {
		require.Equal(t, want, report.Duration(ns))
	}
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
