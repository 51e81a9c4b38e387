package main

import (
	"errors"
	"io"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/examples/internal/program"
	"example.com/custody/examples/internal/program/programtest"
	"example.com/custody/examples/internal/zerocount"
	"example.com/custody/fuzz"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

var customcontainer = programtest.Program{Name: "customcontainer", Run: run}

func TestAllWaysCountTheSameAtAnyGridAndWorkers(t *testing.T) {
	for _, n := range []int{0, 1, 7, 8, 9, 1000} {
		for _, every := range []int{1, 2, 3} {
			in := zerocount.Input(n, every)
			want := int64((n + every - 1) / every)
			for _, workers := range []int{1, 2, 8} {
				for _, batch := range []int{-1, 0, 1, 8, 1 << 20} {
					stop := fuzz.HandOut(uint64(n))
					for _, w := range ways {
						got := w.count(in, parallelfor.Batch(batch), parallelfor.Workers(workers))
						require.Equal(t, want, got, "%s: n %d every %d workers %d batch %d", w.name, n, every, workers, batch)
					}
					stop()
				}
			}
		}
	}
}

func TestMisusesAreReported(t *testing.T) {
	if !safety.Enabled {
		t.Skip("this build checks nothing")
	}
	for _, m := range misuses {
		t.Run(m.title, func(t *testing.T) {
			if m.strict && !safety.Strict {
				t.Skip("only strict builds report it")
			}
			v, err := m.catch()
			require.NoError(t, err)
			require.ErrorIs(t, v, m.want.Kind)
			w := m.want
			require.Equal(t, []any{w.Container, w.Job, w.Field, w.OtherJob, w.OtherField}, []any{v.Container, v.Job, v.Field, v.OtherJob, v.OtherField}, v.Error())
			require.Equal(t, []int{w.Index, w.Min, w.Max, w.N, w.Length}, []int{v.Index, v.Min, v.Max, v.N, v.Length}, v.Error())
			if w.Container != "" {
				require.Regexp(t, `^misuses\.go:[0-9]+$`, v.Made)
			}
			if w.OtherJob != "" && !errors.Is(v, safety.ErrNotLent) {
				require.Regexp(t, `^misuses\.go:[0-9]+$`, v.Scheduled)
			}
		})
	}
}

func TestTheTextsAreThoseOfTheGoldenFile(t *testing.T) {
	if !safety.Enabled || safety.Strict {
		t.Skip("the texts are those of the default build")
	}
	programtest.Golden(t, "testdata/misuses.golden", customcontainer.Ran(t, "-misuses"))
}

func TestUncheckedBuildsListNothing(t *testing.T) {
	if safety.Enabled {
		t.Skip("this build checks")
	}
	customcontainer.Says(t, program.Failed, "customcontainer: ", "-misuses")
}

func TestRunPrintsARowForEachWay(t *testing.T) {
	out := customcontainer.Ran(t, "-n", "2000", "-repeat", "2", "-every", "3")
	assert.Contains(t, out, "2000 elements, every 3. is 0, Batch(8)")
	for _, w := range ways {
		assert.Regexp(t, regexp.MustCompile(`(?m)^`+regexp.QuoteMeta(w.name)+` +[0-9].* ns +[0-9.]+ .*`+w.what+`$`), out)
	}
	assert.Contains(t, out, "all ways counted the same")
}

func TestExitStatus(t *testing.T) {
	customcontainer.Says(t, 0, "-misuses", "-h")
	for _, args := range [][]string{{"-n", "-1"}, {"-every", "0"}, {"-workers", "0"}, {"-batch", "-1"}, {"-repeat", "0"}} {
		customcontainer.Says(t, program.Usage, "customcontainer: -n and -batch must be at least 0, -every, -workers and -repeat at least 1\n", args...)
	}
	customcontainer.Says(t, program.Usage, `customcontainer: unexpected argument "extra"`, "extra")
	customcontainer.Says(t, program.Usage, "-what", "-what")
}

func TestAnOutputThatFailsIsAFailure(t *testing.T) {
	customcontainer.FailsWhenFull(t, program.Failed, "-n", "10", "-repeat", "1")
	if safety.Enabled {
		customcontainer.FailsWhenFull(t, program.Failed, "-misuses")
	} else {
		assert.Equal(t, program.Failed, run([]string{"-misuses"}, programtest.Full{}, io.Discard))
	}
}
