package main

import (
	"bytes"
	"errors"
	"flag"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/examples/internal/program"
	"example.com/custody/safety"
)

var update = flag.Bool("update", false, "write what the program prints of the missing mark to testdata, and draw ways.png")

// ran runs the program, which must succeed, and returns what it prints.
func ran(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	require.Zero(t, run(args, &stdout, &stderr), stderr.String())
	assert.Empty(t, stderr.String())
	return stdout.String()
}

func TestRunReportsAndVerifies(t *testing.T) {
	out := ran(t, "-repeat", "3", "-verify", "-workers", "3", "-seed", "8")
	assert.Contains(t, out, "40 x 40 cells, costs 1 to 10, 10 goals, seed 8\n")
	assert.Regexp(t, regexp.MustCompile(`(?m)^ +[0-9]  +[0-9]+  +[0-9]+  +0  +0  +[0-9]+ no way$`), out)
	assert.Regexp(t, regexp.MustCompile(`(?m)^ +9  +0  +0  +0  +0  +0 found$`), out)
	for _, form := range []string{"a job for each goal", "one parallel loop", "goroutines by hand"} {
		assert.Regexp(t, regexp.MustCompile(`(?m)^`+form+` +[0-9.]+[nµm]?s +[0-9.]+[nµm]?s +[0-9.]+ times as fast, least [0-9.]+: [0-9.]+ and [0-9.]+ for each of 3$`), out)
	}
	assert.Regexp(t, regexp.MustCompile(`(?m)^timeline: 10 jobs in [0-9.]+[nµm]?s, [01]\.[0-9]{2} of the time of 3 workers busy; at best [01]\.[0-9]{2}$`), out)
	assert.Regexp(t, regexp.MustCompile(`(?m)^rounds, owners in parallel +[0-9.]+[nµm]?s +[0-9.]+[nµm]?s +[0-9.]+ times as fast as in turns, least [0-9.]+; [0-9.]+ and [0-9.]+ times as A\*$`), out)
	assert.Contains(t, out, "\nverified: ")
}

func TestTheFactsAreTheSameOnEveryRun(t *testing.T) {
	facts := regexp.MustCompile(`(?m)^(checksum|in rounds| +[0-9]+ ).*$`)
	common := []string{"-size", "25", "-goals", "7", "-repeat", "1"}
	want := facts.FindAllString(ran(t, append(common, "-workers", "1")...), -1)
	require.Len(t, want, 7+3)
	for _, workers := range []string{"2", "8"} {
		assert.Equal(t, want, facts.FindAllString(ran(t, append(common, "-workers", workers)...), -1), workers)
		assert.Equal(t, want, facts.FindAllString(ran(t, append(common, "-workers", workers, "-rounds")...), -1), workers)
	}
	assert.NotEqual(t, want, facts.FindAllString(ran(t, append(common, "-seed", "2")...), -1))
	assert.NotEqual(t, want, facts.FindAllString(ran(t, append(common, "-odd=false")...), -1))
}

func TestRoundsAlone(t *testing.T) {
	out := ran(t, "-rounds", "-verify", "-repeat", "1", "-goals", "30")
	assert.NotContains(t, out, "one parallel loop")
	assert.Contains(t, out, "\nand 10 more\n")
	assert.Contains(t, out, "\nverified: ")
}

func TestALimitIsAResult(t *testing.T) {
	out := ran(t, "-limit", "300", "-repeat", "1", "-verify")
	assert.Contains(t, out, " 300 gave up\n")
	assert.Contains(t, out, " found\n")
	assert.Contains(t, out, "\nverified: ")
}

func TestPicturesAndTimelines(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	read := func(name string) string {
		text, err := os.ReadFile(file(name))
		require.NoError(t, err)
		return string(text)
	}
	ran(t, "-repeat", "1", "-png", file("ways.png"), "-timeline", file("jobs.svg"))
	ways, err := png.Decode(strings.NewReader(read("ways.png")))
	require.NoError(t, err)
	assert.Equal(t, 560, ways.Bounds().Dx())
	assert.Equal(t, 10, strings.Count(read("jobs.svg"), "<rect "))
	ran(t, "-repeat", "1", "-timeline", file("jobs.json"))
	assert.Equal(t, 10, strings.Count(read("jobs.json"), `"cat":"job","ph":"b"`))
	ran(t, "-repeat", "1", "-timeline", file("jobs.dot"))
	assert.Contains(t, read("jobs.dot"), "digraph")
	assert.Equal(t, 10, len(regexp.MustCompile(`label="goal \d`).FindAllString(read("jobs.dot"), -1)), read("jobs.dot"))
}

// The page shows what the program draws when nobody tells it otherwise.
func TestThePageShowsTheWays(t *testing.T) {
	file := "ways.png"
	if !*update {
		file = filepath.Join(t.TempDir(), "ways.png")
	}
	ran(t, "-repeat", "1", "-png", file)
	pixels := func(name string) []uint8 {
		f, err := os.Open(name)
		require.NoError(t, err)
		defer f.Close()
		p, err := png.Decode(f)
		require.NoError(t, err)
		return p.(*image.Paletted).Pix
	}
	require.True(t, bytes.Equal(pixels("ways.png"), pixels(file)), "go -C examples test ./router -update draws it anew")
}

func TestTheMissingMarkIsShown(t *testing.T) {
	file := filepath.Join("testdata", "missing.golden")
	if !safety.Enabled {
		var stdout, stderr bytes.Buffer
		assert.Equal(t, program.Failed, run([]string{"-missing-mark"}, &stdout, &stderr))
		assert.Equal(t, "router: this build does not check who may touch what\n", stderr.String())
		return
	}
	out := ran(t, "-missing-mark")
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(file, []byte(out), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), out, "go -C examples test ./router -update writes it anew")
	assert.Contains(t, out, "\n1000 times of 1000 with these fields and this text\n")
}

func TestExitStatus(t *testing.T) {
	nowhere := filepath.Join(t.TempDir(), "no", "where")
	for _, c := range []struct {
		args []string
		want int
		says string
	}{
		{[]string{"-h"}, 0, "-missing-mark"},
		{[]string{"-what"}, program.Usage, "-what"},
		{[]string{"more"}, program.Usage, `router: unexpected argument "more"`},
		{[]string{"-size", "0"}, program.Usage, "router: a grid of 0 x 0 cells: at least 1 x 1 is needed"},
		{[]string{"-size", "5000"}, program.Usage, "it may have 4000 x 4000"},
		{[]string{"-goals", "0"}, program.Usage, "router: 0 goals: at least 1 is needed"},
		{[]string{"-walls", "NaN"}, program.Usage, "router: a share of walls of NaN"},
		{[]string{"-workers", "0"}, program.Usage, "router: -workers 0: at least 1 is needed"},
		{[]string{"-limit", "-1"}, program.Usage, "router: -limit -1"},
		{[]string{"-limit", "2147483648"}, program.Usage, "2147483648"},
		{[]string{"-repeat", "-1"}, program.Usage, "router: -repeat -1"},
		{[]string{"-timeline", "x.png"}, program.Usage, "router: -timeline x.png: the name ends in .svg, .json or .dot"},
		{[]string{"-rounds", "-png", "x.png"}, program.Usage, "router: -rounds makes no pictures"},
		{[]string{"-missing-mark", "-verify"}, program.Usage, "router: -missing-mark searches nothing"},
		{[]string{"-repeat", "1", "-png", nowhere}, program.Failed, "router: open " + nowhere},
		{[]string{"-repeat", "1", "-timeline", nowhere + ".svg"}, program.Failed, "router: open " + nowhere},
	} {
		var stdout, stderr bytes.Buffer
		assert.Equal(t, c.want, run(c.args, &stdout, &stderr), c.args)
		assert.Contains(t, stderr.String(), c.says, c.args)
	}
}

// full is an output that takes nothing.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestAnOutputThatFailsIsAFailure(t *testing.T) {
	for _, args := range [][]string{{"-size", "9", "-repeat", "1"}, {"-size", "9", "-repeat", "1", "-rounds"}} {
		var stderr bytes.Buffer
		assert.Equal(t, program.Failed, run(args, full{}, &stderr))
		assert.Equal(t, "router: no space left\n", stderr.String())
	}
}
