package parallelfor_test

import (
	"cmp"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/atom"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// The functions that a loop is given besides its body are called by bodies, or after the loop. What
// they may not do in a body is reported as it is of a body, and the report names the job.
func TestFunctionsOfLoopsAreHeldToWhatBodiesAre(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	const n = 1000
	a, other := numbers(n), array.New[int](n, safety.Named("other"))
	reset := func() {
		for i := range n {
			a.Set(i, n-i)
		}
	}
	own := func(h *parallelfor.Handle) func(x, y int) int {
		return func(x, y int) int { h.Complete(); return cmp.Compare(x, y) }
	}
	slice := (*array.Writer[int]).Slice
	named := parallelfor.Name("sorted")

	// compare of Sort runs a job on the array that is being sorted, or on one that the job does not
	// hold, or reads the array, or waits for the sort.
	for what, compare := range map[string]func(x, y int) int{
		"sorts the same": func(x, y int) int { parallelfor.Sort(a.Writer(), slice, cmp.Compare[int]); return cmp.Compare(x, y) },
		"sorts another": func(x, y int) int {
			parallelfor.Sort(other.Writer(), slice, cmp.Compare[int])
			return cmp.Compare(x, y)
		},
		"reads the array": func(x, y int) int { return cmp.Compare(x, y+0*a.At(0)) },
	} {
		for _, sort := range []func(){
			func() { parallelfor.Sort(a.Writer(), slice, compare, named) },
			func() { parallelfor.Sort(a.Writer(), slice, compare, named, parallelfor.Workers(3)) },
			func() {
				parallelfor.ScheduleDo(a.Writer(), func(w *array.Writer[int]) { parallelfor.Sort(*w, slice, compare, named) }).Complete()
			},
		} {
			reset()
			v := caughtViolation(t, sort)
			require.Contains(t, v.Error(), "sorted", what)
			for _, l := range safety.Leaks() { // leaks of jobs of other tests may be among them
				require.NotEqual(t, "sorted", l.Job)
			}
		}
	}
	var h parallelfor.Handle
	started := make(chan struct{})
	h = parallelfor.ScheduleDo(a.Writer(), func(w *array.Writer[int]) { <-started; parallelfor.Sort(*w, slice, own(&h)) }, named)
	close(started)
	require.ErrorIs(t, caughtViolation(t, h.Complete), safety.ErrWaitCycle)

	// Reduce calls combine when the containers are the caller's again, so combine may use them.
	sum := parallelfor.Reduce(n, a.Reader(), func(r *array.Reader[int], begin, end int) int { return end - begin },
		func(x, y int) int {
			a.Set(0, x+y)
			parallelfor.For(n, a.Writer(), func(w *array.Writer[int], i int) { w.Set(i, i) })
			return x + y
		})
	require.Equal(t, n, sum)

	// Bodies call combine of Scan, keep of Filter and pred of Find.
	reset()
	require.ErrorIs(t, caughtViolation(t, func() {
		parallelfor.Scan(n, a.Writer(), (*array.Writer[int]).At, slice, func(x, y int) int { parallelfor.Sort(other.Writer(), slice, cmp.Compare[int]); return x + y }, named)
	}), safety.ErrNotLent)
	again := func() bool {
		parallelfor.Filter(n, other.Writer(), func(*array.Writer[int], int) bool { return true })
		return true
	}
	require.ErrorIs(t, caughtViolation(t, func() {
		parallelfor.Filter(n, a.Reader(), func(*array.Reader[int], int) bool { return again() }, named)
	}), safety.ErrNotLent)
	require.ErrorIs(t, caughtViolation(t, func() { parallelfor.Find(n, a.Reader(), func(*array.Reader[int], int) bool { return again() }, named) }), safety.ErrNotLent)
}

// caughtViolation returns the violation that f panics with.
func caughtViolation(t *testing.T, f func()) *safety.Violation {
	t.Helper()
	e := endingOf(f)
	v, ok := e.value.(*safety.Violation)
	require.True(t, ok, "no violation but %v", e)
	return v
}

// The function of OnLeak is called without a lock. It may run loops, complete jobs, ask for leaks
// and set another function.
func TestTheFunctionOfOnLeakMayUseTheLibrary(t *testing.T) {
	if atom.Race || safety.Strict || !safety.Enabled {
		t.Skip("jobs are lost here when the collector likes")
	}
	watchdog(t)
	done := make(chan safety.Leak, 10)
	before := safety.OnLeak(func(l safety.Leak) {
		parallelfor.For(100, none{}, nothing)
		scheduleFor(100, none{}, nothing).Complete()
		_ = safety.Leaks()
		safety.OnLeak(safety.OnLeak(nil))
		done <- l
	})
	defer func() { safety.OnLeak(before) }()
	func() {
		parallelfor.Schedule(1, counting{array.New[int](1).Writer()}, (*counting).Execute, parallelfor.Name("lost"))
	}()
	for {
		runtime.GC()
		select {
		case l := <-done:
			require.Equal(t, "lost", l.Job)
			return
		default:
			runtime.Gosched()
		}
	}
}
