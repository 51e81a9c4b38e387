package explore_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/explore"
	"example.com/custody/internal/sched"
)

// toy is a program with a fault that so many ordered events bring out.
type toy struct {
	name  string
	depth int
	setup func(p *explore.Program, j *journal)
	fault string // is there when the journal is this, capitals left out
}

// turns are two tasks that must take turns so many times: each interruption is one event more.
func turns(p *explore.Program, j *journal, a, b string) {
	p.Go("A", func() { j.steps(a) })
	p.Go("B", func() { j.steps(b) })
}

var toys = []toy{
	{"the second task of three runs first", 1, func(p *explore.Program, j *journal) {
		p.Go("A", func() { j.steps("Aa") })
		p.Go("B", func() { j.steps("Bb") })
		p.Go("C", func() { j.steps("Cc") })
	}, "b*"},
	{"between two steps", 2, func(p *explore.Program, j *journal) { turns(p, j, "AAAaaA", "Bb") }, "aba"},
	{"in turns", 3, func(p *explore.Program, j *journal) { turns(p, j, "AAaa", "Bbb") }, "abab"},
	{"in turns, twice", 4, func(p *explore.Program, j *journal) { turns(p, j, "aaa", "bb") }, "ababa"},
	// A must be interrupted before B is, and yet go on after it.
	{"first to stop is last to go on", 3, func(p *explore.Program, j *journal) {
		begun := new(flag)
		p.Go("A", func() {
			begun.raise()
			j.add('a')
			j.steps("a")
		})
		p.Go("B", func() { begun.wait(); j.add('b'); j.steps("b") })
		p.Go("C", func() { j.steps("CCc") })
	}, "abcba"},
}

// matches compares what the journal has in small letters with the fault, of which a star at the end
// is any rest.
func (f toy) matches(j *journal) bool {
	at := 0
	for _, b := range j.done {
		if b < 'a' {
			continue
		}
		if f.fault[at] == '*' {
			return true
		}
		if f.fault[at] != b {
			return false
		}
		at++
	}
	return at == len(f.fault)
}

// hits runs the toy by PCT of a depth and returns in how many executions of how many it met the
// fault, and PCT's bound for the probability.
func (f toy) hits(t *testing.T, depth, n int, seed uint64) (hits, runs int, bound float64) {
	x, stats := explore.Find(explore.Options{Seed: seed}, func(p *explore.Program) {
		j := &journal{}
		f.setup(p, j)
		p.Judge(func() error {
			runs++
			if f.matches(j) {
				hits++
			}
			return nil
		})
	}, explore.PCT(depth, more(n)))
	require.NoError(t, errorOf(x))
	return hits, runs, 1 / (float64(stats.Tasks) * math.Pow(float64(stats.Picks), float64(depth-1)))
}

// PCT meets a fault of depth d as often as it promises, and a smaller depth does not find it, or
// only in the random walks that go first.
func TestPCTMeetsItsBound(t *testing.T) {
	if atom.Race {
		t.Skip("the detector has no part in how often a plan hits")
	}
	for _, f := range toys {
		n := 60_000
		if f.depth == 4 {
			n = 200_000
		}
		hits, runs, bound := f.hits(t, f.depth, n, 1)
		expected := bound * float64(runs)
		t.Logf("%s: depth %d, %d hits in %d executions, at least %.0f expected", f.name, f.depth, hits, runs, expected)
		require.Greater(t, expected, 36.0, "%s: too few executions to tell", f.name)
		assert.Greater(t, float64(hits), expected-5*math.Sqrt(expected), "%s", f.name)
		if f.depth > 1 {
			fewer, runs, _ := f.hits(t, f.depth-1, n, 1)
			assert.LessOrEqual(t, fewer, 20, "%s: found by PCT of depth %d, in %d of %d executions", f.name, f.depth-1, fewer, runs)
			assert.Less(t, 3*fewer, hits)
		}
	}
}

// PCTTo runs as many schedules as the bound asks for, with the size that the program has.
func TestPCTToRunsEnough(t *testing.T) {
	f := toys[2]
	x, stats := find(func(p *explore.Program) { f.setup(p, &journal{}) }, explore.PCTTo(3, 1e-3))
	require.NoError(t, errorOf(x))
	want := explore.Runs(stats.Tasks, stats.Picks, 3, 1e-3)
	require.Equal(t, int(math.Ceil(math.Log(1e3)*float64(stats.Tasks*stats.Picks*stats.Picks))), want)
	require.GreaterOrEqual(t, stats.Schedules, want)
	require.LessOrEqual(t, stats.Schedules, want+100)
	x, _ = find(func(p *explore.Program) {
		j := &journal{}
		f.setup(p, j)
		p.Judge(func() error {
			if f.matches(j) {
				return errorFound
			}
			return nil
		})
	}, explore.PCTTo(3, 1e-9))
	require.ErrorIs(t, errorOf(x), errorFound)
}

func TestRunsIsNeverNegative(t *testing.T) {
	require.Positive(t, explore.Runs(64, 20_000, 16, 1e-9))
}

// A task that yields does not run again while others can, whatever its priority; so waiting in a
// loop ends.
func TestYieldingEnds(t *testing.T) {
	for name, plan := range plans(2000) {
		if name == "exhaustive" {
			continue // too many
		}
		f, _ := explore.Find(explore.Options{Steps: 400}, func(p *explore.Program) {
			w := new(word)
			for range 3 {
				p.Go("waiter", func() {
					for w.Load() == 0 {
						sched.Yield()
					}
				})
			}
			p.Go("worker", func() {
				for range 5 {
					w.Load()
				}
				w.Store(1)
			})
		}, plan)
		require.NoError(t, errorOf(f), name)
	}
}
