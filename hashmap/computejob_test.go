package hashmap

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// A job that is run inside a computation and changes its key is a violation, as an operation that
// does so; others may be changed.
func TestAJobInAComputationThatChangesItsKey(t *testing.T) {
	for _, s := range shapes {
		for key := range 2 {
			for name, run := range map[string]func(m *Map[int, int], opts ...parallelfor.Option){
				"writer": func(m *Map[int, int], opts ...parallelfor.Option) {
					parallelfor.For(s.n, m.ParallelWriter(), func(w *ParallelWriter[int, int], i int) { w.Set(i+key, i) }, opts...)
				},
				"merger": func(m *Map[int, int], opts ...parallelfor.Option) {
					parallelfor.For(s.n, m.ParallelMerger(sum), func(w *ParallelMerger[int, int], i int) { w.Merge(i+key, i) }, opts...)
				},
			} {
				opts := []parallelfor.Option{parallelfor.Workers(s.workers)}
				if s.workers == 1 {
					opts = []parallelfor.Option{parallelfor.Sequential()}
				}
				m, what := New[int, int](), fmt.Sprint(name, s, key)
				v := endsWith(t, what, func() {
					m.Compute(0, func(int, bool) (int, Op) {
						run(m, opts...)
						return -1, Update
					})
				})
				_, ok := m.Load(0)
				if key == 0 {
					require.IsType(t, (*safety.Violation)(nil), v, what)
					require.ErrorIs(t, v.(error), safety.ErrWaitCycle, what)
					require.False(t, ok, what)
				} else {
					require.Nil(t, v, what)
					require.Equal(t, s.n+1, m.Len(), what)
				}
				require.Empty(t, m.in.phases.began)
			}
		}
	}
	require.Empty(t, waiting.on)
}

// A job that several goroutines seal waits for several computations, and none of them may wait for
// the one that the job is in.
func TestAJobInAComputationWaitsForSeveralOthers(t *testing.T) {
	lawtest.Watchdog(t)
	m, n := New[int, int](), New[int, int]()
	began, goOn := make(chan bool, 3), make(chan bool)
	failed := make(chan any, 3)
	for k := range 3 {
		go func() {
			failed <- endsWith(t, "others", func() {
				n.Compute(k, func(int, bool) (int, Op) {
					began <- true
					<-goOn
					if k == 1 {
						m.Store(0, 5)
					}
					return 0, Update
				})
			})
		}()
		<-began
	}
	v := endsWith(t, "computation", func() {
		m.Compute(0, func(int, bool) (int, Op) {
			time.AfterFunc(50*time.Millisecond, func() { close(goOn) })
			parallelfor.For(5000, n.ParallelMerger(sum), func(w *ParallelMerger[int, int], i int) { w.Merge(i, 1) }, parallelfor.Workers(3))
			return 0, Update
		})
	})
	told := 0
	if v != nil {
		require.ErrorIs(t, v.(error), safety.ErrWaitCycle)
		told++
	}
	for range 3 {
		if v := <-failed; v != nil && !errors.Is(v.(error), safety.ErrInFlight) { // which is right: nothing orders it with the job
			require.ErrorIs(t, v.(error), safety.ErrWaitCycle)
			told++
		}
	}
	require.Equal(t, 1, told)
	require.Empty(t, waiting.on)
}
