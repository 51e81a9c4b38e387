package stripe

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAGoroutineGetsTheSameHintAgain(t *testing.T) {
	same := 0
	for range 100 {
		if hint := Hint(); hint == Hint() {
			same++
		}
	}
	require.Greater(t, same, 90)
}

func TestGoroutinesGetManyHints(t *testing.T) {
	var mu sync.Mutex
	var ready, group sync.WaitGroup
	seen := map[uint64]bool{}
	ready.Add(64)
	for range 64 {
		group.Go(func() {
			ready.Done()
			ready.Wait() // all have a stack at the same time
			h := Hint() >> 58
			mu.Lock()
			seen[h] = true
			mu.Unlock()
		})
	}
	group.Wait()
	require.Greater(t, len(seen), 16)
}

func TestCountIsFourForEachProcessorUpTo128(t *testing.T) {
	for procs, want := range map[int]int{-1: 4, 0: 4, 1: 4, 2: 8, 3: 16, 4: 16, 5: 32, 32: 128, 33: 128, 1000: 128} {
		require.Equal(t, want, Count(procs), "%d processors", procs)
	}
}
