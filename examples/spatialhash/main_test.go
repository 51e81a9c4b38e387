package main

import (
	"bytes"
	"errors"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/examples/internal/program"
)

// ran runs the program, which must succeed, and returns what it prints.
func ran(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	require.Zero(t, run(args, &stdout, &stderr), stderr.String())
	assert.Empty(t, stderr.String())
	return stdout.String()
}

func TestRunReportsAndVerifies(t *testing.T) {
	out := ran(t, "-n", "3000", "-steps", "3", "-verify", "-workers", "3", "-seed", "8")
	assert.Contains(t, out, "3000 particles in 11 x 11 x 11 cells, seed 8, 3 steps\n")
	assert.Regexp(t, regexp.MustCompile(`(?m)^last step: [0-9]+ pairs near each other, [0-9]+ occupied cells, the fullest with [0-9]+ particles$`), out)
	for _, phase := range []string{"group", "query", "move", "all"} {
		assert.Regexp(t, regexp.MustCompile(`(?m)^`+phase+` +[0-9.]+[nµm]?s +[0-9.]+[nµm]?s +[0-9.]+ times as fast$`), out)
	}
	assert.Contains(t, out, "\nverified: ")
}

func TestTheFactsAreTheSameOnEveryRun(t *testing.T) {
	facts := regexp.MustCompile(`(?m)^(last step|checksum).*$`)
	common := []string{"-n", "2000", "-steps", "4", "-crowd", "1.5"}
	want := facts.FindAllString(ran(t, append(common, "-sequential")...), -1)
	require.Len(t, want, 2)
	for _, args := range [][]string{{"-workers", "1"}, {"-workers", "7"}, {"-batch", "3"}} {
		assert.Equal(t, want, facts.FindAllString(ran(t, append(common, args...)...), -1), args)
	}
	assert.NotEqual(t, want, facts.FindAllString(ran(t, append(common, "-seed", "2")...), -1))
	assert.NotContains(t, ran(t, append(common, "-sequential")...), "parallel")
}

func TestExitStatus(t *testing.T) {
	for _, c := range []struct {
		args []string
		want int
		says string
	}{
		{[]string{"-h"}, 0, "-crowd"},
		{[]string{"-what"}, program.Usage, "-what"},
		{[]string{"more"}, program.Usage, `spatialhash: unexpected argument "more"`},
		{[]string{"-n", "0"}, program.Usage, "spatialhash: 0 particles: at least 1 is needed"},
		{[]string{"-n", "-1"}, program.Usage, "spatialhash: -1 particles: at least 1 is needed"},
		{[]string{"-n", "3000000000"}, program.Usage, "there may be 2147483647"},
		{[]string{"-crowd", "NaN"}, program.Usage, "spatialhash: NaN particles in a cell: it must be a number above 0"},
		{[]string{"-crowd", "0"}, program.Usage, "spatialhash: 0 particles in a cell"},
		{[]string{"-crowd", "Inf"}, program.Usage, "spatialhash: +Inf particles in a cell"},
		{[]string{"-crowd", "1e-30"}, program.Usage, "along each edge"},
		{[]string{"-steps", "0"}, program.Usage, "spatialhash: -steps 0: at least 1 is needed"},
		{[]string{"-workers", "0"}, program.Usage, "spatialhash: -workers 0: at least 1 is needed"},
		{[]string{"-batch", "-1"}, program.Usage, "spatialhash: -batch -1"},
		{[]string{"-sequential", "-verify"}, program.Usage, "spatialhash: -verify compares two runs, and -sequential makes only one"},
		{[]string{"-seed", "-1"}, program.Usage, "-seed"},
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
	assert.Equal(t, program.Failed, run([]string{"-n", "10", "-steps", "1"}, full{}, &stderr))
	assert.Equal(t, "spatialhash: no space left\n", stderr.String())
}
