package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/bench/internal/report"
)

// What -from makes of the JSON of a run is what the run itself made.
func TestPagesComeOutOfTheJSONAgain(t *testing.T) {
	file, err := os.Open("../internal/report/testdata/run.json")
	require.NoError(t, err)
	defer file.Close()
	run, rows, err := report.Read(file)
	require.NoError(t, err)
	dir := t.TempDir()
	first := outputs{json: filepath.Join(dir, "results", "run.json"), plots: filepath.Join(dir, "plots"), markdown: filepath.Join(dir, "first.md")}
	require.NoError(t, first.begin(run))
	require.NoError(t, first.group(rows[:2]))
	require.NoError(t, first.group(rows[2:]))
	require.NoError(t, first.end())
	require.NoError(t, first.pages(run, rows))

	written, err := os.Open(first.json)
	require.NoError(t, err)
	defer written.Close()
	run, rows, err = report.Read(written)
	require.NoError(t, err)
	again := outputs{plots: first.plots, markdown: filepath.Join(dir, "again.md")}
	require.NoError(t, again.pages(run, rows))
	want, err := os.ReadFile(first.markdown)
	require.NoError(t, err)
	got, err := os.ReadFile(again.markdown)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
	require.Contains(t, string(got), "](plots/counter.svg)")
}

// The page in the tree links to charts that are there, and to all of them.
func TestTheChartsOfTheBenchmarksAreThere(t *testing.T) {
	page, err := os.ReadFile("../../BENCHMARKS.md")
	require.NoError(t, err)
	charts, err := filepath.Glob("../plots/*.svg")
	require.NoError(t, err)
	require.NotEmpty(t, charts)
	for _, name := range charts {
		require.Contains(t, string(page), "](bench/plots/"+filepath.Base(name)+")")
	}
	require.Len(t, charts, strings.Count(string(page), "!["))
}
