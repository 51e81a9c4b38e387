package explore_test

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/explore"
	"example.com/custody/internal/sched"
)

// word is a number whose operations are scheduling points, in every build.
type word struct{ v atomic.Int64 }

func (w *word) Load() int64 {
	sched.Point(sched.OpLoad, unsafe.Pointer(w))
	return w.v.Load()
}

func (w *word) Store(n int64) {
	sched.Point(sched.OpStore, unsafe.Pointer(w))
	w.v.Store(n)
}

func (w *word) CompareAndSwap(o, n int64) bool {
	sched.Point(sched.OpCAS, unsafe.Pointer(w))
	return w.v.CompareAndSwap(o, n)
}

// brokenCompareAndSwap is a CompareAndSwap that is two operations.
func (w *word) brokenCompareAndSwap(o, n int64) bool {
	if w.Load() != o {
		return false
	}
	w.Store(n)
	return true
}

// counter is two tasks that each add 1 to a word n times, by cas.
func counter(n int64, cas func(w *word, o, n int64) bool) func(*explore.Program) {
	return func(p *explore.Program) {
		w := new(word)
		for i := range 2 {
			p.Go(fmt.Sprint("adder ", i), func() {
				for range n {
					for o := w.Load(); !cas(w, o, o+1); o = w.Load() {
					}
				}
			})
		}
		p.Judge(func() error {
			if got := w.v.Load(); got != 2*n {
				return fmt.Errorf("the sum is %d, want %d", got, 2*n)
			}
			return nil
		})
	}
}

// Two tasks of two steps have C(4,2) = 6 interleavings, three of two steps 6!/(2!2!2!) = 90.
func TestAllInterleavings(t *testing.T) {
	for tasks, want := range map[int]int{2: 6, 3: 90} {
		seen := map[string]int{}
		f, stats := explore.Find(explore.Options{}, func(p *explore.Program) {
			var at [3][2]int64
			for i := range tasks {
				p.Go("", func() {
					at[i][0] = sched.Now()
					sched.Point(sched.OpLoad, nil)
					at[i][1] = sched.Now()
				})
			}
			p.Judge(func() error { seen[fmt.Sprint(at)]++; return nil })
		}, explore.Exhaustive(8, 10_000))
		require.NoError(t, errorOf(f))
		require.Len(t, seen, want, "%v", stats)
	}
}

func errorOf(f *explore.Finding) error {
	if f == nil {
		return nil
	}
	return f
}

var plans = map[string]explore.Plan{
	"random":     explore.Random(100_000),
	"pct 2":      explore.PCT(2, 100_000),
	"pct 3":      explore.PCT(3, 100_000),
	"exhaustive": explore.Exhaustive(2, 100_000),
}

func TestARacyToyIsFound(t *testing.T) {
	for name, plan := range plans {
		f, stats := explore.Find(explore.Options{}, counter(2, (*word).brokenCompareAndSwap), plan)
		require.NotNil(t, f, "%s: %v", name, stats)
		require.Equal(t, sched.Wrong, f.Failure.Kind)
		require.Less(t, f.Schedule, 100)
		again, err := explore.ParsePlan(f.Trace)
		require.NoError(t, err)
		g, _ := explore.Find(explore.Options{}, counter(2, (*word).brokenCompareAndSwap), again)
		require.NotNil(t, g)
		require.Equal(t, f.Story, g.Story)
	}
}

func TestACorrectToyIsNotReported(t *testing.T) {
	for name, plan := range plans {
		f, stats := explore.Find(explore.Options{}, counter(3, (*word).CompareAndSwap), plan)
		require.NoError(t, errorOf(f), "%s", name)
		t.Log(name, stats)
	}
}

func TestPanicsAreTold(t *testing.T) {
	f, _ := explore.Find(explore.Options{}, func(p *explore.Program) {
		p.Go("one", func() { panic(errors.New("boom")) })
	}, explore.Random(1))
	require.ErrorContains(t, f, "panic: boom")
}
