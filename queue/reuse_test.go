package queue_test

import (
	"math/bits"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
	"example.com/custody/parallelfor"
	"example.com/custody/queue"
	"example.com/custody/safety"
)

// allocated is how many bytes something allocates. Nothing is collected meanwhile.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// A loop that is drained each time, as that of every frame, adds to the memory of the loops before.
func TestJobsAddToMemoryThatWasDrained(t *testing.T) {
	if atom.Race || safety.Strict {
		t.Skip("with the race detector nothing is kept, and in strict builds each batch has a piece of memory of its own")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	const chunk, word = 256 << 10, bits.UintSize / 8
	const n = 8 * chunk / word
	q := queue.New[int]()
	drain := func() (took int) {
		for s := range q.Drain() {
			for _, v := range s {
				if v != took {
					t.Fatalf("%d came after %d", v, took-1)
				}
				took++
			}
		}
		return took
	}
	frame := func() {
		parallelfor.For(n, adds{q.ParallelWriter()}, (*adds).Execute, parallelfor.Workers(1))
		require.Equal(t, n, drain())
	}
	frame()
	least := ^uint64(0)
	for range 10 { // a goroutine that moved to another processor may not find all
		least = min(least, allocated(frame))
	}
	require.Less(t, least, uint64(n*word/2))

	// What a goroutine may still be reading is not used again: what was taken from a piece of
	// memory before the drain.
	q = queue.New[int]()
	single := func() {
		parallelfor.For(chunk/word, adds{q.ParallelWriter()}, (*adds).Execute, parallelfor.Workers(1))
	}
	single()
	require.Equal(t, chunk/word, drain())
	single() // which is so much again that it lies in one chunk
	v, ok := q.TryDequeue()
	require.True(t, ok)
	require.Zero(t, v)
	for range q.Drain() {
	}
	require.Greater(t, allocated(single), uint64(chunk))
}
