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

// plans are all strategies, with n schedules each.
func plans(n int) map[string]explore.Plan {
	return map[string]explore.Plan{
		"random":     explore.Random(n),
		"pct 1":      explore.PCT(1, n),
		"pct 2":      explore.PCT(2, n),
		"pct 3":      explore.PCT(3, n),
		"pct 4":      explore.PCT(4, n),
		"exhaustive": explore.Exhaustive(2, 100_000),
	}
}

var errorFound = errors.New("found")

// A CompareAndSwap that is a load and a store is found by every strategy that interrupts, and its
// trace and its seed repeat what was found.
func TestARacyToyIsFound(t *testing.T) {
	broken := counter(2, (*word).brokenCompareAndSwap)
	for name, plan := range plans(100_000) {
		f, stats := find(broken, plan)
		require.NotNil(t, f, "%s: %v", name, stats)
		require.Equal(t, sched.Wrong, f.Failure.Kind)
		require.Less(t, f.Schedule, 100)
		for _, text := range []string{f.Trace, f.Again} {
			again, err := explore.ParsePlan(text)
			require.NoError(t, err)
			g, _ := find(broken, again)
			require.NotNil(t, g)
			require.Equal(t, f.Story, g.Story)
			require.Equal(t, f.Trace, g.Trace)
		}
	}
}

func TestACorrectToyIsNotReported(t *testing.T) {
	for name, plan := range plans(100_000) {
		f, stats := find(counter(3, (*word).CompareAndSwap), plan)
		require.NoError(t, errorOf(f), "%s", name)
		t.Log(name, stats)
	}
}
