//go:build custody_explore && !race

package fuzz_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/counter"
	"example.com/custody/fuzz"
	"example.com/custody/hashmap"
	"example.com/custody/internal/explore"
	"example.com/custody/queue"
)

// shared makes what n goroutines share, and returns their operation: goroutine g calls it with i
// from 0 on.
type shared func(n int) func(g, i int)

// machine makes the containers of a test as many counts and stripes as those of a machine with 64
// processors.
func machine(t *testing.T) {
	before := runtime.GOMAXPROCS(64)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}

// sides is an operation of which every other goroutine only puts, and the rest only take.
func sides(put func(v int) bool, take func() (int, bool)) func(g, i int) {
	return func(g, _ int) {
		if g%2 == 0 {
			put(g)
		} else {
			take()
		}
	}
}

// works are operations on containers, how many transfers one may take at 1, 2, 8 and 64 goroutines,
// and how many times as long at 64 as at 2. At 4, 16 and 32 it may take a fifth more transfers.
var works = []struct {
	name           string
	atMost, slower float64
	of             shared
}{
	{"`Ring`: a put and a take", 3, 4, func(int) func(g, i int) {
		r := queue.NewRing[int](128)
		return func(g, _ int) {
			r.TryEnqueue(g)
			r.TryDequeue()
		}
	}},
	{"`Ring`: half put, half take", 1.5, 4, func(int) func(g, i int) {
		r := queue.NewRing[int](128)
		return sides(r.TryEnqueue, r.TryDequeue)
	}},
	{"`Queue`: a put and a take", 4, 4, func(int) func(g, i int) {
		q := queue.New[int]()
		return func(g, _ int) {
			q.Enqueue(g)
			q.TryDequeue()
		}
	}},
	{"`Queue`: half put, half take", 2.5, 5, func(int) func(g, i int) {
		q := queue.New[int]()
		return sides(q.Enqueue, q.TryDequeue)
	}},
	{"`Counter.Add`", 0.001, 0.05, func(int) func(g, i int) {
		c := counter.New()
		return func(int, int) { c.Add(1) }
	}},
	{"`Counter.Add`, one in 100 is `Value`", 1, 1, func(int) func(g, i int) {
		c := counter.New()
		return func(_, i int) {
			if i%100 == 99 {
				c.Value()
			} else {
				c.Add(1)
			}
		}
	}},
	{"`Map.Load`, of 512 keys", 0.001, 0.05, func(int) func(g, i int) {
		m := hashmap.New[int, int]()
		for k := range 512 {
			m.Store(k, k)
		}
		return func(_, i int) {
			for k := range loads {
				m.Load((loads*i + k) & 511)
			}
		}
	}},
	{"`Map.Store`, each of a key of its own", 0.1, 0.05, func(int) func(g, i int) {
		m := hashmap.New[int, int]()
		m.Grow(1 << 18)
		return func(g, i int) { m.Store(g, i) }
	}},
}

// loads is the number of Loads of an operation, so that each goroutine comes to each key before its
// operations are timed.
const loads = 4

// curves are the points of works that were simulated.
var curves = map[string][]fuzz.Point{}

// curve simulates a work once.
func curve(t *testing.T, name string, of shared, opts ...fuzz.Option) []fuzz.Point {
	t.Helper()
	if curves[name] == nil {
		curves[name] = fuzz.Scaling(t, of, opts...)
	}
	return curves[name]
}

func TestScaling(t *testing.T) {
	for _, w := range works {
		t.Run(strings.ReplaceAll(w.name, "`", ""), func(t *testing.T) {
			all := curve(t, w.name, w.of, fuzz.AtMost(1.2*w.atMost))
			for _, k := range []int{0, 1, 3, 6} {
				require.LessOrEqual(t, all[k].Transfers, w.atMost, "at %d goroutines", all[k].Goroutines)
			}
			require.LessOrEqual(t, all[6].NS, w.slower*all[1].NS, "the time of an operation at 64 goroutines")
		})
	}
}

// What one end of an SPSC publishes comes to the other in rows.
func TestScalingOfAnSPSC(t *testing.T) {
	fuzz.Scaling(t, func(int) func(g, i int) {
		q := queue.NewSPSC[int](128)
		return sides(q.Producer().TryEnqueue, q.Consumer().TryDequeue)
	}, fuzz.SPSC, fuzz.AtMost(1))
}

func simulated(t *testing.T, of shared, n, seed int, noted bool) explore.Timing {
	t.Helper()
	took, err := explore.Time(explore.Usual, uint64(seed), noted, explore.Load{Goroutines: n, Timed: 200, Fresh: func() func(g, i int) { return of(n) }})
	require.NoError(t, err)
	return took
}

// New keys are put into a map that grows from nothing. On one socket 64 goroutines are 23 times as
// fast as one. On two they are 15 times as fast: half of the lines come from the other one.
func TestScalingOfAMapThatGrows(t *testing.T) {
	machine(t)
	const keys = 320_000
	each := func(m explore.Machine, n int) float64 {
		took, err := explore.Time(m, 1, false, explore.Load{Goroutines: n, Timed: keys / n, Fresh: func() func(g, i int) {
			h := hashmap.New[int, int]()
			return func(g, i int) { h.Store(i*n+g, i) }
		}})
		require.NoError(t, err)
		ns := float64(took.Time) / keys
		t.Logf("%2d goroutines: %5.1f ns and %.2f transfers a key", n, ns, float64(took.Transfers)/keys)
		return ns
	}
	one := each(explore.Usual, 1)
	whole := explore.Usual
	whole.Socket = 64
	require.Less(t, each(whole, 64), one/20)
	require.Less(t, each(explore.Usual, 64), one/12)
}
