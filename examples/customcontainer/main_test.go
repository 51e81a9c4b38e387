package main

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/examples/internal/program/programtest"
	"example.com/custody/safety"
)

func Example() {
	main()
	// Output:
	// ParallelWriter 333334
	// Atomic 333334
	// Writer 333334
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
				require.Regexp(t, `^misuses_test\.go:[0-9]+$`, v.Made)
			}
			if w.OtherJob != "" && !errors.Is(v, safety.ErrNotLent) {
				require.Regexp(t, `^misuses_test\.go:[0-9]+$`, v.Scheduled)
			}
		})
	}
}

func TestTheTextsAreThoseOfTheGoldenFile(t *testing.T) {
	if !safety.Enabled || safety.Strict {
		t.Skip("the texts are those of the default build")
	}
	var all strings.Builder
	for _, m := range misuses {
		if !m.strict {
			v, err := m.catch()
			require.NoError(t, err)
			fmt.Fprintf(&all, "%s\n\t%v\n\n", m.title, v)
		}
	}
	lines := regexp.MustCompile(`\.go:\d+`)
	programtest.Golden(t, "testdata/misuses.golden", lines.ReplaceAllString(all.String(), ".go:N"))
}
