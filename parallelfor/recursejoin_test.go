package parallelfor_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/handout"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// While it waits for a half, a worker runs only parts of that half.
func TestJoinRunsOnlyPartsOfWhatItWaitsFor(t *testing.T) {
	watchdog(t)
	const depth, workers = 7, 4
	opts := onCrew(t)
	defer handout.Force(1)()
	waited := 0
	for range rounds(100) {
		var running [workers][]int // by worker, the nodes n in whose bodies it is
		var wrong, within atomic.Int32
		body := func(f *parallelfor.Forks[int, int], n int) int {
			all := &running[parallelfor.Seat(f)]
			if k := len(*all); !parallelfor.Raced { // else all halves have Seat 0
				if k > 0 {
					waits, over := (*all)[k-1], n
					for over > waits {
						over /= 2
					}
					if over != waits {
						wrong.Add(1)
					}
					if n > 2*waits+1 {
						within.Add(1) // a part further down, while it waited
					}
				}
				*all = append(*all, n)
				defer func() { *all = (*all)[:k] }()
			}
			if n >= 1<<depth {
				return spend(n, 3000*(n%7)) & 1
			}
			l, r := f.Join(2*n, 2*n+1)
			return l + r
		}
		parallelfor.Recurse(body, 1, opts...)
		require.Zero(t, wrong.Load())
		if within.Load() > 0 {
			waited++
		}
	}
	if !parallelfor.Raced && !testing.Short() {
		require.Positive(t, waited)
	}
}

// A worker gives nothing to one that waits for a part unless it runs something within that part.
func TestJoinRunsOnlyPartsWithin(t *testing.T) {
	require.True(t, parallelfor.Asks(true))
	require.False(t, parallelfor.Asks(false))
}

// A half may hold a lock across a Join whose halves do not take it, as in the sequential recursion.
func TestAHalfHoldsALockAcrossAJoin(t *testing.T) {
	watchdog(t)
	const depth, locks = 6, 3
	opts := onCrew(t)
	for range rounds(100) {
		var mu sync.Mutex
		sum := 0
		body := func(f *parallelfor.Forks[int, int], level int) int {
			switch {
			case level == depth:
				if spend(level, 2000) == -1 {
					return 0
				}
				return 1
			case level < locks:
				mu.Lock()
				sum++
				mu.Unlock()
			case level == locks:
				mu.Lock()
				defer mu.Unlock()
				sum++
			}
			l, r := f.Join(level+1, level+1)
			return l + r
		}
		require.Equal(t, 1<<depth, parallelfor.Recurse(body, 0, opts...))
		require.Equal(t, 1<<(locks+1)-1, sum)
	}
}

// Halves schedule jobs and complete them. One that is left uncompleted is a violation of the batch
// that the recursion belongs to.
func TestJobsOfHalves(t *testing.T) {
	watchdog(t)
	opts := onCrew(t)
	for range rounds(50) {
		got := parallelfor.Recurse(func(f *parallelfor.Forks[int, int], n int) int {
			a := array.New[int](8)
			h := scheduleFor(8, a.Writer(), func(w *array.Writer[int], i int) { w.Set(i, n) })
			if n == 0 {
				h.Complete()
				return a.At(7)
			}
			l, r := f.Join(n-1, n-1)
			h.Complete()
			return l + r + a.At(7)
		}, 5, opts...)
		require.Equal(t, 57, got)
	}
}

func TestAJobThatAHalfLeavesIsAViolation(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	opts := onCrew(t)
	for range rounds(20) {
		for _, away := range []bool{false, true} {
			var begun, over atomic.Bool
			recursion := func() {
				parallelfor.Recurse(perform, func(f *acts) int {
					_, _ = f.Join(func(f *acts) int {
						if away {
							untilGiven(f, &begun)
						}
						return 0
					}, func(*acts) int {
						scheduleFor(1, none{}, func(*none, int) {}, parallelfor.Name("left"))
						begun.Store(true)
						return 0
					})
					over.Store(true)
					return 0
				}, append(opts, parallelfor.Name("leaver"))...)
			}
			v := violation(t, safety.ErrNotCompleted, recursion)
			require.Equal(t, []string{"leaver", "left"}, []string{v.Job, v.OtherJob})
			require.True(t, over.Load())

			begun.Store(false)
			v = violation(t, safety.ErrNotCompleted, func() {
				parallelfor.For(2, none{}, func(_ *none, i int) {
					if i == 1 {
						recursion()
						over.Store(false)
					}
				}, parallelfor.Batch(1), parallelfor.Name("around"))
			})
			require.Equal(t, []string{"around", "left"}, []string{v.Job, v.OtherJob})
			require.False(t, over.Load())
		}
	}
}
