package explore_test

import (
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/explore"
	"example.com/custody/internal/sched"
)

// Cleanups run, but between executions: what they do is no step of one.
func TestCleanupsRunBetweenExecutions(t *testing.T) {
	var ran, inside atomic.Int64
	f, stats := find(func(p *explore.Program) {
		p.Go("", func() {
			for range 2 {
				litter := new([1 << 14]byte)
				runtime.AddCleanup(litter, func(int) {
					ran.Add(1)
					if sched.Exploring() {
						inside.Add(1)
					}
					sched.Point(sched.OpLoad, nil)
				}, 0)
				sched.Point(sched.OpLoad, nil)
			}
		})
		p.Go("", func() { sched.Point(sched.OpLoad, nil) })
	}, explore.Random(more(20_000)))
	require.NoError(t, errorOf(f))
	require.Equal(t, 3, stats.Steps)
	require.Positive(t, ran.Load(), "nothing was collected")
	require.Zero(t, inside.Load())
}
