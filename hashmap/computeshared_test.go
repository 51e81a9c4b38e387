package hashmap

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/handout"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// changes are the operations of a Shared view that change a key, or may change it.
var changes = map[string]func(s *Shared[int, int], k int){
	"Store":         func(s *Shared[int, int], k int) { s.Store(k, 1) },
	"LoadOrStore":   func(s *Shared[int, int], k int) { s.LoadOrStore(k, 1) },
	"Delete":        func(s *Shared[int, int], k int) { s.Delete(k) },
	"LoadAndDelete": func(s *Shared[int, int], k int) { s.LoadAndDelete(k) },
	"Compute":       func(s *Shared[int, int], k int) { s.Compute(k, func(int, bool) (int, Op) { return 1, Update }) },
	"LoadOrCompute": func(s *Shared[int, int], k int) { s.LoadOrCompute(k, func() (int, bool) { return 1, false }) },
}

// sharer is a job whose bodies use a map.
type sharer struct {
	S   Shared[int, int]
	Use func(s *Shared[int, int], i int) `custody:"unguarded"`
}

func (j *sharer) Execute(i int) { j.Use(&j.S, i) }

// ways are the ways in which a computation schedules a job that calls use. Batches of the job run
// on other workers than the goroutine of the computation.
var ways = map[string]func(m *Map[int, int], use func(s *Shared[int, int], i int)){
	"a loop": func(m *Map[int, int], use func(s *Shared[int, int], i int)) {
		parallelfor.For(8, m.Shared(), use, parallelfor.Batch(1), parallelfor.Workers(4))
	},
	"a loop on one worker": func(m *Map[int, int], use func(s *Shared[int, int], i int)) {
		parallelfor.For(8, m.Shared(), use, parallelfor.Sequential())
	},
	"a scheduled loop": func(m *Map[int, int], use func(s *Shared[int, int], i int)) {
		h := parallelfor.Schedule(8, sharer{m.Shared(), use}, (*sharer).Execute, parallelfor.Batch(1), parallelfor.Workers(4))
		h.Complete()
	},
	"a loop after another": func(m *Map[int, int], use func(s *Shared[int, int], i int)) {
		h := parallelfor.Schedule(8, sharer{m.Shared(), func(s *Shared[int, int], i int) { s.Load(i) }}, (*sharer).Execute, parallelfor.Batch(1), parallelfor.Workers(4))
		h = parallelfor.Schedule(8, sharer{m.Shared(), use}, (*sharer).Execute, parallelfor.Batch(1), parallelfor.Workers(4), parallelfor.After(h))
		h.Complete()
	},
	"a loop in a loop in a loop": func(m *Map[int, int], use func(s *Shared[int, int], i int)) {
		parallelfor.For(2, m.Shared(), func(s *Shared[int, int], _ int) {
			parallelfor.For(2, *s, func(s *Shared[int, int], _ int) {
				parallelfor.For(8, *s, use, parallelfor.Batch(1), parallelfor.Workers(2))
			}, parallelfor.Batch(1), parallelfor.Workers(2))
		}, parallelfor.Batch(1), parallelfor.Workers(2))
	},
	"a loop in a computation of another key in a loop": func(m *Map[int, int], use func(s *Shared[int, int], i int)) {
		parallelfor.For(2, m.Shared(), func(s *Shared[int, int], j int) {
			s.Compute(-2-j, func(int, bool) (int, Op) {
				parallelfor.For(8, *s, use, parallelfor.Batch(1), parallelfor.Workers(2))
				return 0, Update
			})
		}, parallelfor.Batch(1), parallelfor.Workers(2))
	},
}

// A loop over a Shared view that a computation runs may change all keys except the one that is
// computed. Changing that key is a violation on every run, on any worker.
func TestALoopOverSharedInAComputationThatChangesItsKey(t *testing.T) {
	defer handout.Force(lawtest.Seed(t))()
	maps := map[string]func() *Map[int, int]{
		"words": func() *Map[int, int] { return New[int, int](safety.Named("m")) },
		"small": func() *Map[int, int] { return NewWith[int, int](same{}, safety.Named("m")) },
	}
	for kind, fresh := range maps {
		for way, run := range ways {
			for name, change := range changes {
				for _, with := range []string{"Compute", "LoadOrCompute", "Shared"} {
					for key := range 2 {
						what := fmt.Sprint(kind, ", ", way, ", ", name, ", ", with, ", ", key)
						m := fresh()
						f := func() { run(m, func(s *Shared[int, int], i int) { change(s, i+key) }) }
						v := endsWith(t, what, func() { within(m, with, f) })
						if key == 1 {
							require.Nil(t, v, what)
							continue
						}
						require.IsType(t, (*safety.Violation)(nil), v, what)
						require.ErrorIs(t, v.(error), safety.ErrWaitCycle, what)
						_, ok := m.Load(0)
						require.False(t, ok, what)
						m.Store(0, 1) // the key is not locked
					}
				}
			}
		}
	}
	require.Empty(t, waiting.on)
}

// within runs f while a computation of the value of key 0 runs.
func within(m *Map[int, int], how string, f func()) {
	switch how {
	case "Compute":
		m.Compute(0, func(int, bool) (int, Op) { f(); return 0, Update })
	case "LoadOrCompute":
		m.LoadOrCompute(0, func() (int, bool) { f(); return 0, false })
	default:
		m.Compute(-1, func(int, bool) (int, Op) { // an outer computation
			m.Compute(0, func(int, bool) (int, Op) { f(); return 0, Update })
			return 0, Update
		})
	}
}

// Changing the key is a violation even if the computation has ended. LoadOrStore and LoadOrCompute
// change nothing then, because the key has a value.
func TestAJobThatOutlastsAComputationAndChangesItsKey(t *testing.T) {
	lawtest.Watchdog(t)
	for name, change := range changes {
		if strings.HasPrefix(name, "LoadOr") {
			continue
		}
		m, goOn := New[int, int](), make(chan bool)
		var h parallelfor.Handle
		m.Compute(0, func(int, bool) (int, Op) {
			h = parallelfor.Schedule(2, sharer{m.Shared(), func(s *Shared[int, int], i int) {
				if i == 1 {
					<-goOn
				}
				change(s, 1-i)
			}}, (*sharer).Execute, parallelfor.Batch(1), parallelfor.Workers(2))
			return 7, Update
		})
		close(goOn)
		v := endsWith(t, name, h.Complete)
		require.IsType(t, (*safety.Violation)(nil), v, name)
		require.ErrorIs(t, v.(error), safety.ErrWaitCycle, name)
		v, _ = m.Load(0)
		require.Equal(t, 7, v, name)
	}
}

// Appending the key is a violation, too, in a job that begins and ends on other goroutines than
// that of the computation.
func TestAJobAfterAnotherInAComputationThatAppendsItsKey(t *testing.T) {
	for name, view := range map[string]func(m *Map[int, int]) parallelfor.Handle{
		"ParallelWriter": func(m *Map[int, int]) parallelfor.Handle {
			h := parallelfor.Go(m.Reader(), func(r *Reader[int, int]) { r.Load(0) })
			return parallelfor.Go(m.ParallelWriter(), func(w *ParallelWriter[int, int]) { w.Set(0, 1) }, parallelfor.After(h))
		},
		"ParallelMerger": func(m *Map[int, int]) parallelfor.Handle {
			h := parallelfor.Go(m.Reader(), func(r *Reader[int, int]) { r.Load(0) })
			return parallelfor.Go(m.ParallelMerger(sum), func(w *ParallelMerger[int, int]) { w.Merge(0, 1) }, parallelfor.After(h))
		},
		"Writer": func(m *Map[int, int]) parallelfor.Handle {
			h := parallelfor.Go(m.Reader(), func(r *Reader[int, int]) { r.Load(0) })
			return parallelfor.Go(m.Writer(), func(w *Writer[int, int]) { w.Set(0, 1) }, parallelfor.After(h))
		},
	} {
		m := New[int, int]()
		m.Store(0, 7)
		v := endsWith(t, name, func() {
			m.Compute(0, func(int, bool) (int, Op) {
				h := view(m)
				for !h.Finished() { // so that workers run the job
					runtime.Gosched()
				}
				h.Complete()
				return 8, Update
			})
		})
		require.IsType(t, (*safety.Violation)(nil), v, name)
		require.ErrorIs(t, v.(error), safety.ErrWaitCycle, name)
		v, _ = m.Load(0)
		require.Equal(t, 7, v, name)
	}
	require.Empty(t, waiting.on)
}

// A body of a job within a computation puts in a key that another goroutine computes: it waits, and
// gets the value of that computation, or puts in its own if that has put in none.
func TestABodyInAComputationPutsInAKeyThatAnotherComputes(t *testing.T) {
	lawtest.Watchdog(t)
	waits := func() bool {
		waiting.mu.Lock()
		defer waiting.mu.Unlock()
		return len(waiting.on) > 0
	}
	for kind, fresh := range map[string]func() *Map[int, int]{
		"words": func() *Map[int, int] { return New[int, int]() },
		"boxes": func() *Map[int, int] { return NewWith[int, int](same{}) },
	} {
		for op, want := range map[Op]int{Update: 10, Keep: 5} {
			m, began, ended := fresh(), make(chan bool), make(chan bool)
			go func() {
				defer close(ended)
				m.Compute(1, func(int, bool) (int, Op) {
					close(began)
					lawtest.Until(t, "the body to wait", waits)
					return 10, op
				})
			}()
			<-began
			var got int
			var loaded bool
			m.Compute(0, func(int, bool) (int, Op) {
				parallelfor.Do(m.Shared(), func(s *Shared[int, int]) { got, loaded = s.LoadOrStore(1, 5) })
				return 0, Update
			})
			<-ended
			require.Equal(t, op == Update, loaded, kind)
			require.Equal(t, want, got, kind)
			v, _ := m.Load(1)
			require.Equal(t, want, v, kind)
		}
	}
	require.Empty(t, waiting.on)
}
