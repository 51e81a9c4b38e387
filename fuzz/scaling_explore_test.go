//go:build custody_explore && !race

package fuzz_test

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/counter"
	"example.com/custody/hashmap"
	"example.com/custody/internal/explore"
	"example.com/custody/queue"
)

// The operations of each goroutine that are timed, after as many that are not, and the number of
// runs, which differ in their seeds.
const (
	scalingOps  = 200
	scalingRuns = 3
)

// shared makes what n goroutines share, and returns their operation: goroutine g calls it with i
// from 0 on.
type shared func(n int) func(g, i int)

// point is what operations take on a simulated machine with a processor for each goroutine.
type point struct {
	goroutines int
	ns         float64 // an operation, of all goroutines together: the median of the runs
	spread     float64 // the slowest run less the fastest
	transfers  float64 // an operation, the most of the runs
	accesses   float64 // an operation
}

// machine makes the containers of a test as many counts and stripes as those of a machine with 64
// processors.
func machine(t *testing.T) {
	before := runtime.GOMAXPROCS(64)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}

// curve returns a point for each number of goroutines.
func curve(t *testing.T, of shared, goroutines ...int) (all []point) {
	t.Helper()
	for _, n := range goroutines {
		p := point{goroutines: n}
		times := make([]float64, scalingRuns)
		for seed := range times {
			took := simulated(t, of, n, seed, false)
			ops := float64(n * scalingOps)
			times[seed] = float64(took.Time) / ops
			p.transfers = max(p.transfers, float64(took.Transfers)/ops)
			p.accesses = float64(took.Accesses) / ops
		}
		slices.Sort(times)
		p.ns, p.spread = times[len(times)/2], times[len(times)-1]-times[0]
		all = append(all, p)
		t.Logf("%2d goroutines: %6.1f ± %-5.1f ns, %5.2f transfers and %4.1f accesses an operation", n, p.ns, p.spread/2, p.transfers, p.accesses)
	}
	return all
}

func simulated(t *testing.T, of shared, n, seed int, noted bool) explore.Timing {
	t.Helper()
	took, err := explore.Time(explore.Usual, uint64(seed), noted,
		explore.Load{Goroutines: n, Warm: scalingOps, Timed: scalingOps, Fresh: func() func(g, i int) { return of(n) }})
	require.NoError(t, err)
	return took
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

// works are operations on containers, and how many transfers one may take at 1 to 64 goroutines.
var works = []struct {
	name   string
	atMost float64
	of     shared
}{
	{"`Ring`: a put and a take", 3, func(int) func(g, i int) {
		r := queue.NewRing[int](128)
		return func(g, _ int) {
			r.TryEnqueue(g)
			r.TryDequeue()
		}
	}},
	{"`Ring`: half put, half take", 1.5, func(int) func(g, i int) {
		r := queue.NewRing[int](128)
		return sides(r.TryEnqueue, r.TryDequeue)
	}},
	{"`Queue`: a put and a take", 4, func(int) func(g, i int) {
		q := queue.New[int]()
		return func(g, _ int) {
			q.Enqueue(g)
			q.TryDequeue()
		}
	}},
	{"`Queue`: half put, half take", 2.5, func(int) func(g, i int) {
		q := queue.New[int]()
		return sides(q.Enqueue, q.TryDequeue)
	}},
	{"`Counter.Add`", 0.001, func(int) func(g, i int) {
		c := counter.New()
		return func(int, int) { c.Add(1) }
	}},
	{"`Counter.Add`, one in 100 is `Value`", 1, func(int) func(g, i int) {
		c := counter.New()
		return func(_, i int) {
			if i%100 == 99 {
				c.Value()
			} else {
				c.Add(1)
			}
		}
	}},
	{"`Map.Load`, of 512 keys", 0.001, func(int) func(g, i int) {
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
	{"`Map.Store`, each of a key of its own", 0.1, func(int) func(g, i int) {
		m := hashmap.New[int, int]()
		m.Grow(1 << 18)
		return func(g, i int) { m.Store(g, i) }
	}},
}

// loads is the number of Loads of an operation, so that each goroutine comes to each key before its
// operations are timed.
const loads = 4

// processors are the numbers of goroutines of a curve.
var processors = []int{1, 2, 4, 8, 16, 32, 64}

func TestScaling(t *testing.T) {
	machine(t)
	for _, w := range works {
		t.Run(strings.ReplaceAll(w.name, "`", ""), func(t *testing.T) {
			all := curve(t, w.of, processors...)
			worst := slices.MaxFunc(all, func(a, b point) int { return cmp.Compare(a.transfers, b.transfers) })
			if worst.transfers > w.atMost {
				t.Errorf("an operation takes %.2f transfers at %d goroutines, and may take %g:\n%s", worst.transfers, worst.goroutines, w.atMost, meetings(t, w.of, worst.goroutines))
			}
			two, last := all[1].ns, all[len(all)-1].ns
			require.LessOrEqual(t, last, 4*two, "the time of an operation at 64 goroutines")
			if w.atMost < 0.2 {
				require.LessOrEqual(t, last, two/20)
			}
		})
	}
}

// meetings returns the places between which most lines go from one processor to another, with the
// number of transfers an operation.
func meetings(t *testing.T, of shared, n int) string {
	t.Helper()
	var b strings.Builder
	all := simulated(t, of, n, 0, true).Meetings
	for _, m := range all[:min(len(all), 10)] {
		fmt.Fprintf(&b, "%9.2f from %s to %s\n", float64(m.Transfers)/float64(n*scalingOps), m.From, m.To)
	}
	return b.String()
}

// What one end of an SPSC publishes comes to the other in rows.
func TestScalingOfAnSPSC(t *testing.T) {
	all := curve(t, func(int) func(g, i int) {
		q := queue.NewSPSC[int](128)
		in, out := q.Producer(), q.Consumer()
		return func(g, _ int) {
			if g == 0 {
				in.TryEnqueue(g)
			} else {
				out.TryDequeue()
			}
		}
	}, 2)
	require.LessOrEqual(t, all[0].transfers, 1.0)
}

// New keys are put into a map that grows from nothing. With one socket 64 goroutines are 17 to 20
// times as fast as one; the bar is 20. With two, half of the lines come from the other socket.
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
	require.Less(t, each(whole, 64), one/12)
	require.Less(t, each(explore.Usual, 64), one/7)
}
