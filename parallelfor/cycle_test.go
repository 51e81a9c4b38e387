package parallelfor_test

import (
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

func TestABodyThatWaitsForItsOwnJobIsReported(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	own := make(chan parallelfor.Handle, 1)
	h := scheduleFor(1, none{}, func(*none, int) { (<-own).Complete() }, parallelfor.Name("self"))
	own <- h
	v := violation(t, safety.ErrWaitCycle, h.Complete)
	require.Equal(t, []string{"self", "self"}, []string{v.Job, v.OtherJob})
}

func TestABodyThatWaitsForADependentIsReported(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	later := make(chan parallelfor.Handle, 1)
	h := scheduleFor(1, none{}, func(*none, int) { (<-later).Complete() }, parallelfor.Name("first"))
	mid := scheduleFor(1, none{}, func(*none, int) {}, parallelfor.After(h), parallelfor.Name("middle"))
	last := parallelfor.Combine(mid, parallelfor.Combine(mid))
	later <- last
	v := violation(t, safety.ErrWaitCycle, h.Complete)
	require.Equal(t, []string{"first", "Combine"}, []string{v.Job, v.OtherJob})
	require.ErrorIs(t, endingOf(last.Complete).value.(error), safety.ErrWaitCycle, "the dependents report the root failure")
}

func TestABodyThatWaitsForTheJobAroundItIsReported(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	own := make(chan parallelfor.Handle, 1)
	h := scheduleFor(1, none{}, func(*none, int) {
		parallelfor.For(1, none{}, func(*none, int) { (<-own).Complete() }, parallelfor.Name("inner"))
	}, parallelfor.Name("outer"))
	own <- h
	v := violation(t, safety.ErrWaitCycle, h.Complete)
	require.Equal(t, []string{"inner", "outer"}, []string{v.Job, v.OtherJob})
}

func TestBodiesThatWaitForEachOtherInACircleAreReported(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	for size := 2; size <= 5; size++ {
		handles := make([]parallelfor.Handle, size)
		ready, all := make(chan struct{}), newBarrier(size)
		for i := range handles {
			handles[i] = scheduleFor(1, none{}, func(*none, int) {
				<-ready
				all.wait()
				handles[(i+1)%size].Complete()
			}, parallelfor.Workers(8))
		}
		// A job of one batch has one worker: let each have a goroutine that works on it.
		ends := make(chan ending, size)
		for _, h := range handles {
			go func() { ends <- endingOf(h.Complete) }()
		}
		close(ready)
		for range size {
			e := <-ends
			require.IsType(t, (*safety.Violation)(nil), e.value)
			require.ErrorIs(t, e.value.(error), safety.ErrWaitCycle, "the one that closed the circle, and those that waited for it")
		}
	}
}

func TestABodyMayWaitForAnotherJob(t *testing.T) {
	watchdog(t)
	a := numbers(10)
	other := scheduleFor(10, a.Reader(), nothing)
	parallelfor.For(4, none{}, func(*none, int) { other.Complete() })
	a.Set(0, 1)
}

// child runs the named test in a process of its own, where a crash or a hang harms no other test,
// and tells how it ended.
func child(t *testing.T, name string) string {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run=^"+name+"$", "-test.timeout=0")
	c.Env = append(os.Environ(), "CUSTODY_CHILD="+name, "GORACE=atexit_sleep_ms=0")
	out, err := c.CombinedOutput()
	if err == nil {
		return ""
	}
	return err.Error() + ": " + string(out[:min(len(out), 1500)])
}

// inChild reports whether this process was started for this test alone. If so, a watchdog ends it
// when the test hangs.
func inChild(t *testing.T) bool {
	is := os.Getenv("CUSTODY_CHILD") == t.Name()
	if is {
		watchdog(t)
	}
	return is
}

func TestACircleThroughANestedJobIsReported(t *testing.T) {
	checkedOnly(t)
	if !inChild(t) {
		require.Empty(t, child(t, t.Name()))
		return
	}
	// inner waits for far; far waits for outer; outer cannot end before inner.
	pool := parallelfor.On(parallelfor.NewPool(8))
	far, outer := make(chan parallelfor.Handle, 1), make(chan parallelfor.Handle, 1)
	waiting, left := make(chan struct{}), make(chan struct{})
	hFar := scheduleFor(1, none{}, func(*none, int) {
		<-waiting
		time.Sleep(20 * time.Millisecond)
		close(left)
		(<-outer).Complete()
	}, parallelfor.Name("far"), pool)
	far <- hFar
	hOuter := scheduleFor(1, none{}, func(*none, int) {
		scheduleFor(1, none{}, func(*none, int) {
			f := <-far
			close(waiting)
			f.Complete()
		}, parallelfor.Name("inner"), pool)
		<-left
		time.Sleep(20 * time.Millisecond)
	}, parallelfor.Name("outer"), pool)
	outer <- hOuter
	for _, h := range []parallelfor.Handle{hFar, hOuter} {
		spin(t, "workers to run the jobs", h.Finished)
	}
	var reported int
	for _, h := range []parallelfor.Handle{hFar, hOuter} {
		if e := endingOf(h.Complete); e.value != nil {
			require.IsType(t, (*safety.Violation)(nil), e.value)
			reported++
		}
	}
	require.Positive(t, reported)
}

func TestANestedJobThatRunsAfterTheJobAroundItIsReported(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	own := make(chan parallelfor.Handle, 1)
	earlier := scheduleFor(1, none{}, nothing)
	h := scheduleFor(1, none{}, func(*none, int) {
		scheduleFor(1, none{}, nothing, parallelfor.After(earlier, <-own), parallelfor.Name("inner")).Complete()
	}, parallelfor.Name("outer"))
	own <- h
	v := violation(t, safety.ErrWaitCycle, h.Complete)
	require.Contains(t, v.Error(), "outer")
	earlier.Complete()
}
