package main

import (
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/examples/internal/program"
	"example.com/custody/examples/internal/program/programtest"
	"example.com/custody/safety"
)

var projectiles = programtest.Program{Name: "projectiles", Run: run}

func TestRunReportsAndVerifies(t *testing.T) {
	out := projectiles.Ran(t, "-n", "100", "-targets", "4", "-frames", "5", "-rounds", "3", "-workers", "1,3", "-seed", "8")
	assert.Contains(t, out, "100 guns, 4 targets, seed 8: 3 rounds of 5 frames, and 300 before\n")
	assert.Regexp(t, regexp.MustCompile(`(?m)^in the last frame [0-9]+ projectiles were in the air; of [0-9]+ that were fired [0-9]+ have landed, [0-9]+ of them at a target; [0-9]+ targets are gone$`), out)
	assert.Regexp(t, regexp.MustCompile(`(?m)^plain loops +[0-9]+ +[0-9]+ *$`), out)
	assert.Regexp(t, regexp.MustCompile(`(?m)^jobs, sequential +[0-9]+ +[0-9]+ +[0-9.]+ times, best [0-9.]+ *$`), out)
	for _, workers := range []string{"1 worker", "3 workers"} {
		assert.Regexp(t, regexp.MustCompile(`(?m)^jobs, `+workers+` +[0-9]+ +[0-9]+( +[0-9.]+ times, best [0-9.]+){2}$`), out)
	}
	assert.Regexp(t, regexp.MustCompile(`(?m)^\([0-9]+ goroutines? made the frames of [0-9]+ plain ones at the same time [0-9.]+ times as fast`), out)
	assert.Contains(t, out, "\nverified: ")
}

func TestTheFactsAreTheSameOnEveryRun(t *testing.T) {
	facts := regexp.MustCompile(`(?m)^in the last frame.*$|checksum [0-9a-f]{16}`)
	common := []string{"-n", "60", "-targets", "3", "-frames", "20", "-rounds", "1"}
	want := facts.FindAllString(projectiles.Ran(t, append(common, "-workers", "1")...), -1)
	require.Len(t, want, 2)
	for _, args := range [][]string{{"-workers", "2"}, {"-chunk", "33"}, {"-frames", "5", "-rounds", "4"}} {
		assert.Equal(t, want, facts.FindAllString(projectiles.Ran(t, append(common, args...)...), -1), args)
	}
	assert.NotEqual(t, want, facts.FindAllString(projectiles.Ran(t, append(common, "-seed", "2")...), -1))
}

// pageFlags are those with which the page's picture is drawn.
var pageFlags = []string{"-n", "40", "-targets", "12"}

func TestThePageShowsTheArcs(t *testing.T) {
	programtest.Drawn(t, "arcs.png", func(file string) {
		assert.Equal(t, file+": the arcs of 280 frames\n", projectiles.Ran(t, append(pageFlags, "-png", file)...))
	})
}

// lines are the numbers of lines, which change with the files they are of.
var lines = regexp.MustCompile(`\.go:\d+`)

func TestTheMissingAfterIsShown(t *testing.T) {
	if !safety.Enabled {
		_, stderr := projectiles.Exits(t, program.Failed, "-missing-after")
		assert.Equal(t, "projectiles: this build does not check who may touch what\n", stderr)
		return
	}
	out := lines.ReplaceAllString(projectiles.Ran(t, "-missing-after"), ".go:N")
	programtest.Golden(t, filepath.Join("testdata", "missing.golden"), out)
	assert.Contains(t, out, "\n1000 times of 1000 with these fields and this text\n")
}

func TestExitStatus(t *testing.T) {
	nowhere := filepath.Join(t.TempDir(), "no", "where")
	projectiles.Says(t, 0, "-missing-after", "-h")
	projectiles.Says(t, program.Usage, "-what", "-what")
	projectiles.Says(t, program.Usage, `projectiles: unexpected argument "more"`, "more")
	projectiles.Says(t, program.Usage, "projectiles: 0 projectiles: at least 1 is needed", "-n", "0")
	projectiles.Says(t, program.Usage, "there may be 16777216", "-n", "3000000000")
	projectiles.Says(t, program.Usage, "-n", "-n", "many")
	projectiles.Says(t, program.Usage, "projectiles: 0 targets: at least 1 is needed", "-targets", "0")
	projectiles.Says(t, program.Usage, "projectiles: chunks of 0 rows: at least 1 is needed", "-chunk", "0")
	projectiles.Says(t, program.Usage, "-seed", "-seed", "-1")
	projectiles.Says(t, program.Usage, "projectiles: -frames 0: at least 1 is needed", "-frames", "0")
	projectiles.Says(t, program.Usage, "projectiles: -rounds -1: at least 1 is needed", "-rounds", "-1")
	projectiles.Says(t, program.Usage, "projectiles: -repeat 0: at least 1 is needed", "-repeat", "0")
	projectiles.Says(t, program.Usage, "projectiles: -workers 1,0: numbers of at least 1", "-workers", "1,0")
	projectiles.Says(t, program.Usage, "projectiles: -workers : numbers", "-workers", "")
	projectiles.Says(t, program.Usage, "projectiles: -missing-after makes no frames", "-missing-after", "-png", "x.png")
	projectiles.Says(t, program.Failed, "projectiles: open "+nowhere, append([]string{"-png", nowhere}, pageFlags...)...)
}

func TestAnOutputThatFailsIsAFailure(t *testing.T) {
	projectiles.FailsWhenFull(t, program.Failed, "-n", "10", "-frames", "2", "-rounds", "1")
}
