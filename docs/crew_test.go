package docs_test

import (
	"flag"
	"fmt"
	"math"
	"os"
	"sort"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/parallelfor"
)

var update = flag.Bool("update", false, "write the tables of the essays anew")

// crew is a simulation of how workers come to a loop, share it and leave, on a machine with many
// processors. Times are in nanoseconds.
type crew struct {
	line    float64 // a cache line from one processor to another
	wake    float64 // what waking a worker takes of the goroutine that wakes it
	arrival float64 // and how much later it begins
	fan     int     // how many others each wakes or asks
	crowd   bool    // no more are called than shorten the loop
	asleep  bool    // the workers sleep; otherwise they spin
}

// perWorker is what a worker costs the others, in lines: getting its span, joining, leaving, and
// the looks into its span at the end.
const perWorker = 4

// takes returns how long a loop takes whose work is so long, with at most so many workers.
func (c crew) takes(work float64, workers int) float64 {
	if workers > 1 && c.crowd {
		workers = min(workers, max(int(math.Sqrt(work/(perWorker*c.line))), 2))
	}
	if workers == 1 || c.asleep && work < c.wake+c.arrival { // no worker is woken
		return work
	}
	ask, comes := 2*c.line, c.line // an offer is a look at a line and a change to it; the other one has to see it
	if c.asleep {
		ask, comes = c.wake, c.arrival
	}
	// starts are when each begins to work; the state word, on which all join, lets them in one by
	// one.
	starts := []float64{float64(workers) * c.line} // the caller assigns the spans first
	due := []float64{}
	asked := 1
	free := 0.0 // when the state word is
	calls := func(at float64) float64 {
		for k := 0; k < c.fan && asked < workers; k++ {
			at += ask
			due = append(due, at+comes)
			asked++
		}
		return at
	}
	starts[0] = calls(starts[0])
	done := func() float64 { // when the workers that have started have done the work
		sort.Float64s(starts)
		left, at := work, 0.0
		for k, s := range starts {
			if k > 0 {
				if step := (s - at) * float64(k); step < left {
					left -= step
				} else {
					return at + left/float64(k)
				}
			}
			at = s
		}
		return at + left/float64(len(starts))
	}
	for len(due) > 0 {
		sort.Float64s(due)
		at := due[0]
		due = due[1:]
		if at > done() {
			break // the work is over
		}
		at = max(at, free) + c.line
		free = at
		starts = append(starts, calls(at+c.line)) // its span's line comes to it
	}
	k := float64(len(starts))
	return done() + k*c.line + k*c.line // all look into all spans, side by side; then they leave one by one
}

var (
	loops = []float64{17, 170, 1700, 17_000}
	crews = []int{2, 4, 8, 16, 32, 128}
)

// table is how many times faster than one worker so many are.
func (c crew) table() string {
	var b strings.Builder
	b.WriteString("| work |")
	for _, n := range crews {
		fmt.Fprintf(&b, " %d |", n)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(crews)) + "\n")
	for _, us := range loops {
		fmt.Fprintf(&b, "| %g µs |", us)
		for _, n := range crews {
			fmt.Fprintf(&b, " %.1f |", 1000*us/c.takes(1000*us, n))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// TestTheTablesOfCrews: the tables in scheduler.md are what the simulation says.
func TestTheTablesOfCrews(t *testing.T) {
	spinning := crew{line: 60, wake: 3000, arrival: 50_000, fan: 4, crowd: true}
	sleeping := spinning
	sleeping.asleep = true
	text, err := os.ReadFile("scheduler.md")
	require.NoError(t, err)
	s := string(text)
	for name, c := range map[string]crew{"spinning": spinning, "sleeping": sleeping} {
		begin, end := "<!-- workers: "+name+" -->\n", "<!-- end -->"
		_, rest, ok := strings.Cut(s, begin)
		require.True(t, ok, "no table %q", name)
		old, _, ok := strings.Cut(rest, end)
		require.True(t, ok)
		if *update {
			s = strings.Replace(s, begin+old+end, begin+c.table()+end, 1)
			continue
		}
		require.Equal(t, c.table(), old, "%s: go test ./docs -update", name)
	}
	if *update {
		require.NoError(t, os.WriteFile("scheduler.md", []byte(s), 0o644))
	}
}

// A loop that is cut automatically has a batch for each of 64 workers, however few its indices are,
// so that each works on 1/64 of it. 1024 indices take 1.7 µs each.
func TestTheAutomaticBatchFeedsManyWorkers(t *testing.T) {
	var counted atomic.Int32
	parallelfor.Ranges(1024, func(begin, end int) { counted.Add(1) })
	batches := int(counted.Load())
	const work = 1024 * 1700
	c := crew{line: 60, wake: 3000, arrival: 50_000, fan: 4, crowd: true}
	for workers, least := range map[int]float64{16: 14, 32: 26, 64: 40} {
		require.Zero(t, batches%workers)
		require.GreaterOrEqual(t, work/c.takes(work, workers), least, "%d workers", workers)
	}
}

// What the text says of the tables.
func TestCrewsGrowAsTheTextSays(t *testing.T) {
	c := crew{line: 60, wake: 3000, arrival: 50_000, fan: 4, crowd: true}
	for _, us := range loops {
		for i, n := range crews[1:] {
			require.LessOrEqual(t, c.takes(1000*us, n), 1.001*c.takes(1000*us, crews[i]), "more workers never cost: %g us, %d", us, n)
		}
	}
	all := c
	all.crowd = false
	require.Greater(t, all.takes(170_000, 128), all.takes(170_000, 16), "calling all workers for little work")
	wakesAll := c
	wakesAll.asleep, wakesAll.fan = true, math.MaxInt
	c.asleep = true
	require.Less(t, c.takes(17_000_000, 128), wakesAll.takes(17_000_000, 128), "waking in turn")
	c.fan = 8
	require.Greater(t, c.takes(17_000_000, 128), 0.85*crew{line: 60, wake: 3000, arrival: 50_000, fan: 4, crowd: true, asleep: true}.takes(17_000_000, 128))
}
