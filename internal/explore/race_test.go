//go:build race

package explore_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/explore"
	"example.com/custody/internal/sched"
)

// racy are programs with a data race that every schedule has.
var racy = map[string]func(*explore.Program){
	"two writes": func(p *explore.Program) {
		n := 0
		for range 2 {
			p.Go("writes", func() { n++ })
		}
	},
	"between steps": func(p *explore.Program) {
		n := 0
		for range 3 {
			p.Go("writes", func() {
				sched.Point(sched.OpLoad, nil)
				n++
				sched.Point(sched.OpLoad, nil)
			})
		}
	},
	// The scheduler waits for the flag, the program does not synchronise.
	"after a wait": func(p *explore.Program) {
		n, f := 0, new(flag)
		p.Go("writes", func() { n = 1; f.raise() })
		p.Go("reads", func() { f.wait(); _ = fmt.Sprint(n) })
	},
	"with a task that was started before": func(p *explore.Program) {
		n := 0
		p.Go("starts", func() {
			sched.Go(func() { n++ })
			n++
		})
	},
	"with one that Then started": func(p *explore.Program) {
		n := 0
		p.Go("", func() { n++ })
		p.Then(func() {
			sched.Go(func() { n++ })
			n++
		})
	},
}

const visible = "CUSTODY_EXPLORE_VISIBLE"

// The detector reports a race in one of the first schedules, and the explorer says in which. With a
// hand-over that the detector sees, it reports nothing: so this test would fail if the hiding were
// lost.
func TestRacesAreReported(t *testing.T) {
	if inChild(t) {
		sched.Visible = os.Getenv(visible) != ""
		for name, setup := range racy {
			f, _ := find(setup, explore.Random(more(200)), explore.PCT(3, more(200)))
			fmt.Printf("%s: %v.\n", name, errorOf(f))
		}
		return
	}
	out := child(t, visible+"=")
	require.Contains(t, out, "WARNING: DATA RACE")
	require.Contains(t, out, "--- FAIL")
	for name := range racy {
		require.Contains(t, out, name+": schedule 1, replay: data race: the detector's report stands above.", "%s", out)
	}
	out = child(t, visible+"=1")
	require.NotContains(t, out, "WARNING: DATA RACE")
	require.Contains(t, out, "--- PASS")
	for name := range racy {
		require.Contains(t, out, name+": <nil>.")
	}
}

// What happens before an execution happens before its tasks, what tasks do before what comes after
// them, and what comes before Go before the task.
func TestOrdersOfAnExecution(t *testing.T) {
	n, all := 0, 0
	f, stats := find(func(p *explore.Program) {
		before, after := 1, 0
		n++
		p.Go("reads", func() { all += before + n })
		p.Go("reads too", func() {
			child := before
			sched.Go(func() { child++ })
			after = before
		})
		before = 2
		p.Then(func() { after += before; all-- })
		p.Judge(func() error {
			if n++; after != 4 {
				return errorFound
			}
			return nil
		})
	}, explore.Random(more(500)))
	require.NoError(t, errorOf(f))
	require.Greater(t, stats.Schedules, 500)
}

// A race report names the schedule, and its trace is kept.
func TestARaceIsATestsFailure(t *testing.T) {
	if inChild(t) {
		explore.Run(t, explore.Options{}, racy["after a wait"], explore.Random(10))
		return
	}
	out := child(t)
	require.Contains(t, out, "again: CUSTODY_REPLAY=trace,")
	require.Contains(t, out, "data race: the detector's report stands above")
	require.Regexp(t, `1 +writes +Unpark`, out)
}
