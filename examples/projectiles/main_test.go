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
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/examples/internal/program"
	"example.com/custody/safety"
)

var update = flag.Bool("update", false, "write what the program prints of the missing After to testdata, and draw arcs.png")

// ran runs the program, which must succeed, and returns what it prints.
func ran(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	require.Zero(t, run(args, &stdout, &stderr), stderr.String())
	assert.Empty(t, stderr.String())
	return stdout.String()
}

func TestRunReportsAndVerifies(t *testing.T) {
	out := ran(t, "-n", "100", "-targets", "4", "-frames", "5", "-rounds", "3", "-workers", "1,3", "-seed", "8")
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
	want := facts.FindAllString(ran(t, append(common, "-workers", "1")...), -1)
	require.Len(t, want, 2)
	for _, args := range [][]string{{"-workers", "2"}, {"-chunk", "33"}, {"-frames", "5", "-rounds", "4"}} {
		assert.Equal(t, want, facts.FindAllString(ran(t, append(common, args...)...), -1), args)
	}
	assert.NotEqual(t, want, facts.FindAllString(ran(t, append(common, "-seed", "2")...), -1))
}

// pageFlags are those with which the page's picture is drawn.
var pageFlags = []string{"-n", "40", "-targets", "12"}

func TestThePageShowsTheArcs(t *testing.T) {
	file := "arcs.png"
	if !*update {
		file = filepath.Join(t.TempDir(), "arcs.png")
	}
	assert.Equal(t, file+": the arcs of 280 frames\n", ran(t, append(pageFlags, "-png", file)...))
	pixels := func(name string) []uint8 {
		f, err := os.Open(name)
		require.NoError(t, err)
		defer f.Close()
		p, err := png.Decode(f)
		require.NoError(t, err)
		return p.(*image.Paletted).Pix
	}
	require.True(t, bytes.Equal(pixels("arcs.png"), pixels(file)), "go -C examples test ./projectiles -update draws it anew")
}

// lines are the numbers of lines, which change with the files they are of.
var lines = regexp.MustCompile(`\.go:\d+`)

func TestTheMissingAfterIsShown(t *testing.T) {
	file := filepath.Join("testdata", "missing.golden")
	if !safety.Enabled {
		var stdout, stderr bytes.Buffer
		assert.Equal(t, program.Failed, run([]string{"-missing-after"}, &stdout, &stderr))
		assert.Equal(t, "projectiles: this build does not check who may touch what\n", stderr.String())
		return
	}
	out := lines.ReplaceAllString(ran(t, "-missing-after"), ".go:N")
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(file, []byte(out), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), out, "go -C examples test ./projectiles -update writes it anew")
	assert.Contains(t, out, "\n1000 times of 1000 with these fields and this text\n")
}

func TestExitStatus(t *testing.T) {
	nowhere := filepath.Join(t.TempDir(), "no", "where")
	for _, c := range []struct {
		args []string
		want int
		says string
	}{
		{[]string{"-h"}, 0, "-missing-after"},
		{[]string{"-what"}, program.Usage, "-what"},
		{[]string{"more"}, program.Usage, `projectiles: unexpected argument "more"`},
		{[]string{"-n", "0"}, program.Usage, "projectiles: 0 projectiles: at least 1 is needed"},
		{[]string{"-n", "3000000000"}, program.Usage, "there may be 16777216"},
		{[]string{"-n", "many"}, program.Usage, "-n"},
		{[]string{"-targets", "0"}, program.Usage, "projectiles: 0 targets: at least 1 is needed"},
		{[]string{"-chunk", "0"}, program.Usage, "projectiles: chunks of 0 rows: at least 1 is needed"},
		{[]string{"-seed", "-1"}, program.Usage, "-seed"},
		{[]string{"-frames", "0"}, program.Usage, "projectiles: -frames 0: at least 1 is needed"},
		{[]string{"-rounds", "-1"}, program.Usage, "projectiles: -rounds -1: at least 1 is needed"},
		{[]string{"-repeat", "0"}, program.Usage, "projectiles: -repeat 0: at least 1 is needed"},
		{[]string{"-workers", "1,0"}, program.Usage, "projectiles: -workers 1,0: numbers of at least 1"},
		{[]string{"-workers", ""}, program.Usage, "projectiles: -workers : numbers"},
		{[]string{"-missing-after", "-png", "x.png"}, program.Usage, "projectiles: -missing-after makes no frames"},
		{append([]string{"-png", nowhere}, pageFlags...), program.Failed, "projectiles: open " + nowhere},
	} {
		var stdout, stderr bytes.Buffer
		assert.Equal(t, c.want, run(c.args, &stdout, &stderr), c.args)
		assert.Contains(t, stderr.String(), c.says, c.args)
		assert.Empty(t, stdout.String(), c.args)
	}
}

// full is an output that takes nothing.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestAnOutputThatFailsIsAFailure(t *testing.T) {
	var stderr bytes.Buffer
	assert.Equal(t, program.Failed, run([]string{"-n", "10", "-frames", "2", "-rounds", "1"}, full{}, &stderr))
	assert.Equal(t, "projectiles: no space left\n", stderr.String())
}
