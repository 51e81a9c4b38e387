package main

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/examples/internal/program"
	"example.com/custody/examples/internal/program/programtest"
)

var spatialhash = programtest.Program{Name: "spatialhash", Run: run}

func TestRunReportsAndVerifies(t *testing.T) {
	out := spatialhash.Ran(t, "-n", "3000", "-steps", "3", "-verify", "-workers", "3", "-seed", "8")
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
	want := facts.FindAllString(spatialhash.Ran(t, append(common, "-sequential")...), -1)
	require.Len(t, want, 2)
	for _, args := range [][]string{{"-workers", "1"}, {"-workers", "7"}, {"-batch", "3"}} {
		assert.Equal(t, want, facts.FindAllString(spatialhash.Ran(t, append(common, args...)...), -1), args)
	}
	assert.NotEqual(t, want, facts.FindAllString(spatialhash.Ran(t, append(common, "-seed", "2")...), -1))
	assert.NotContains(t, spatialhash.Ran(t, append(common, "-sequential")...), "parallel")
}

func TestExitStatus(t *testing.T) {
	spatialhash.Says(t, 0, "-crowd", "-h")
	spatialhash.Says(t, program.Usage, "-what", "-what")
	spatialhash.Says(t, program.Usage, `spatialhash: unexpected argument "more"`, "more")
	spatialhash.Says(t, program.Usage, "spatialhash: 0 particles: at least 1 is needed", "-n", "0")
	spatialhash.Says(t, program.Usage, "spatialhash: -1 particles: at least 1 is needed", "-n", "-1")
	spatialhash.Says(t, program.Usage, "there may be 2147483647", "-n", "3000000000")
	spatialhash.Says(t, program.Usage, "spatialhash: NaN particles in a cell: it must be a number above 0", "-crowd", "NaN")
	spatialhash.Says(t, program.Usage, "spatialhash: 0 particles in a cell", "-crowd", "0")
	spatialhash.Says(t, program.Usage, "spatialhash: +Inf particles in a cell", "-crowd", "Inf")
	spatialhash.Says(t, program.Usage, "along each edge", "-crowd", "1e-30")
	spatialhash.Says(t, program.Usage, "spatialhash: -steps 0: at least 1 is needed", "-steps", "0")
	spatialhash.Says(t, program.Usage, "spatialhash: -workers 0: at least 1 is needed", "-workers", "0")
	spatialhash.Says(t, program.Usage, "spatialhash: -batch -1", "-batch", "-1")
	spatialhash.Says(t, program.Usage, "spatialhash: -verify compares two runs, and -sequential makes only one", "-sequential", "-verify")
	spatialhash.Says(t, program.Usage, "-seed", "-seed", "-1")
}

func TestAnOutputThatFailsIsAFailure(t *testing.T) {
	spatialhash.FailsWhenFull(t, program.Failed, "-n", "10", "-steps", "1")
}
