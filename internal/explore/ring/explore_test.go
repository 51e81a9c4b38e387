//go:build custody_explore

package ring_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/explore"
	"example.com/custody/internal/explore/ring"
	"example.com/custody/internal/sched"
)

// The ring without a fault stands a million schedules, a tenth of that in race builds.
func TestExploreRing(t *testing.T) {
	for _, s := range ring.Scenarios {
		t.Run(s.Name, func(t *testing.T) {
			explore.Run(t, explore.Options{}, s.Program(ring.None), explore.PCT(2, 40_000), explore.PCT(3, 45_000), explore.Random(40_000))
		})
	}
}

// All schedules with at most two interruptions are some thousands for each scenario.
func TestExploreRingInAllSchedules(t *testing.T) {
	for _, s := range ring.Scenarios {
		t.Run(s.Name, func(t *testing.T) {
			explore.Run(t, explore.Options{}, s.Program(ring.None), explore.Exhaustive(2, 100_000))
		})
	}
}

// raceOnly are the faults that only the race detector sees: no schedule gives another result,
// because plain accesses are no scheduling points.
var raceOnly = map[ring.Fault]bool{
	ring.PublishBeforeWrite: true,
	ring.ReleaseBeforeRead:  true,
	ring.ClearAfterRelease:  true,
	ring.ReadBeforeClaim:    true,
}

// races are the other faults that the race detector sees.
var races = map[ring.Fault]bool{
	ring.EmptyByCounters: true,
	ring.FullByCounters:  true,
}

// find looks for a fault with all strategies by turns, in all scenarios, with as many schedules as
// take a second or two. It returns where it was found.
func find(f ring.Fault) string {
	tried := 0
	rounds := []int{100, 1000, 10_000} // by turns, so that what one finds fast another does not delay
	if raceOnly[f] || f == ring.None {
		rounds = rounds[:2]
	}
	for _, n := range rounds {
		for _, s := range ring.Scenarios {
			for _, p := range []explore.Plan{explore.PCT(2, n), explore.PCT(3, n), explore.Random(n)} {
				x, stats := explore.Find(explore.Options{Steps: 2000, Seed: uint64(n)}, s.Program(f), p)
				tried += stats.Schedules
				if x != nil {
					return fmt.Sprintf("%v by %v, schedule %d, %d in all, in %q", x.Failure.Kind, x.Plan, x.Schedule, tried, s.Name)
				}
			}
		}
	}
	return ""
}

const childOf = "CUSTODY_RING_CHILD"

// Every fault is found.
func TestEveryFaultIsFound(t *testing.T) {
	if os.Getenv(childOf) != "" {
		for f := range ring.Faults {
			fmt.Printf("fault %v: %s\n", f, find(f))
		}
		return
	}
	if !sched.Race {
		for f := ring.None + 1; f < ring.Faults; f++ {
			where := find(f)
			t.Logf("%v: %s", f, where)
			require.Equal(t, raceOnly[f], where == "", "%v: %s", f, where)
		}
		return
	}
	// What the race detector reports fails the process.
	c := exec.Command(os.Args[0], "-test.run=^TestEveryFaultIsFound$", "-test.v")
	c.Env = append(os.Environ(), childOf+"=1", "CUSTODY_EXPLORE=1", "GORACE=suppress_equal_stacks=0 atexit_sleep_ms=0")
	out, err := c.CombinedOutput()
	require.Error(t, err, "nothing was reported")
	for f := range ring.Faults {
		_, where, ok := strings.Cut(string(out), fmt.Sprintf("fault %v: ", f))
		require.True(t, ok, "%v was not looked for:\n%s", f, out)
		where, _, _ = strings.Cut(where, "\n")
		t.Logf("%v: %s", f, where)
		require.Equal(t, f == ring.None, where == "", "%v: %s", f, where)
		if raceOnly[f] || races[f] {
			require.Contains(t, where, "data race", "%v", f)
		}
	}
}
