//go:build custody_explore && !race

package fuzz

import (
	"math"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"example.com/custody/safety/atom"
)

// curveOf runs Scaling on an operation of toys.
func curveOf(t *testing.T, fresh func(n int) func(g, i int), opts ...Option) (all []Point, r *recorder) {
	t.Helper()
	r = &recorder{TB: t}
	r.run(func() { all = Scaling(r, fresh, append(opts, Seed(1))...) })
	return all, r
}

// apart is a number in cache lines of its own.
type apart struct {
	_ [128]byte
	n atom.Int64
	v int
	_ [128]byte
}

func one(int) func(g, i int) {
	a := new(apart)
	return func(int, int) { a.n.Add(1) }
}

func TestScalingOfOneNumber(t *testing.T) {
	all, r := curveOf(t, one, AtMost(0.1))
	require.True(t, r.failed)
	require.Contains(t, r.text(), "an operation takes 0.")
	require.Contains(t, r.text(), "from fuzz.one.func1 scalingtoys_explore_test.go:33 to fuzz.one.func1 scalingtoys_explore_test.go:33")
	require.Len(t, all, 7)
	require.Equal(t, 64, all[6].Goroutines)
	require.Greater(t, all[6].NS, 2*all[0].NS)
	require.InDelta(t, 1, all[6].Accesses, 0.001)
	_, r = curveOf(t, one, AtMost(2))
	require.False(t, r.failed, r.text())
	two, _ := curveOf(t, one, SPSC)
	require.Len(t, two, 2)
}

func TestScalingOfNumbersApart(t *testing.T) {
	all, r := curveOf(t, func(n int) func(g, i int) {
		each := make([]apart, n)
		return func(g, i int) {
			each[g].n.Add(1)
			atom.Writes(&each[g].v)
			each[g].v = i
		}
	}, AtMost(0))
	require.False(t, r.failed, r.text())
	require.NotContains(t, r.text(), "from ")
	require.InDelta(t, all[0].NS/64, all[6].NS, 0.01)
	require.InDelta(t, 2, all[6].Accesses, 0.001)
}

// Words of one cache line that several goroutines write are reported, also if they are plain.
func TestScalingFindsFalseSharing(t *testing.T) {
	_, r := curveOf(t, func(n int) func(g, i int) {
		each := make([]int, n)
		return func(g, i int) {
			atom.Writes(&each[g])
			each[g] = i
		}
	}, AtMost(0))
	require.True(t, r.failed)
	require.Contains(t, r.text(), "from fuzz.TestScalingFindsFalseSharing.func1.1 scalingtoys_explore_test.go:71 to")
}

// A lock, a condition and a goroutine of package atom work as those of sync do, on the machine and
// off it.
func TestScalingOfWaits(t *testing.T) {
	fresh := func(n int) func(g, i int) {
		var mu atom.Mutex
		turn, c := 0, &atom.Cond{L: &mu}
		return func(g, _ int) {
			mu.Lock()
			for turn != g {
				c.Wait()
			}
			turn = (turn + 1) % n
			c.Broadcast()
			mu.Unlock()
		}
	}
	_, r := curveOf(t, fresh, SPSC)
	require.False(t, r.failed, r.text())
	do, done := fresh(2), make(chan bool)
	for g := range 2 {
		atom.Go(func() {
			for i := range 100 {
				do(g, i)
			}
			done <- true
		})
	}
	<-done
	<-done
}

// A container with a goroutine of its own has room for 63 goroutines.
func TestScalingOfAContainerThatStartsGoroutines(t *testing.T) {
	all, r := curveOf(t, func(int) func(g, i int) {
		var n atom.Int64
		atom.Go(func() { n.Add(1) })
		return func(int, int) { n.Add(1) }
	})
	require.False(t, r.failed, r.text())
	require.Len(t, all, 6)
	require.Contains(t, r.text(), "64 goroutines and more are left out, because the container starts goroutines, and there is room for 64 in all")
}

func TestScalingRefusesWhatItCannotJudge(t *testing.T) {
	for _, bar := range []float64{-1, math.NaN()} {
		_, r := curveOf(t, one, AtMost(bar))
		require.True(t, r.failed)
		require.Contains(t, r.text(), "and needs 0 or more")
	}
	_, r := curveOf(t, func(int) func(g, i int) { return func(int, int) {} }, AtMost(1))
	require.True(t, r.failed)
	require.Contains(t, r.text(), "no operation used package safety/atom")
}

// An access that begins within a cache line and ends in the next one is one to each.
func TestScalingCountsLines(t *testing.T) {
	all, _ := curveOf(t, func(n int) func(g, i int) {
		var block [3]apart
		middle := 96 - uintptr(unsafe.Pointer(&block))%64 // of a line
		at := (*[64]byte)(unsafe.Add(unsafe.Pointer(&block), middle))
		return func(int, int) { atom.Reads(at) }
	}, SPSC)
	require.InDelta(t, 2, all[0].Accesses, 0)
}

func TestScalingTellsOfOperationsThatFail(t *testing.T) {
	_, r := curveOf(t, func(int) func(g, i int) {
		var mu atom.Mutex
		return func(int, int) { mu.Lock() }
	})
	require.True(t, r.failed)
	require.Contains(t, r.text(), "fuzz: 1 goroutine on a simulated machine: ")
	require.Contains(t, r.text(), "deadlock")
	_, r = curveOf(t, func(int) func(g, i int) { return func(int, int) { panic("broken") } })
	require.True(t, r.failed)
	require.Contains(t, r.text(), "broken")
}
