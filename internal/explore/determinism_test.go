package explore_test

import (
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/explore"
	"example.com/custody/internal/sched"
)

// orders returns what the tasks did in each of the plan's executions.
func orders(t *testing.T, seed uint64, plan explore.Plan) (all []string) {
	f, _ := explore.Find(explore.Options{Seed: seed}, func(p *explore.Program) {
		j := &journal{}
		for _, letters := range []string{"aaaaaa", "bbbbbb", "cccccc"} {
			p.Go("", func() { j.steps(letters) })
		}
		p.Judge(func() error { all = append(all, string(j.done)); return nil })
	}, plan)
	require.NoError(t, errorOf(f))
	return all
}

// The same seed gives the same executions, one after the other, and another seed others.
func TestSeedsDecide(t *testing.T) {
	for name, plan := range map[string]explore.Plan{"random": explore.Random(2000), "pct": explore.PCT(3, 2000)} {
		one, again, other := orders(t, 7, plan), orders(t, 7, plan), orders(t, 8, plan)
		require.Equal(t, one, again, name)
		require.Len(t, other, len(one))
		same := 0
		for i := range one {
			if one[i] == other[i] {
				same++
			}
		}
		require.Less(t, same, len(one)/2, name)
	}
	walks := orders(t, 7, explore.Random(more(500)))
	slices.Sort(walks)
	n := len(walks)
	require.Greater(t, len(slices.Compact(walks)), n*4/5, "a walk hardly ever goes the same way twice")
}

// calls makes a program that behaves differently each time, by what it does in its n-th execution.
func calls(body func(n int, j *journal)) func(*explore.Program) {
	n := 0
	return func(p *explore.Program) {
		n++
		j := &journal{}
		for range 2 {
			p.Go("", func() { body(n, j) })
		}
	}
}

// A program that goes another way when it is repeated by its trace is reported: when it takes more
// steps, and when it takes as many, of another kind.
func TestProgramsThatAreNotDeterministicAreNoticed(t *testing.T) {
	programs := map[string]func(n int, j *journal){
		"more steps": func(n int, j *journal) {
			for range n % 7 {
				j.steps("x")
			}
		},
		"other steps": func(n int, _ *journal) {
			sched.Point(sched.Kind(1+n%7), nil)
		},
	}
	for name, body := range programs {
		for of, plan := range plans(100) {
			f, _ := find(calls(body), plan)
			require.NotNil(t, f, "%s, %s", name, of)
			require.Equal(t, sched.Varied, f.Failure.Kind, "%s, %s", name, of)
			require.Regexp(t, "another way each time; step [0-9]+ is once: .+, and once: .+", f.Failure.Text)
			require.Less(t, f.Schedule, 50)
		}
	}
}

// What happens once in the life of a process, and what happens in the first executions only, is not
// taken for that.
func TestWhatIsMadeOnceIsNotTakenForChance(t *testing.T) {
	for _, plan := range plans(100) {
		f, _ := find(calls(func(n int, j *journal) {
			if n == 1 {
				j.steps("once")
			}
			j.steps("ab")
		}), plan)
		require.NoError(t, errorOf(f))
	}
}

// What goroutines of earlier tests do to the first three repetitions is not taken for that either.
func TestRepetitionsThatPartAreTriedOnceMore(t *testing.T) {
	var last atomic.Int64
	f, _ := find(calls(func(n int, j *journal) {
		last.Store(int64(n))
		if 3 <= n && n <= 5 { // the second execution is the one that is repeated
			j.steps("xxxxx"[:n])
		}
		j.steps("ab")
	}), explore.Random(more(100)))
	require.NoError(t, errorOf(f))
	require.Greater(t, last.Load(), int64(7), "two more repetitions, and what follows")
}

// A search notices when what it picked before cannot be picked again, even where no execution is
// sampled.
func TestExhaustiveNoticesWhatVaries(t *testing.T) {
	f, _ := find(calls(func(n int, j *journal) {
		j.steps("abcd") // 252 schedules
		if n > 100 {
			j.steps("cccccc"[:n%5])
		}
	}), explore.Exhaustive(9, 100_000))
	require.NotNil(t, f)
	require.Equal(t, sched.Varied, f.Failure.Kind)
	require.Less(t, f.Schedule, 150)
}

// Each execution has a number of its own, so that what a program keeps from one is told from what
// it has made in another.
func TestExecutionsAreTold(t *testing.T) {
	seen := map[int]bool{}
	f, _ := explore.Find(explore.Options{}, func(p *explore.Program) {
		n := sched.Execution()
		again := 0
		p.Go("", func() { again = sched.Execution() })
		p.Judge(func() error {
			require.Positive(t, n)
			require.Equal(t, n, again)
			require.False(t, seen[n])
			seen[n] = true
			return nil
		})
	}, explore.Random(50))
	require.NoError(t, errorOf(f))
	require.Greater(t, len(seen), 1)
	require.Zero(t, sched.Execution(), "outside executions")
}
