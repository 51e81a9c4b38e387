package explore_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/internal/explore"
	"example.com/custody/internal/sched"
)

// interleavings counts, by trying, the orders of tasks with that many parts each in which a task
// that has parts left is interrupted at most bound times. last is the task that has just run.
func interleavings(parts []int, last, bound int) int {
	n, over := 0, true
	for i := range parts {
		if parts[i] == 0 {
			continue
		}
		over = false
		left := bound
		if last >= 0 && i != last && parts[last] > 0 {
			left--
		}
		if left < 0 {
			continue
		}
		parts[i]--
		n += interleavings(parts, i, left)
		parts[i]++
	}
	if over {
		return 1
	}
	return n
}

// shapes are numbers of steps of each task. A task has one part more than steps: what it does
// before the first.
var shapes = [][]int{{1, 1}, {2, 2}, {1, 1, 1}, {3, 2}, {2, 1, 1}, {2, 2, 2}, {4, 3, 1}, {1, 1, 1, 1}}

func TestExhaustiveRunsEverySchedule(t *testing.T) {
	for _, steps := range shapes {
		parts := make([]int, len(steps))
		for _, bound := range []int{0, 1, 2, 3, 100} {
			for i := range parts {
				parts[i] = steps[i] + 1
			}
			want := interleavings(parts, -1, bound)
			if want > more(20_000) {
				continue
			}
			ran := 0
			seen := map[string]bool{}
			f, stats := find(func(p *explore.Program) {
				j := &journal{}
				for i, n := range steps {
					p.Go("", func() {
						j.add(byte('A' + i)) // the part before the first step
						for range n {
							j.steps(string(rune('a' + i)))
						}
					})
				}
				p.Judge(func() error { ran++; seen[string(j.done)] = true; return nil })
			}, explore.Exhaustive(bound, 1_000_000))
			require.NoError(t, errorOf(f))
			assert.Len(t, seen, want, "%v, %d interruptions", steps, bound)
			assert.Equal(t, want, stats.Schedules-1, "%v, %d interruptions: each once, and one to begin with", steps, bound)
		}
	}
}

// The counts that can be found by hand: with tasks of two parts C(4,2) and 6!/(2!2!2!), and the
// orders of the tasks where no task is interrupted.
func TestCountsByHand(t *testing.T) {
	require.Equal(t, 6, interleavings([]int{2, 2}, -1, 9))
	require.Equal(t, 90, interleavings([]int{2, 2, 2}, -1, 9))
	require.Equal(t, 2, interleavings([]int{2, 2}, -1, 0))
	require.Equal(t, 6, interleavings([]int{2, 2, 2}, -1, 0))
	require.Equal(t, 4, interleavings([]int{2, 2}, -1, 1)) // aabb bbaa abba baab
}

// A search that would take longer than it may is an error.
func TestExhaustiveIsNeverLess(t *testing.T) {
	setup := func(p *explore.Program) {
		j := &journal{}
		p.Go("", func() { j.steps("aaaa") })
		p.Go("", func() { j.steps("bbbb") })
	}
	f, _ := find(setup, explore.Exhaustive(9, 100))
	require.ErrorContains(t, errorOf(f), "the search is not over after 100 schedules")
	want := interleavings([]int{5, 5}, -1, 9)
	f, _ = find(setup, explore.Exhaustive(9, want))
	require.NoError(t, errorOf(f), "exactly enough")
}

// CUSTODY_SEARCH bounds searches, which are none any longer: random schedules come after them, and
// find what the part left out.
func TestSearchesAreBounded(t *testing.T) {
	setup := func(p *explore.Program) {
		j := &journal{}
		p.Go("", func() { j.steps("aaaa") })
		p.Go("", func() { j.steps("bbbb") })
	}
	all := interleavings([]int{5, 5}, -1, 9)
	for most, want := range map[int]int{1: 2, 50: 100, all - 1: 2 * (all - 1), all: all, all + 1: all} {
		t.Setenv("CUSTODY_SEARCH", fmt.Sprint(most))
		f, stats := find(setup, explore.Exhaustive(9, 1000))
		require.NoError(t, errorOf(f))
		require.Equal(t, want, stats.Schedules-1, most)
	}
	t.Setenv("CUSTODY_SEARCH", "100")
	f, _ := find(setup, explore.Exhaustive(9, 100))
	require.ErrorContains(t, errorOf(f), "the search is not over after 100 schedules", "by its own bound")
	t.Setenv("CUSTODY_SEARCH", "10")
	f, stats := find(func(p *explore.Program) { // the fault is at the start, and the search begins with the end
		w, j := new(word), &journal{}
		for range 2 {
			p.Go("", func() {
				w.Store(w.Load() + 1)
				j.steps("aaaaaaaaaaaaaaaaaaaa")
			})
		}
		p.Judge(func() error {
			if w.v.Load() != 2 {
				return errorFound
			}
			return nil
		})
	}, explore.Exhaustive(1, 1000))
	require.ErrorContains(t, errorOf(f), "random walk")
	require.Contains(t, f.Again, "walk,")
	require.Greater(t, stats.Schedules, 11)
	for _, text := range []string{"0", "-1", "x", "1.5"} {
		t.Setenv("CUSTODY_SEARCH", text)
		require.Panics(t, func() { find(setup, explore.Exhaustive(9, 100)) }, "%q", text)
	}
}

// A bound below 0 makes no sense, and a search of no schedules proves nothing.
func TestExhaustiveWithoutSense(t *testing.T) {
	require.PanicsWithValue(t, "explore: the bound is -1 interruptions, which is below 0", func() { explore.Exhaustive(-1, 100) })
	require.PanicsWithValue(t, "explore: a plan of 0 schedules", func() { explore.Exhaustive(2, 0) })
}

// Two tasks that yield while they wait for a third do not yield to each other for ever.
func TestExhaustiveIsFair(t *testing.T) {
	ends := map[string]bool{}
	f, _ := explore.Find(explore.Options{Steps: 200}, func(p *explore.Program) {
		j := &journal{}
		w := new(word)
		for i := range 2 {
			p.Go(fmt.Sprint("waiter ", i), func() {
				for w.Load() == 0 {
					sched.Yield()
				}
				j.steps(string(rune('a' + i)))
			})
		}
		p.Go("worker", func() { w.Store(1); j.steps("w") })
		p.Judge(func() error { ends[string(j.done)] = true; return nil })
	}, explore.Exhaustive(2, 50_000))
	require.NoError(t, errorOf(f))
	require.Len(t, ends, 6, "all orders of the three ends are among the schedules")
}
