package counter

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

// each calls f for each index below n.
func each(n int, f func(i int)) {
	for i := range n {
		f(i)
	}
}

// phaseOfRuns runs a phase in which one worker has the given number of runs.
func phaseOfRuns(h *Histogram, runs int) {
	p := safety.Phase{Mode: safety.Append, Workers: 1, Batches: 2 * runs, Kept: 2 * runs, Parallel: each}
	(*histogramPhases)(h).OpenPhase(&p)
	w := HistogramParallelWriter{bins: h.Len(), lane: p.State.(*blocks).of(0)}
	for k := range runs {
		(*histogramParallelWriterKind)(&w).BeginSpan(2 * k)
		w.counts[k%w.bins]++
	}
	(*histogramPhases)(h).SealPhase(&p)
}

// Phases with many and with few runs in turn allocate nothing, in whatever order they come.
func TestPhasesWithManyAndFewRunsAllocateNothing(t *testing.T) {
	h := NewHistogram(100)
	const many, few = 100, 1
	total := 0
	use := func(runs int) {
		phaseOfRuns(h, runs)
		total += runs
	}
	require.Zero(t, testing.AllocsPerRun(100, func() { use(many); use(few) }))
	require.Zero(t, testing.AllocsPerRun(10, func() {
		use(many)
		for range trimAfter / 2 {
			use(few)
		}
	}))
	require.EqualValues(t, total, h.Total())
}

// A lane drops the spare parts that none of many phases has needed, and keeps the others.
func TestALaneDropsPartsThatPhasesDoNotNeed(t *testing.T) {
	for _, c := range []struct{ many, few, kept int }{
		{100, 1, keptParts},
		{100, 5, keptParts},
		{100, keptParts + 1, keptParts}, // the current run's part lies elsewhere
		{100, keptParts + 2, keptParts + 1},
		{200, 40, 39},
	} {
		h := NewHistogram(3)
		phaseOfRuns(h, c.many)
		l := h.blocks.of(0)
		require.GreaterOrEqual(t, cap(l.spans), c.many-1)
		for range trimAfter - 1 {
			phaseOfRuns(h, c.few)
		}
		require.GreaterOrEqual(t, cap(l.spans), c.many-1, "one of the phases needed them")
		for range trimAfter - 1 {
			phaseOfRuns(h, c.few)
		}
		require.GreaterOrEqual(t, cap(l.spans), c.many-1, "before the trim")
		phaseOfRuns(h, c.few)
		require.Equal(t, c.kept, cap(l.spans))
		require.Zero(t, testing.AllocsPerRun(2*trimAfter, func() { phaseOfRuns(h, c.few) }))
		for _, r := range l.spans[:cap(l.spans)] {
			require.Len(t, r.part, 3)
		}
	}
	h := NewHistogram(3)
	phaseOfRuns(h, 100)
	all := cap(h.blocks.of(0).spans)
	for range 2 * trimAfter {
		phaseOfRuns(h, all/4+1)
	}
	require.Equal(t, all, cap(h.blocks.of(0).spans), "a quarter of the parts is in use")
}

// phaseOfWorkers runs a phase in which each of the given number of workers adds to a bin.
func phaseOfWorkers(h *Histogram, workers int) {
	p := safety.Phase{Mode: safety.Append, Workers: workers, Batches: workers, Kept: workers, Parallel: each}
	(*histogramPhases)(h).OpenPhase(&p)
	for k := range workers {
		w := HistogramParallelWriter{bins: h.Len(), lane: p.State.(*blocks).of(k)}
		(*histogramParallelWriterKind)(&w).BeginSpan(k)
		w.counts[0]++
	}
	(*histogramPhases)(h).SealPhase(&p)
}

// The lanes of a phase with many workers are dropped by a phase with few workers. Phases whose
// lanes are kept allocate nothing.
func TestLanesOfManyWorkersAreNotKept(t *testing.T) {
	h := NewHistogram(3)
	total := 0
	kept := max(keptLanes, runtime.GOMAXPROCS(0))
	for _, workers := range []int{10 * kept, 1, 2 * kept, kept / 2, kept / 4} {
		phaseOfWorkers(h, workers)
		total += workers
		require.GreaterOrEqual(t, h.blocks.workers(), workers)
		require.LessOrEqual(t, h.blocks.workers(), max(kept, 4*workers))
	}
	require.Zero(t, testing.AllocsPerRun(10, func() {
		phaseOfWorkers(h, 1)
		phaseOfWorkers(h, kept)
		total += 1 + kept
	}))
	require.EqualValues(t, total, h.Total())
}

// The garbage collector has the blocks that a histogram drops: those of many runs and those of many
// workers. What stays is bounded by keptParts and keptLanes.
func TestBlocksThatPhasesDoNotNeedAreGivenBack(t *testing.T) {
	const bins, many = 1 << 10, 200
	h := NewHistogram(bins)
	few := func() {
		for range 2 * trimAfter {
			phaseOfRuns(h, 1)
		}
	}
	few()
	runs := lawtest.Kept(func() { phaseOfRuns(h, many) })
	require.Greater(t, runs, many/2*8*bins, "they are kept for later phases")
	require.Less(t, lawtest.Kept(few), -many/2*8*bins)
	workers := lawtest.Kept(func() { phaseOfWorkers(h, many) })
	require.Greater(t, workers, many/2*8*bins, "they are kept for later phases")
	require.Less(t, lawtest.Kept(few), -many/2*8*bins)
	require.EqualValues(t, 3*2*trimAfter+2*many, h.Total())
}
