package fuzz_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/fuzz"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/sched"
)

func TestScalingIsSkippedWithoutAMachine(t *testing.T) {
	var sub *testing.T
	t.Run("curve", func(t *testing.T) {
		sub = t
		fuzz.Scaling(t, func(int) func(g, i int) { var n atom.Int64; return func(int, int) { n.Add(1) } })
	})
	require.Equal(t, !atom.Explored || sched.Race, sub.Skipped())
}
