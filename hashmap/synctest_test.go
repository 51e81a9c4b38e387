package hashmap_test

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/custody/hashmap"
	"example.com/custody/parallelfor"
)

// In a bubble of testing/synctest the clock moves on while a computation sleeps. A goroutine that
// waits for the computation is durably blocked, and other goroutines do not wait.
func TestComputationsThatSleepInABubble(t *testing.T) {
	outside := hashmap.New[int, int]()
	for _, fresh := range []func() *hashmap.Map[int, int]{
		func() *hashmap.Map[int, int] { return hashmap.New[int, int]() },
		func() *hashmap.Map[int, int] { return outside },
	} {
		synctest.Test(t, func(t *testing.T) {
			m := fresh()
			start := time.Now()
			var all sync.WaitGroup
			for i := range 4 {
				all.Go(func() {
					m.Compute(0, func(old int, _ bool) (int, hashmap.Op) { time.Sleep(time.Hour); return old + 1, hashmap.Update })
				})
				all.Go(func() {
					m.LoadOrCompute(1, func() (int, bool) { time.Sleep(time.Hour); return i, false })
				})
				all.Go(func() {
					m.Compute(2+i, func(int, bool) (int, hashmap.Op) { time.Sleep(time.Hour); return i, hashmap.Update })
				})
			}
			synctest.Wait()
			for i := range 5000 { // the table grows meanwhile
				m.Store(100+i, i)
				m.Load(0)
			}
			time.Sleep(time.Minute)
			m.Store(0, 10) // waits for computations
			all.Wait()
			require.LessOrEqual(t, time.Since(start), 5*time.Hour)
			require.Equal(t, 5006, m.Len())
		})
	}
}

// Ranges, folds that sleep when a job is sealed, and loops of a multimap work in a bubble.
func TestMapsInABubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		m := hashmap.New[int, int]()
		fold := func(old, v int) int { time.Sleep(time.Hour); return old + v }
		parallelfor.For(4, m.ParallelMerger(fold), func(w *hashmap.ParallelMerger[int, int], i int) { w.Merge(0, i) })
		v, _ := m.Load(0)
		require.Equal(t, 6, v)
		require.GreaterOrEqual(t, time.Since(start), 3*time.Hour)
		mm := hashmap.NewMulti[int, int]()
		parallelfor.For(1000, mm.ParallelWriter(), func(w *hashmap.MultiParallelWriter[int, int], i int) { w.Add(i%10, i) })
		var all sync.WaitGroup
		all.Go(func() {
			for range mm.Groups() {
				time.Sleep(time.Hour)
			}
		})
		synctest.Wait()
		mm.Add(3, 1)
		all.Wait()
		require.Equal(t, 1001, mm.Len())
	})
}
