package hashmap

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

// Two Hashers that call each other's maps without end are told which of them called which map,
// wherever the stack is looked at.
func TestARecursionThroughTwoMapsNamesTheRightOne(t *testing.T) {
	lawtest.CheckedOnly(t)
	ofA, ofB := newPrying(), newPrying()
	a, b := NewWith[int, int](ofA, safety.Named("a")), NewWith[int, int](ofB, safety.Named("b"))
	b.Store(1, 1)
	*ofA.hash = func() { b.Compute(2, func(v int, _ bool) (int, Op) { return v, Keep }) }
	*ofB.equal = func() { a.Load(1) }
	for range 2 {
		v := endsWith(t, "a recursion", func() { a.Load(1) })
		err, _ := v.(error)
		require.ErrorIs(t, err, safety.ErrWaitCycle)
		require.Regexp(t, `Hash of a Hasher, which Map.Load had called, called Map.Compute of hashmap.Map[^"]* "b"|`+
			`Equal of a Hasher, which Map.Compute had called, called Map.Load of hashmap.Map[^"]* "a"`, err.Error())
		for i := range asking.counters { // so that the other Hasher looks at the stack
			n := &asking.counters[i]
			n.enter()
			defer n.leave()
		}
	}
}

// A goroutine that waits for keys to be moved counts as no call of a Hasher. Where many wait, each
// call would look at the stack.
func TestWhoWaitsForMovesCountsNoCalls(t *testing.T) {
	if atom.Race || atom.Explored {
		t.Skip("these builds do not count calls")
	}
	m := initialised[int, int](sizes{least: 1, chunk: 1, stripes: 1, spare: 4, crowd: 64}, newPrying())
	m.Store(0, 0)
	of := m.in.root.Load()
	m.in.provide(of, 0, false)
	of.taken.Store(int64(of.places)) // as when another goroutine moves all keys, and has not begun
	done := make(chan struct{})
	go func() {
		defer close(done)
		for k := 1; k < 20; k++ {
			m.Store(k, k)
		}
	}()
	waits := func() bool {
		stacks := make([]byte, 1<<20)
		return strings.Contains(string(stacks[:runtime.Stack(stacks, true)]), ".(*tables).settle(")
	}
	lawtest.Until(t, "the goroutine waits", waits)
	for range 100 {
		require.False(t, asking.running())
		runtime.Gosched()
	}
	of.taken.Store(0) // so the waiting goroutine moves the keys
	<-done
	require.Equal(t, 20, m.Len())
}
