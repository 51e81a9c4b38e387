package main

import (
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/examples/internal/program"
	"example.com/custody/examples/internal/program/programtest"
	"example.com/custody/safety"
)

var router = programtest.Program{Name: "router", Run: run}

func TestRunReportsAndVerifies(t *testing.T) {
	out := router.Ran(t, "-repeat", "3", "-verify", "-workers", "3", "-seed", "8")
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
	want := facts.FindAllString(router.Ran(t, append(common, "-workers", "1")...), -1)
	require.Len(t, want, 7+3)
	for _, workers := range []string{"2", "8"} {
		assert.Equal(t, want, facts.FindAllString(router.Ran(t, append(common, "-workers", workers)...), -1), workers)
		assert.Equal(t, want, facts.FindAllString(router.Ran(t, append(common, "-workers", workers, "-rounds")...), -1), workers)
	}
	assert.NotEqual(t, want, facts.FindAllString(router.Ran(t, append(common, "-seed", "2")...), -1))
	assert.NotEqual(t, want, facts.FindAllString(router.Ran(t, append(common, "-odd=false")...), -1))
}

func TestRoundsAlone(t *testing.T) {
	out := router.Ran(t, "-rounds", "-verify", "-repeat", "1", "-goals", "30")
	assert.NotContains(t, out, "one parallel loop")
	assert.Contains(t, out, "\nand 10 more\n")
	assert.Contains(t, out, "\nverified: ")
}

func TestALimitIsAResult(t *testing.T) {
	out := router.Ran(t, "-limit", "300", "-repeat", "1", "-verify")
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
	router.Ran(t, "-repeat", "1", "-png", file("ways.png"), "-timeline", file("jobs.svg"))
	ways, err := png.Decode(strings.NewReader(read("ways.png")))
	require.NoError(t, err)
	assert.Equal(t, 560, ways.Bounds().Dx())
	assert.Equal(t, 10, strings.Count(read("jobs.svg"), "<rect "))
	router.Ran(t, "-repeat", "1", "-timeline", file("jobs.json"))
	assert.Equal(t, 10, strings.Count(read("jobs.json"), `"cat":"job","ph":"b"`))
	router.Ran(t, "-repeat", "1", "-timeline", file("jobs.dot"))
	assert.Contains(t, read("jobs.dot"), "digraph")
	assert.Equal(t, 10, len(regexp.MustCompile(`label="goal \d`).FindAllString(read("jobs.dot"), -1)), read("jobs.dot"))
}

// The page shows what the program draws when nobody tells it otherwise.
func TestThePageShowsTheWays(t *testing.T) {
	programtest.Drawn(t, "ways.png", func(file string) { router.Ran(t, "-repeat", "1", "-png", file) })
}

func TestTheMissingMarkIsShown(t *testing.T) {
	if !safety.Enabled {
		_, stderr := router.Exits(t, program.Failed, "-missing-mark")
		assert.Equal(t, "router: this build does not check who may touch what\n", stderr)
		return
	}
	out := router.Ran(t, "-missing-mark")
	programtest.Golden(t, filepath.Join("testdata", "missing.golden"), out)
	assert.Contains(t, out, "\n1000 times of 1000 with these fields and this text\n")
}

func TestExitStatus(t *testing.T) {
	nowhere := filepath.Join(t.TempDir(), "no", "where")
	router.Says(t, 0, "-missing-mark", "-h")
	router.Says(t, program.Usage, "-what", "-what")
	router.Says(t, program.Usage, `router: unexpected argument "more"`, "more")
	router.Says(t, program.Usage, "router: a grid of 0 x 0 cells: at least 1 x 1 is needed", "-size", "0")
	router.Says(t, program.Usage, "it may have 4000 x 4000", "-size", "5000")
	router.Says(t, program.Usage, "router: 0 goals: at least 1 is needed", "-goals", "0")
	router.Says(t, program.Usage, "router: a share of walls of NaN", "-walls", "NaN")
	router.Says(t, program.Usage, "router: -workers 0: at least 1 is needed", "-workers", "0")
	router.Says(t, program.Usage, "router: -limit -1", "-limit", "-1")
	router.Says(t, program.Usage, "2147483648", "-limit", "2147483648")
	router.Says(t, program.Usage, "router: -repeat -1", "-repeat", "-1")
	router.Says(t, program.Usage, "router: -timeline x.png: the name ends in .svg, .json or .dot", "-timeline", "x.png")
	router.Says(t, program.Usage, "router: -rounds makes no pictures", "-rounds", "-png", "x.png")
	router.Says(t, program.Usage, "router: -missing-mark searches nothing", "-missing-mark", "-verify")
	for _, args := range [][]string{{"-png", nowhere}, {"-timeline", nowhere + ".svg"}} {
		_, stderr := router.Exits(t, program.Failed, append(args, "-repeat", "1")...)
		assert.Contains(t, stderr, "router: open "+nowhere, args)
	}
}

func TestAnOutputThatFailsIsAFailure(t *testing.T) {
	router.FailsWhenFull(t, program.Failed, "-size", "9", "-repeat", "1")
	router.FailsWhenFull(t, program.Failed, "-size", "9", "-repeat", "1", "-rounds")
}
