package safety_test

import (
	"runtime"
	"testing"
	"weak"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// fills schedules a job that writes the array.
func fills(a *array.Array[int], opts ...parallelfor.Option) parallelfor.Handle {
	return parallelfor.Go(a.Writer(), func(w *array.Writer[int]) { w.Slice()[0]++ }, opts...)
}

// A job on adopted memory is lost with its container and its handle. Then OnLeak reports it, the
// garbage collector takes the memory, and a job on another array of that memory is admitted.
func TestAJobOnAdoptedMemoryCanBeLost(t *testing.T) {
	tracking(t, safety.LeaksOn)
	leaks := make(chan safety.Leak, 1000)
	hook := safety.OnLeak(func(l safety.Leak) { leaks <- l })
	defer func() { safety.OnLeak(hook) }()
	lose := func(s []int, name string) {
		a := array.Of(s, safety.Named(name))
		func() { fills(a, parallelfor.Name(name)) }()
	}
	seen := map[string]int{}
	told := func(name string) bool {
		for len(leaks) > 0 {
			l := <-leaks
			seen[l.Container+l.Job]++
		}
		return seen[`array.Array[int] "`+name+`"`] > 0 && seen[name] > 0
	}

	s := make([]int, 8)
	lose(s, "adopted and lost")
	lawtest.Happens(t, "the hook is told", func() bool { return told("adopted and lost") })
	_, before := safety.Adopted()
	again := array.Of(s[4:])
	fills(again).Complete()
	again.Dispose()
	held, gone := safety.Adopted()
	require.Zero(t, held)
	require.Less(t, gone, before, "the schedule has dropped the entry")

	memory := func() weak.Pointer[int] {
		s := make([]int, 1<<16)
		lose(s, "lost with its memory")
		return weak.Make(&s[0])
	}()
	lawtest.Collected(t, memory)
	lawtest.Happens(t, "the hook is told", func() bool { return told("lost with its memory") })
}

// The list of held containers does not grow with lost jobs, even if no other container has their
// memory.
func TestLostJobsOnAdoptedMemoryAreNotListedForGood(t *testing.T) {
	lawtest.CheckedOnly(t)
	s := make([]int, 400)
	for i := range s {
		fills(array.Of(s[i : i+1]))
		if i%40 == 39 {
			lawtest.Kept(func() {})
		}
	}
	held, gone := safety.Adopted()
	require.Less(t, held+gone, 200)
}

// A job on adopted memory excludes jobs on the same memory, whenever the garbage collector runs,
// while the program has its container, its handle or the handle of a job that runs after it.
func TestAJobOnAdoptedMemoryExcludesOthersUntilItIsCompleted(t *testing.T) {
	lawtest.CheckedOnly(t)
	s := make([]int, 8)
	excluded := func() bool {
		err := lawtest.Failure(func() error { fills(array.Of(s)).Complete(); return nil })
		if err != nil {
			require.ErrorIs(t, err, safety.ErrConflict)
		}
		return err != nil
	}
	for name, schedule := range map[string]func() parallelfor.Handle{
		"handle": func() parallelfor.Handle { return fills(array.Of(s)) },
		"later handle": func() parallelfor.Handle {
			return parallelfor.Go(struct{}{}, func(*struct{}) {}, parallelfor.After(fills(array.Of(s))))
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := schedule()
			lawtest.Kept(func() {})
			require.True(t, excluded())
			h.Complete()
			require.False(t, excluded())
			held, _ := safety.Adopted()
			require.Zero(t, held)
		})
	}
	t.Run("container", func(t *testing.T) {
		a := array.Of(s)
		fills(a)
		lawtest.Kept(func() {})
		require.True(t, excluded())
		runtime.KeepAlive(a)
		lawtest.Happens(t, "the job is lost", func() bool { return !excluded() })
	})
}
