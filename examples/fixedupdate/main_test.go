package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/examples/fixedupdate/internal/fall"
	"example.com/custody/examples/internal/program"
	"example.com/custody/examples/internal/program/programtest"
)

var fixedupdate = programtest.Program{Name: "fixedupdate", Run: run}

func TestRunReportsAndVerifies(t *testing.T) {
	out := fixedupdate.Ran(t, "-n", "500", "-steps", "12", "-churn", "8", "-parts", "2", "-chunk", "50", "-workers", "1,3")
	assert.Contains(t, out, "500 objects at first; 12 steps in 2 parts; 8 registered in each, 2 removed and 2 killed while its job runs\n")
	const took, times = ` +[0-9.]+[nµm]?s +[0-9.]+[nµm]?s +[0-9]+`, ` +[0-9.]+ \([0-9.]+\) times as fast`
	for form, more := range map[string]string{
		"interface calls, sequential": "", "columns, sequential": times,
		"interface calls, 1 worker": times + times, "columns, 1 worker": times + times,
		"interface calls, 3 workers": times + times, "columns, 3 workers": times + times,
	} {
		assert.Regexp(t, regexp.MustCompile(`(?m)^`+form+took+more+`$`), out)
	}
	assert.Regexp(t, regexp.MustCompile(`(?m)^ *apply +gather +schedule +meanwhile +complete +hand back of a step$`), out)
	assert.Regexp(t, regexp.MustCompile(`(?m)^( +[0-9.]+[nµm]?s){6} columns, 3 workers$`), out)
	assert.Contains(t, out, "608 objects made: 588 in the world")
	assert.Contains(t, out, "24 passed by because their objects had died")
	assert.Contains(t, out, "refused: 2 nil items when they were registered, 22 requests to add one twice or remove one twice\n")
	assert.Contains(t, out, "\nverified: ")
}

// What is there in the end depends on the flags alone: not on the workers, the chunks, or the machine.
func TestTheFactsAreTheSameOnEveryRun(t *testing.T) {
	facts := func(args ...string) string {
		return regexp.MustCompile(`(?s)\n\d+ objects made.*`).FindString(fixedupdate.Ran(t, append([]string{"-n", "300", "-steps", "9", "-churn", "12", "-parts", "3"}, args...)...))
	}
	want := facts()
	require.Contains(t, want, "checksum d2ee3975dcb62bc9\n")
	for _, args := range [][]string{{"-workers", "5"}, {"-chunk", "1"}, {"-chunk", "10000"}, {"-workers", "1"}} {
		assert.Equal(t, want, facts(args...), args)
	}
	for _, args := range [][]string{{"-seed", "2"}, {"-parts", "4"}, {"-steps", "10"}} {
		assert.NotEqual(t, want, facts(args...), args)
	}
	fixedupdate.Ran(t, "-n", "0", "-churn", "0", "-steps", "3")
	assert.Contains(t, fixedupdate.Ran(t, "-n", "3", "-churn", "0", "-steps", "250"), "; 0 in the last step\n", "all have burnt out")
}

func TestATraceHasTheStages(t *testing.T) {
	name := filepath.Join(t.TempDir(), "steps.trace")
	fixedupdate.Ran(t, "-n", "50", "-steps", "2", "-trace", name)
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	for _, stage := range fall.StageNames {
		if stage != fall.StageNames[fall.Meanwhile] {
			require.Contains(t, string(text), "table: "+stage)
		}
	}
}

// A form that leaves one other bit is found.
func TestADifferenceIsAFailure(t *testing.T) {
	o, err := parse([]string{"-n", "20", "-workers", "2"}, new(bytes.Buffer))
	require.NoError(t, err)
	forms := formsOf(o)
	measure(forms, 3)
	require.NoError(t, compare(forms))
	forms[2].Step()
	require.ErrorContains(t, compare(forms), "interface calls, 2 workers left something else than the plain loop over the objects: object ")
}

func TestExitStatus(t *testing.T) {
	nowhere := filepath.Join(t.TempDir(), "no", "where")
	fixedupdate.Says(t, 0, "-churn", "-h")
	fixedupdate.Says(t, program.Usage, "-what", "-what")
	fixedupdate.Says(t, program.Usage, `fixedupdate: unexpected argument "more"`, "more")
	fixedupdate.Says(t, program.Usage, "fixedupdate: -n -1", "-n", "-1")
	fixedupdate.Says(t, program.Usage, "1e9", "-n", "1e9")
	fixedupdate.Says(t, program.Usage, "fixedupdate: -churn -4", "-churn", "-4")
	fixedupdate.Says(t, program.Usage, "fixedupdate: -steps 0: at least 1", "-steps", "0")
	fixedupdate.Says(t, program.Usage, "fixedupdate: -parts 0: at least 1", "-parts", "0")
	fixedupdate.Says(t, program.Usage, "fixedupdate: -chunk 0", "-chunk", "0")
	fixedupdate.Says(t, program.Usage, "fixedupdate: -workers 1,0: numbers", "-workers", "1,0")
	fixedupdate.Says(t, program.Usage, "fixedupdate: -workers : numbers", "-workers", "")
	fixedupdate.Says(t, program.Usage, "fixedupdate: -workers 100000: numbers", "-workers", "100000")
	_, stderr := fixedupdate.Exits(t, program.Failed, "-n", "5", "-steps", "1", "-trace", nowhere)
	assert.Contains(t, stderr, "fixedupdate: open "+nowhere)
}

func TestAnOutputThatFailsIsAFailure(t *testing.T) {
	fixedupdate.FailsWhenFull(t, program.Failed, "-n", "10", "-steps", "2")
}
