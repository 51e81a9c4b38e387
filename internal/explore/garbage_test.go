package explore_test

import (
	"runtime"
	"runtime/debug"
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

// What is garbage when exploring begins is collected, and its cleanups have run, before the first
// execution.
func TestGarbageIsCollectedBeforeTheFirstExecution(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // nothing else collects it
	var ran atomic.Int64
	const litter = 1000
	for range litter {
		runtime.AddCleanup(new([64]byte), func(int) { ran.Add(1) }, 0)
	}
	before := int64(-1)
	f, _ := find(func(p *explore.Program) {
		if before < 0 {
			before = ran.Load()
		}
		p.Go("", func() { sched.Point(sched.OpLoad, nil) })
	}, explore.Random(more(10)))
	require.NoError(t, errorOf(f))
	require.GreaterOrEqual(t, before, int64(litter-1)) // the last one may still be on a stack
}
