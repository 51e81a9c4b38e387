package parallelfor_test

import (
	"runtime"
	"testing"
	"weak"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
)

type keeps struct {
	A    array.Writer[int]
	Name string
}

func (j *keeps) Execute(i int) { j.A.Set(i, i) }

// The memory that is used again keeps nothing of the job before: neither its containers nor what
// else it carried.
func TestAJobThatHasRunKeepsNoContainer(t *testing.T) {
	watchdog(t)
	run := func() weak.Pointer[array.Array[int]] {
		a := array.New[int](100)
		parallelfor.For(100, keeps{A: a.Writer(), Name: "it"}, (*keeps).Execute, parallelfor.Workers(2))
		return weak.Make(a)
	}
	lawtest.Collected(t, run())
	slices := func() weak.Pointer[array.Array[int]] {
		a := array.New[int](100)
		parallelfor.For(100, []array.Writer[int]{a.Writer()}, func(v *[]array.Writer[int], i int) { (*v)[0].Set(i, i) })
		return weak.Make(a)
	}
	lawtest.Collected(t, slices())
	scheduled := func() (weak.Pointer[array.Array[int]], parallelfor.Handle) {
		a := array.New[int](100)
		h := parallelfor.Schedule(100, keeps{A: a.Writer()}, (*keeps).Execute)
		h.Complete()
		return weak.Make(a), parallelfor.Schedule(1, keeps{A: array.New[int](1).Writer()}, (*keeps).Execute, parallelfor.After(h))
	}
	a, last := scheduled()
	last.Complete()
	lawtest.Collected(t, a) // although the handle of a job that ran after it is kept
	runtime.KeepAlive(last)
}

// Nor does the queue of a pool whose workers have not come.
func TestAJobThatOthersHaveRunIsInNoQueue(t *testing.T) {
	watchdog(t)
	pool := parallelfor.NewPool(1)
	defer pool.Close()
	busy, release := held(pool)
	defer func() {
		close(release)
		busy.Complete()
	}()
	run := func() weak.Pointer[array.Array[int]] {
		a := array.New[int](100)
		parallelfor.Schedule(100, keeps{A: a.Writer()}, (*keeps).Execute, parallelfor.On(pool)).Complete()
		require.Zero(t, parallelfor.Queued(pool))
		return weak.Make(a)
	}
	lawtest.Collected(t, run())
}

// The list of waits is kept only while it is short.
func TestLongListsOfJobsAreNotKept(t *testing.T) {
	during, after := parallelfor.NoteWaits(1000)
	require.GreaterOrEqual(t, during, 1000)
	require.Zero(t, after)
	during, after = parallelfor.NoteWaits(10)
	require.Equal(t, during, after)
}
