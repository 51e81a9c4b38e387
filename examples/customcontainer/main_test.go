package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/examples/internal/program"
	"example.com/custody/fuzz"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

var update = flag.Bool("update", false, "write testdata/misuses.golden anew")

func TestAllWaysCountTheSameAtAnyGridAndWorkers(t *testing.T) {
	for _, n := range []int{0, 1, 7, 8, 9, 1000} {
		for _, every := range []int{1, 2, 3} {
			in := input(n, every)
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
	var out, stderr bytes.Buffer
	require.Zero(t, run([]string{"-misuses"}, &out, &stderr), stderr.String())
	const file = "testdata/misuses.golden"
	if *update {
		require.NoError(t, os.WriteFile(file, out.Bytes(), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), out.String())
}

func TestUncheckedBuildsListNothing(t *testing.T) {
	if safety.Enabled {
		t.Skip("this build checks")
	}
	var out, stderr bytes.Buffer
	require.Equal(t, program.Failed, run([]string{"-misuses"}, &out, &stderr))
	require.Empty(t, out.String())
}

func TestRunPrintsARowForEachWay(t *testing.T) {
	var out, stderr bytes.Buffer
	require.Zero(t, run([]string{"-n", "2000", "-repeat", "2", "-every", "3"}, &out, &stderr), stderr.String())
	assert.Contains(t, out.String(), "2000 elements, every 3. is 0, Batch(8)")
	for _, w := range ways {
		assert.Regexp(t, regexp.MustCompile(`(?m)^`+regexp.QuoteMeta(w.name)+` +[0-9].* ns +[0-9.]+ .*`+w.what+`$`), out.String())
	}
	assert.Contains(t, out.String(), "all ways counted the same")
}

func TestExitStatus(t *testing.T) {
	for _, c := range []struct {
		args []string
		want int
	}{
		{[]string{"-h"}, 0}, {[]string{"-n", "-1"}, program.Usage}, {[]string{"-every", "0"}, program.Usage}, {[]string{"-workers", "0"}, program.Usage},
		{[]string{"-batch", "-1"}, program.Usage}, {[]string{"-repeat", "0"}, program.Usage}, {[]string{"extra"}, program.Usage}, {[]string{"-what"}, program.Usage},
	} {
		var stdout, stderr bytes.Buffer
		assert.Equal(t, c.want, run(c.args, &stdout, &stderr), fmt.Sprint(c.args))
		assert.Empty(t, stdout.String())
		assert.NotEmpty(t, strings.TrimSpace(stderr.String()))
	}
}

// full is an output that takes nothing.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestAnOutputThatFailsIsAFailure(t *testing.T) {
	for _, args := range [][]string{{"-n", "10", "-repeat", "1"}, {"-misuses"}} {
		var stderr bytes.Buffer
		assert.Equal(t, program.Failed, run(args, full{}, &stderr))
		if safety.Enabled {
			assert.Equal(t, "customcontainer: no space left\n", stderr.String())
		}
	}
}
