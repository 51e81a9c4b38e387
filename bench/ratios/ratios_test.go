package main

import (
	"io/fs"
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
	first := outputs{json: filepath.Join(dir, "results", "run.json"), pages: filepath.Join(dir, "first")}
	require.NoError(t, first.begin(run))
	require.NoError(t, first.group(rows[:2]))
	require.NoError(t, first.group(rows[2:]))
	require.NoError(t, first.end())
	require.NoError(t, first.write(run, rows))

	written, err := os.Open(first.json)
	require.NoError(t, err)
	defer written.Close()
	run, rows, err = report.Read(written)
	require.NoError(t, err)
	again := outputs{pages: filepath.Join(dir, "again")}
	require.NoError(t, again.write(run, rows))
	want := files(t, first.pages)
	require.Equal(t, want, files(t, again.pages))
	for _, name := range []string{markdown, results, charts + "/sharing.svg", pictures + "/break-even.svg"} {
		require.Contains(t, want, name)
	}
	for name := range want {
		if strings.HasSuffix(name, ".svg") {
			require.Contains(t, want[markdown], `src="`+name+`"`)
		}
	}
}

// files returns all files below a directory.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	require.NoError(t, fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		found[name] = string(text)
		return err
	}))
	return found
}

// The page in the tree links to charts that are there, and to all of them.
func TestTheChartsOfTheBenchmarksAreThere(t *testing.T) {
	page, err := os.ReadFile("../../BENCHMARKS.md")
	require.NoError(t, err)
	found, err := filepath.Glob("../plots/*.svg")
	require.NoError(t, err)
	require.NotEmpty(t, found)
	for _, name := range found {
		require.Contains(t, string(page), `src="bench/plots/`+filepath.Base(name)+`"`)
	}
	require.Len(t, found, strings.Count(string(page), `src="bench/plots/`))
	require.FileExists(t, "../../docs/pictures/break-even.svg")
}
