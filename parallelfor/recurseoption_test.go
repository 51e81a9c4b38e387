package parallelfor_test

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/handout"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

func TestMisusesOfRecurse(t *testing.T) {
	watchdog(t)
	pool := parallelfor.NewPool(1)
	pool.Close()
	ran := false
	body := func(*parallelfor.Forks[int, int], int) int { ran = true; return 1 }
	for what, use := range map[string]func(){
		"nil body":    func() { parallelfor.Recurse[int, int](nil, 1) },
		"Workers(0)":  func() { parallelfor.Recurse(body, 1, parallelfor.Workers(0)) },
		"Batch(-2)":   func() { parallelfor.Recurse(body, 1, parallelfor.Batch(-2)) },
		"On(nil)":     func() { parallelfor.Recurse(body, 1, parallelfor.On(nil)) },
		"JoinErrors":  func() { parallelfor.Recurse(body, 1, parallelfor.JoinErrors()) },
		"LengthOf":    func() { parallelfor.Recurse(body, 1, parallelfor.LengthOf(numbers(3).Reader())) },
		"closed pool": func() { parallelfor.Recurse(body, 1, parallelfor.On(pool)) },
	} {
		v := caughtViolation(t, use)
		require.Contains(t, []error{safety.ErrArgument, safety.ErrClosed, safety.ErrLength}, v.Kind, what)
		require.Contains(t, v.At, "recurseoption_test.go", what)
	}
	require.False(t, ran)
}

// Options that mean nothing to a recursion change nothing.
func TestOptionsOfRecurse(t *testing.T) {
	watchdog(t)
	tree := fullTree(8)
	for _, o := range [][]parallelfor.Option{
		nil, {parallelfor.Sequential()}, {parallelfor.Inline()}, {parallelfor.AutoOrder()}, {parallelfor.Batch(7)}, {parallelfor.Batch(-1)},
		{parallelfor.Workers(3), parallelfor.Name("sum")}, {parallelfor.After()}, {parallelfor.After(parallelfor.Handle{})},
		{parallelfor.Progress(func(_, _ int) { t.Error("progress") })},
	} {
		for range rounds(20) {
			require.Equal(t, 255, parallelfor.Recurse(forkSum, tree, o...))
		}
	}
}

func TestRecurseAfter(t *testing.T) {
	watchdog(t)
	tree := fullTree(3)
	a := numbers(1)
	h := scheduleFor(1, a.Writer(), func(w *array.Writer[int], i int) { w.Set(i, 41) })
	ran := func(*parallelfor.Forks[int, bool], int) bool { return h.Finished() }
	require.True(t, parallelfor.Recurse(ran, 0, parallelfor.After(h)))
	h.Complete()

	failed := parallelfor.ScheduleDoErr(context.Background(), none{}, func(*none) error { return errIndex })
	require.Zero(t, parallelfor.Recurse(forkSum, tree, parallelfor.After(failed)))
	failed.Complete()
	for _, m := range []misfortune{byPanic, byViolation, byGoexit} {
		fallen := scheduleFor(1, none{}, func(*none, int) { m.befall(0) })
		first := endingOf(fallen.Complete)
		e := endingOf(func() { parallelfor.Recurse(forkSum, tree, parallelfor.After(fallen)) })
		require.Equal(t, first, e)
	}
}

// Halves of a body that is in a job read its Readers, and write the parts of an array that it owns.
func TestHalvesUseTheViewsOfTheirJob(t *testing.T) {
	watchdog(t)
	in, out := numbers(64), array.New[int](64)
	type part struct {
		in         *array.Reader[int]
		out        []int
		begin, end int
	}
	fill := func(f *parallelfor.Forks[part, int], p part) int {
		if p.end-p.begin == 1 {
			p.out[0] = 2 * p.in.At(p.begin)
			return p.out[0]
		}
		middle := (p.begin + p.end) / 2
		l, r := f.Join(part{p.in, p.out[:middle-p.begin], p.begin, middle}, part{p.in, p.out[middle-p.begin:], middle, p.end})
		return l + r
	}
	sum := 0
	parallelfor.Do(reading{in.Reader(), out.Writer()}, func(v *reading) {
		sum = parallelfor.Recurse(fill, part{&v.In, v.Out.Slice(), 0, 64}, parallelfor.Workers(3))
	})
	require.Equal(t, 64*63, sum)
	require.Equal(t, 2*63, out.At(63))
}

type reading struct {
	In  array.Reader[int]
	Out array.Writer[int]
}

// A half that uses a container of the job around it without a view breaks the rule, and in strict
// builds is told so, on whichever worker it runs.
func TestHalvesUseContainersThroughViews(t *testing.T) {
	watchdog(t)
	if !safety.Strict {
		t.Skip("only strict builds find every use")
	}
	for _, away := range []bool{false, true} {
		a, held := numbers(4), numbers(4)
		var begun atomic.Bool
		recursion := func(use func()) func() {
			return func() {
				begun.Store(false)
				parallelfor.Recurse(perform, func(f *acts) int {
					_, _ = f.Join(func(f *acts) int {
						if away {
							untilGiven(f, &begun)
						}
						return 0
					}, func(*acts) int { begun.Store(true); use(); return 0 })
					return 0
				}, onCrew(t)...)
			}
		}
		violation(t, safety.ErrOwnerInJob, recursion(func() { a.At(0) }))
		violation(t, safety.ErrInFlight, func() {
			parallelfor.Do(held.Writer(), func(*array.Writer[int]) { recursion(func() { held.At(0) })() })
		})
	}
}

// Once warm, a recursion allocates nothing, and neither do halves that are given away.
func TestRecurseAllocatesNothingInSteadyState(t *testing.T) {
	if atom.Race || safety.Strict {
		t.Skip("memory is not used again")
	}
	watchdog(t)
	pool := parallelfor.NewPool(2)
	defer pool.Close()
	var away atomic.Int64
	slow := func(f *parallelfor.Forks[int, int], n int) int {
		if parallelfor.Seat(f) > 0 {
			away.Add(1)
		}
		if n == 0 {
			return spend(n, 2000) & 1
		}
		l, r := f.Join(n-1, n-1)
		return l + r
	}
	tree := fullTree(6)
	for name, run := range map[string]func(){
		"alone":   func() { parallelfor.Recurse(forkSum, tree, parallelfor.Sequential()) },
		"default": func() { parallelfor.Recurse(forkSum, tree) },
		"shared":  func() { parallelfor.Recurse(slow, 6, parallelfor.On(pool), parallelfor.Workers(2)) },
	} {
		stop := handout.Force(1)
		for range 50 {
			run()
		}
		stop()
		for range 50 {
			run()
		}
		require.Zero(t, allocations(200, run), name)
	}
	require.Positive(t, away.Load())
}

// Nothing is kept of what a recursion was given, has returned, or captured, also if it was shared.
func TestRecurseKeepsNothing(t *testing.T) {
	watchdog(t)
	opts := onCrew(t)
	type big [1 << 12]int
	type forks = parallelfor.Forks[*big, *big]
	run := func(fails bool) (all []weak.Pointer[big]) {
		captured, given, left, right, result := new(big), new(big), new(big), new(big), new(big)
		var begun atomic.Bool
		_ = endingOf(func() {
			parallelfor.Recurse(func(f *forks, b *big) *big {
				switch b {
				case given:
					l, r := f.Join(left, right)
					if l != nil && r != nil {
						return result
					}
				case left:
					for !begun.Load() && !parallelfor.Raced {
						_, _ = f.Join(captured, captured)
					}
					if fails {
						panic(b)
					}
				case right:
					begun.Store(true)
					return new(big)
				}
				return b
			}, given, opts...)
		})
		for _, p := range []*big{captured, given, left, right, result} {
			all = append(all, weak.Make(p))
		}
		return all
	}
	for _, fails := range []bool{false, false, true, false} {
		for _, p := range run(fails) {
			lawtest.Collected(t, p)
		}
	}
}

// A recursion in a bubble reads its clock, and leaves no goroutine there.
func TestRecurseInABubble(t *testing.T) {
	watchdog(t)
	awake()
	for _, workers := range []int{1, 2, 4} {
		synctest.Test(t, func(t *testing.T) {
			body := func(f *parallelfor.Forks[int, int], n int) int {
				if time.Now().Year() != 2000 {
					t.Error("the clock is not the bubble's")
				}
				if n == 0 {
					nap()
					return 1
				}
				l, r := f.Join(n-1, n-1)
				return l + r
			}
			start := time.Now()
			require.Equal(t, 16, parallelfor.Recurse(body, 4, parallelfor.Workers(workers)))
			require.LessOrEqual(t, time.Since(start), 16*time.Hour)
			require.True(t, endingOf(func() {
				parallelfor.Recurse(func(*parallelfor.Forks[int, int], int) int { runtime.Goexit(); return 0 }, 4, parallelfor.Workers(workers))
			}).goexit)
		})
	}
	// A worker that has nothing to do sleeps without a timer in the end.
	synctest.Test(t, func(t *testing.T) {
		sleep := func(f *parallelfor.Forks[int, int], n int) int {
			if n == 0 {
				time.Sleep(5000 * time.Hour)
				return 1
			}
			l, r := f.Join(n-1, n-1)
			return l + r
		}
		require.Equal(t, 2, parallelfor.Recurse(sleep, 1, parallelfor.Workers(3)))
	})
	require.Equal(t, 55, parallelfor.Recurse(fib, 10))
}
