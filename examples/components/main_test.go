package main

import (
	"bytes"
	"errors"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/examples/components/internal/sim"
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
	out := ran(t, "-n", "2000", "-steps", "4", "-chunk", "10", "-workers", "1,3")
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
	want := sum.FindString(ran(t, "-n", "1500", "-steps", "5"))
	require.NotEmpty(t, want)
	for _, args := range [][]string{{"-batch", "-1"}, {"-batch", "7"}, {"-chunk", "33"}, {"-workers", "5"}} {
		assert.Equal(t, want, sum.FindString(ran(t, append(args, "-n", "1500", "-steps", "5")...)), args)
	}
	assert.NotEqual(t, want, sum.FindString(ran(t, "-n", "1500", "-steps", "6")))
	ran(t, "-n", "0", "-steps", "2")
}

func TestExitStatus(t *testing.T) {
	for _, c := range []struct {
		args []string
		want int
		says string
	}{
		{[]string{"-h"}, 0, "-chunk"},
		{[]string{"-what"}, program.Usage, "-what"},
		{[]string{"more"}, program.Usage, `components: unexpected argument "more"`},
		{[]string{"-n", "-1"}, program.Usage, "components: -n -1"},
		{[]string{"-chunk", "0"}, program.Usage, "components: -chunk 0"},
		{[]string{"-steps", "0"}, program.Usage, "components: -steps 0: at least 1"},
		{[]string{"-batch", "-2"}, program.Usage, "components: -batch -2"},
		{[]string{"-workers", "1,0"}, program.Usage, "components: -workers 1,0"},
		{[]string{"-workers", ""}, program.Usage, "components: -workers : numbers"},
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
	assert.Equal(t, program.Failed, run([]string{"-n", "10", "-steps", "2"}, full{}, &stderr))
	assert.Equal(t, "components: no space left\n", stderr.String())
}
