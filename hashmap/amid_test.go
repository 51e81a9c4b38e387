package hashmap

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// resetting sets the values of the keys at all positions.
type resetting struct{ Out Writer[int, int] }

func (j *resetting) Execute(i int) { j.Out.Set(i, -1) }

// seeing reads.
type seeing struct{ In Reader[int, int] }

func (j *seeing) Execute(int) { j.In.Load(7) }

// A range, and DeleteFunc, find out at the next key that their body has lent the map on, or has
// ended it.
func TestARangeFindsOutWhatItsBodyDid(t *testing.T) {
	lawtest.CheckedOnly(t)
	fresh := func(ordered bool) *Map[int, int] {
		m := New[int, int](safety.Named("m"))
		for k := range 10 {
			m.Store(k, k)
		}
		if ordered {
			parallelfor.For(10, m.ParallelWriter(), func(w *ParallelWriter[int, int], i int) { w.Add(10+i, i) })
		}
		return m
	}
	ranges := map[string]func(m *Map[int, int], body func()){
		"All": func(m *Map[int, int], body func()) {
			for range m.All() {
				body()
			}
		},
		"DeleteFunc": func(m *Map[int, int], body func()) {
			m.DeleteFunc(func(int, int) bool { body(); return true })
		},
	}
	for name, over := range ranges {
		for _, ordered := range []bool{false, true} {
			for what, do := range map[string]func(m *Map[int, int]) (parallelfor.Handle, error){
				"a job that writes": func(m *Map[int, int]) (parallelfor.Handle, error) {
					return parallelfor.Schedule(10, resetting{m.Writer()}, (*resetting).Execute, parallelfor.Name("held")), safety.ErrBorrowed
				},
				"a job that adds": func(m *Map[int, int]) (parallelfor.Handle, error) {
					return parallelfor.Schedule(10, addingMore{m.ParallelWriter()}, (*addingMore).Execute, parallelfor.Name("held")), safety.ErrBorrowed
				},
				"Dispose": func(m *Map[int, int]) (none parallelfor.Handle, kind error) {
					m.Dispose()
					return none, safety.ErrDisposed
				},
			} {
				m := fresh(ordered)
				var h parallelfor.Handle
				var kind error
				calls := 0
				v := lawtest.Violation(t, func() error {
					return lawtest.Failure(func() error {
						over(m, func() {
							calls++
							h, kind = do(m)
						})
						return nil
					})
				})
				require.NotNil(t, v, "%s, %s", name, what)
				require.ErrorIs(t, v, kind, "%s, %s", name, what)
				require.Equal(t, 1, calls)
				h.Complete()
			}
		}
	}
}

// addingMore adds what is there.
type addingMore struct{ Out ParallelWriter[int, int] }

func (j *addingMore) Execute(i int) { j.Out.Add(i, -1) }

// A computation whose function has lent the map, or has ended it, changes nothing.
func TestAComputationThatLendsItsMap(t *testing.T) {
	lawtest.CheckedOnly(t)
	if atom.Race {
		t.Skip("the detector sees the job read beside the computation, too")
	}
	m := New[int, int](safety.Named("m"))
	m.Store(1, 10)
	var h parallelfor.Handle
	v := lawtest.Violation(t, func() error {
		return lawtest.Failure(func() error {
			m.Compute(1, func(old int, _ bool) (int, Op) {
				h = parallelfor.Schedule(3, seeing{m.Reader()}, (*seeing).Execute, parallelfor.Name("held"))
				return old + 1, Update
			})
			return nil
		})
	})
	require.ErrorIs(t, v, safety.ErrInFlight)
	require.Equal(t, "held", v.OtherJob)
	h.Complete()
	got, _ := m.Load(1)
	require.Equal(t, 10, got)
	_, loaded := m.LoadOrCompute(2, func() (int, bool) {
		h = parallelfor.Schedule(3, seeing{m.Reader()}, (*seeing).Execute)
		h.Complete()
		return 20, false
	})
	require.False(t, loaded)
	got, _ = m.Load(2)
	require.Equal(t, 20, got, "a job that was completed is in nobody's way")
	v = lawtest.Violation(t, func() error {
		return lawtest.Failure(func() error {
			m.LoadOrCompute(3, func() (int, bool) { m.Dispose(); return 1, false })
			return nil
		})
	})
	require.ErrorIs(t, v, safety.ErrDisposed)
}

// A job that a computation starts and waits for, and that writes the key by its position, is told
// so: it would wait for the computation.
func TestAJobThatWritesTheKeyThatStartedIt(t *testing.T) {
	lawtest.CheckedOnly(t)
	for workers := 1; workers <= 3; workers++ {
		for _, before := range []bool{false, true} { // another job, which opens the phase
			m := New[int, int](safety.Named("m"))
			for k := range 10 {
				m.Store(k, k)
			}
			v := lawtest.Violation(t, func() error {
				return lawtest.Failure(func() error {
					m.Compute(5, func(old int, _ bool) (int, Op) {
						var h parallelfor.Handle
						if before {
							h = parallelfor.Schedule(10, seeing{m.Reader()}, (*seeing).Execute)
						}
						parallelfor.Schedule(10, resetting{m.Writer()}, (*resetting).Execute, parallelfor.Workers(workers), parallelfor.Batch(1), parallelfor.After(h)).Complete()
						return old, Update
					})
					return nil
				})
			})
			require.ErrorIs(t, v, safety.ErrWaitCycle)
			got, _ := m.Load(5)
			require.Equal(t, 5, got)
			m.Store(5, 6)
		}
	}
}

// A range that is left may be begun again.
func TestARangeThatIsLeft(t *testing.T) {
	m := New[int, int]()
	for k := range 10 {
		m.Store(k, -k)
	}
	for range 2 {
		seen := 0
		for k := range m.All() {
			require.Contains(t, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, k)
			if seen++; seen == 3 {
				break
			}
		}
		for _, v := range m.All() {
			require.LessOrEqual(t, v, 0)
			if seen++; seen == 5 {
				break
			}
		}
		require.Equal(t, 5, seen)
	}
}

// A goroutine that waits for a computation is also woken by those of other keys, and waits on.
func TestWaitingGoesOnWhenAnotherComputationEnds(t *testing.T) {
	m := initialised[int, int](tiny, same{}) // all keys have their records together
	began, goOn, done := make(chan bool), make(chan bool), make(chan int)
	go m.Compute(1, func(int, bool) (int, Op) {
		close(began)
		<-goOn
		return 10, Update
	})
	<-began
	go m.Compute(2, func(int, bool) (int, Op) {
		v, _ := m.Compute(1, func(old int, _ bool) (int, Op) { return old + 1, Update })
		done <- v
		return v, Update
	})
	waits := func() bool {
		waiting.mu.Lock()
		defer waiting.mu.Unlock()
		return len(waiting.on) == 1
	}
	lawtest.Until(t, "it to wait", waits)
	for i := range 20 {
		m.Compute(3, func(int, bool) (int, Op) { return i, Update })
		time.Sleep(time.Millisecond)
		lawtest.Until(t, "it to wait", waits)
	}
	select {
	case <-done:
		t.Fatal("it did not wait")
	default:
	}
	close(goOn)
	require.Equal(t, 11, <-done)
	lawtest.Until(t, "all keys", func() bool { return m.Len() == 3 })
	require.Empty(t, waiting.on)
}
