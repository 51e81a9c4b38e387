package fuzz

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/explore"
	"example.com/custody/internal/phrase"
	"example.com/custody/internal/sched"
)

// Point is what an operation takes on a simulated machine with a processor for each goroutine.
type Point struct {
	Goroutines int     // goroutines, and processors
	NS         float64 // nanoseconds an operation, of all goroutines together; a median of runs
	Spread     float64 // NS of the slowest run less that of the fastest
	Transfers  float64 // cache lines that came from another processor, an operation; the most
	Accesses   float64 // operations on atomics and locks, and declared plain accesses
}

// The operations of each goroutine that are timed, after as many that are not; and the number of
// runs, which differ in their seeds.
const (
	scalingOps  = 200
	scalingRuns = 3
)

// processors are the numbers of goroutines of a curve.
func (s *settings) processors() []int {
	if s.has(SPSC) {
		return []int{1, 2}
	}
	return []int{1, 2, 4, 8, 16, 32, 64}
}

// AtMost makes [Scaling] fail if an operation takes more transfers at some number of goroutines.
// The failure names the places between which most lines go to and fro: function, file and line of
// the two accesses. A loop that tries until it succeeds may take several times as many transfers
// after a small change, so a bar needs some room.
func AtMost(transfers float64) Option {
	return option(func(s *settings) { s.transfers, s.bounded = transfers, true })
}

// Scaling runs an operation of a container on a simulated machine with 1, 2, 4 … 64 processors, as
// many as there are goroutines, and returns what it takes there. It logs the curve and the places
// with the most transfers. fresh makes what n goroutines share, and returns their operation:
// goroutine g calls it with i from 0 on. The first calls are not timed.
//
//	func TestScaling(t *testing.T) {
//		fuzz.Scaling(t, func(int) func(g, i int) {
//			s := mine.NewStack[int]()
//			return func(g, i int) {
//				s.Push(i)
//				s.Pop()
//			}
//		}, fuzz.AtMost(3))
//	}
//
// The test is skipped, except in builds with the tag custody_explore and without -race. It must not
// be parallel, nor belong to one that is. The container must take its synchronization from package
// safety/atom. What else it uses takes no time, and a wait for it hangs the test. There is room for
// 64 goroutines, with those that the container starts, also if they have ended; numbers of
// goroutines without room are left out. An operation must not wait for one that no goroutine calls.
// With the option [SPSC] there are at most two goroutines. GOMAXPROCS is 64 meanwhile.
//
// Transfers and the shape of the curve follow from the code, and vary a little with where objects
// lie. Nanoseconds are those of no machine in particular. docs/scaling.md describes the model.
func Scaling(t testing.TB, fresh func(n int) func(g, i int), opts ...Option) []Point {
	t.Helper()
	if !atom.Explored || sched.Race {
		t.Skip("fuzz: machines are simulated in builds with -tags custody_explore and without -race")
	}
	s := settingsOf(opts)
	if s.bounded && !(s.transfers >= 0) {
		t.Fatalf("fuzz: AtMost is given %g transfers, and needs 0 or more", s.transfers)
	}
	t.Setenv("CUSTODY_SIMULATED", "1") // panics in parallel tests
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(64))
	var all []Point
	for _, n := range s.processors() {
		p, err := s.point(t, fresh, n)
		if len(all) > 0 && err != nil && strings.Contains(err.Error(), sched.TooMany) {
			t.Logf("%d goroutines and more are left out, because the container starts goroutines, and there is room for %d in all", n, sched.MaxTasks)
			break
		}
		if err != nil {
			t.Fatalf("fuzz: %s on a simulated machine: %v", phrase.Amount(n, "goroutine"), err)
		}
		all = append(all, p)
	}
	t.Log(curveText(all))
	worst := slices.MaxFunc(all, func(a, b Point) int { return cmp.Compare(a.Transfers, b.Transfers) })
	if worst.Transfers > 0 {
		t.Logf("transfers an operation at %s:\n%s", phrase.Amount(worst.Goroutines, "goroutine"), s.places(fresh, worst.Goroutines))
	}
	switch {
	case worst.Accesses == 0:
		t.Error("fuzz: no operation used package safety/atom, so nothing was simulated")
	case s.bounded && worst.Transfers > s.transfers:
		t.Errorf("an operation takes %.2f transfers at %s, and may take %g", worst.Transfers, phrase.Amount(worst.Goroutines, "goroutine"), s.transfers)
	}
	return all
}

// point runs an operation with n goroutines.
func (s *settings) point(t testing.TB, fresh func(n int) func(g, i int), n int) (Point, error) {
	p := Point{Goroutines: n}
	times := make([]float64, scalingRuns)
	for seed := range times {
		took, err := s.simulated(fresh, n, seed, false)
		switch {
		case t.Failed(): // an operation called t.FailNow
			t.FailNow()
		case t.Skipped():
			t.SkipNow()
		case err != nil:
			return p, err
		}
		ops := float64(n * scalingOps * s.factor)
		times[seed] = float64(took.Time) / ops
		p.Transfers = max(p.Transfers, float64(took.Transfers)/ops)
		p.Accesses = float64(took.Accesses) / ops
	}
	slices.Sort(times)
	p.NS, p.Spread = times[len(times)/2], times[len(times)-1]-times[0]
	return p, nil
}

func (s *settings) simulated(fresh func(n int) func(g, i int), n, seed int, noted bool) (explore.Timing, error) {
	ops := scalingOps * s.factor
	return explore.Time(explore.Usual, s.seed+uint64(seed), noted,
		explore.Load{Goroutines: n, Warm: ops, Timed: ops, Fresh: func() func(g, i int) { return fresh(n) }})
}

// mostPlaces is the number of places that are shown.
const mostPlaces = 10

// places returns the places between which most lines go from one processor to another.
func (s *settings) places(fresh func(n int) func(g, i int), n int) string {
	var b strings.Builder
	took, _ := s.simulated(fresh, n, 0, true) // it has been run before
	all := took.Meetings
	for _, m := range all[:min(len(all), mostPlaces)] {
		fmt.Fprintf(&b, "%9.2f from %s to %s\n", float64(m.Transfers)/float64(n*scalingOps*s.factor), m.From, m.To)
	}
	return b.String()
}

// curveText returns a table of points, and how many times as many operations there are in the same
// time as with one goroutine, on a scale from 1/64 to 64.
func curveText(all []Point) string {
	var b strings.Builder
	b.WriteString("\ngoroutines  ns an operation  transfers  accesses  times as many  1/64  1/8    1    8   64\n")
	for _, p := range all {
		times := 1.0
		if p.NS > 0 {
			times = all[0].NS / p.NS
		}
		line := []byte("|--.--.--|--.--.--|")
		at := int(math.Round(9 + 1.5*math.Log2(times)))
		line[min(max(at, 0), len(line)-1)] = '*'
		fmt.Fprintf(&b, "%10d  %8.1f ± %-4.1f  %9.2f  %8.1f  %13.2f  %s\n", p.Goroutines, p.NS, p.Spread/2, p.Transfers, p.Accesses, times, line)
	}
	return b.String()
}
