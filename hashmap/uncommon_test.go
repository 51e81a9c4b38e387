package hashmap

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// violationOf returns the error that f panics with.
func violationOf(f func()) (err error) {
	defer func() { err, _ = recover().(error) }()
	f()
	return nil
}

// A loop that a computation of a large value runs must not change the key of that computation
// either.
func TestALoopInAComputationOfALargeValueThatChangesItsKey(t *testing.T) {
	if !safety.Enabled {
		t.Skip("checked")
	}
	m := New[int, [64]int]()
	require.Equal(t, asValues, m.in.cells)
	store := func(k int) error {
		return violationOf(func() {
			m.Compute(0, func(v [64]int, _ bool) ([64]int, Op) {
				parallelfor.For(1, m.Shared(), func(s *Shared[int, [64]int], _ int) { s.Store(k, v) }, parallelfor.Sequential())
				return v, Update
			})
		})
	}
	require.ErrorIs(t, store(0), safety.ErrWaitCycle)
	require.NoError(t, store(1))
}

// An operation that finds at the locks that a job holds the map calls the guard's check.
func TestWhoMeetsAJobAtTheLocksIsToldByTheGuard(t *testing.T) {
	m := NewMulti[int, int]()
	if safety.Enabled {
		m.in.check(false)
		m.in.check(true)
	}
	m.Dispose()
	kind := safety.ErrDisposed
	if !safety.Enabled {
		kind = safety.ErrInFlight
	}
	require.ErrorIs(t, violationOf(func() { m.in.check(false) }), kind)
	require.ErrorIs(t, violationOf(func() { m.in.check(true) }), kind)
}
