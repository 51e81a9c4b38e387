package main

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/examples/components/internal/sim"
	"example.com/custody/examples/internal/program"
	"example.com/custody/examples/internal/program/programtest"
)

var components = programtest.Program{Name: "components", Run: run}

func TestRunReportsAndVerifies(t *testing.T) {
	out := components.Ran(t, "-n", "2000", "-steps", "4", "-chunk", "10", "-workers", "1,3")
	assert.Contains(t, out, "2000 entities of 4 archetypes in 200 chunks, 4 columns, 7 systems, 4 steps\n")
	assert.Regexp(t, regexp.MustCompile(`(?m)^plain loops +[0-9.]+[nµm]?s *$`), out)
	assert.Regexp(t, regexp.MustCompile(`(?m)^systems, 3 workers +[0-9.]+[nµm]?s +[0-9.]+ times as fast$`), out)
	for _, name := range sim.Names {
		assert.Regexp(t, regexp.MustCompile(`(?m)^ *`+name+` +[0-9]+ +[0-9]+ +[0-9.]+[µm]s +[0-9.]+[nµm]s$`), out)
	}
	assert.Contains(t, out, "looked at 200 chunks in the first step and at 130 in the last\n")
	assert.Contains(t, out, "\nverified: ")
}

func TestTheChecksumIsTheSameOnEveryRun(t *testing.T) {
	sum := regexp.MustCompile(`checksum [0-9a-f]{16}`)
	want := sum.FindString(components.Ran(t, "-n", "1500", "-steps", "5"))
	require.NotEmpty(t, want)
	for _, args := range [][]string{{"-batch", "-1"}, {"-batch", "7"}, {"-chunk", "33"}, {"-workers", "5"}} {
		assert.Equal(t, want, sum.FindString(components.Ran(t, append(args, "-n", "1500", "-steps", "5")...)), args)
	}
	assert.NotEqual(t, want, sum.FindString(components.Ran(t, "-n", "1500", "-steps", "6")))
	components.Ran(t, "-n", "0", "-steps", "2")
}

func TestExitStatus(t *testing.T) {
	components.Says(t, 0, "-chunk", "-h")
	components.Says(t, program.Usage, "-what", "-what")
	components.Says(t, program.Usage, `components: unexpected argument "more"`, "more")
	components.Says(t, program.Usage, "components: -n -1", "-n", "-1")
	components.Says(t, program.Usage, "components: -chunk 0", "-chunk", "0")
	components.Says(t, program.Usage, "components: -steps 0: at least 1", "-steps", "0")
	components.Says(t, program.Usage, "components: -batch -2", "-batch", "-2")
	components.Says(t, program.Usage, "components: -workers 1,0", "-workers", "1,0")
	components.Says(t, program.Usage, "components: -workers : numbers", "-workers", "")
}

func TestAnOutputThatFailsIsAFailure(t *testing.T) {
	components.FailsWhenFull(t, program.Failed, "-n", "10", "-steps", "2")
}
