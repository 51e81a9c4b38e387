package table_test

import (
	"runtime"
	"slices"
	"testing"
	"weak"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/handout"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
	"example.com/custody/table"
)

// errands stages additions and removals in an order that depends on the index, and in some batches
// runs a nested loop between them.
func errands(ids []table.ID) func(s *table.Stager[body], i int) {
	return func(s *table.Stager[body], i int) {
		for k := range i % 4 {
			s.Add(body{Pos: 1000*i + k})
		}
		if i%3 == 0 {
			s.Remove(ids[i%len(ids)])
			s.Remove(table.ID{})
		}
		if i%5 == 0 {
			for range 2 {
				parallelfor.For(3, *s, func(s *table.Stager[body], k int) {
					s.Add(body{Pos: 1000*i + 100 + k})
					if k == 1 {
						s.Remove(table.ID{})
						s.Add(body{Pos: 1000*i + 200})
					}
				}, parallelfor.Batch(1), parallelfor.Workers(2))
			}
		}
		s.Add(body{Pos: 1000*i + 300})
	}
}

// The rows and the problems that loops leave are those of the sequential loop, also for two loops
// before one Apply, for nested loops, and up to the failure of a loop that fails.
func TestWhatLoopsStageIsThatOfTheSequentialLoop(t *testing.T) {
	for _, fail := range []int{-1, 10, 17, 59} {
		var want []int
		var problems []error
		for workers := range 4 {
			b := newBodies(4)
			ids := make([]table.ID, 4)
			for i := range ids {
				ids[i] = b.t.ID(i)
			}
			do := errands(ids)
			body := func(s *table.Stager[body], i int) {
				do(s, i)
				if i == fail {
					panic(errBody)
				}
			}
			opts := []parallelfor.Option{parallelfor.Batch(2), parallelfor.Workers(max(workers, 1))}
			if workers == 0 {
				opts = append(opts, parallelfor.Sequential())
			}
			stop := handout.Force(uint64(workers))
			failed := caughtPanic(func() { parallelfor.For(60, b.t.Stager(), body, opts...) })
			require.Equal(t, fail >= 0, failed != nil)
			parallelfor.For(7, b.t.Stager(), do, opts...)
			stop()
			r := b.t.Apply()
			var told []error
			for _, p := range r.Problems {
				told = append(told, p.Err)
			}
			if workers == 0 {
				want, problems = slices.Clone(b.pos.Slice()), told
				last := fail
				if fail < 0 {
					last = 59
				}
				require.Contains(t, want, 1000*last+300, "what the batch that fails has staged before it does")
				require.NotContains(t, want, 1000*(last+1)+300)
			}
			require.Equal(t, want, b.pos.Slice(), "%d workers, %d fails", workers, fail)
			require.Equal(t, problems, told, "%d workers, %d fails", workers, fail)
		}
	}
}

// A table keeps what a loop has staged until Apply, and no longer. Requests behind a failure are
// not kept, whether or not there is an Apply.
func TestRowsThatLoopsStageAreNotKept(t *testing.T) {
	tab := table.New[keeper]()
	stage := func(fail bool) (all []weak.Pointer[[64]int]) {
		for range 6 {
			all = append(all, weak.Pointer[[64]int]{})
		}
		_ = caughtPanic(func() {
			parallelfor.For(6, tab.Stager(), func(s *table.Stager[keeper], i int) {
				p := new([64]int)
				all[i] = weak.Make(p)
				if fail && i == 0 {
					panic(errBody)
				}
				s.Add(keeper{p})
			}, parallelfor.Batch(1), parallelfor.Workers(2))
		})
		return all
	}
	alive := func(all []weak.Pointer[[64]int]) (n int) {
		for range 3 {
			runtime.GC()
		}
		for _, w := range all {
			if w != (weak.Pointer[[64]int]{}) && w.Value() != nil {
				n++
			}
		}
		return n
	}
	lost := stage(true)
	require.Zero(t, alive(lost))
	kept := stage(false)
	require.Equal(t, 6, alive(kept))
	require.Equal(t, 6, tab.Apply().Added)
	tab.Apply()
	require.Zero(t, alive(kept), "the table has no column of them")
	late := stage(false)
	tab.Dispose()
	require.Zero(t, alive(late))
	runtime.KeepAlive(tab)
}

// Loops that stage, and their Applies, allocate nothing after the first.
func TestLoopsThatStageAllocateNothing(t *testing.T) {
	if safety.Strict || atom.Explored || atom.Race {
		t.Skip("jobs are made anew in this build")
	}
	b := newBodies(3000)
	inner := func(s *table.Stager[body], _ int) {
		s.Add(body{Pos: 8})
		s.Remove(table.ID{})
	}
	frame := func() {
		parallelfor.For(2000, b.t.Stager(), func(s *table.Stager[body], i int) {
			s.Add(body{Pos: 7})
			s.Remove(table.ID{})
			if i%1000 == 0 {
				parallelfor.For(3, *s, inner, parallelfor.Workers(1))
			}
		}, parallelfor.Workers(1))
		b.t.Sweep(func(row int) bool { return b.pos.At(row) != 7 && b.pos.At(row) != 8 })
		b.t.Apply()
	}
	for range 4 {
		frame()
	}
	require.LessOrEqual(t, testing.AllocsPerRun(20, frame), 2.0, "the predicate, and the body that has it")
}
