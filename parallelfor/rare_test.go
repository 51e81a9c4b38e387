package parallelfor_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// More containers than callbacks that memory is kept for return at the same time, and so do those
// of later jobs.
func TestManyContainersThatAreToldAtOneTime(t *testing.T) {
	watchdog(t)
	const n = 100
	for range 2 {
		all := newBarrier(n)
		var done sync.WaitGroup
		for range n {
			c := newTold(moments{back: func() { all.wait() }})
			h := parallelfor.Go(c.view(), func(*toldView) {})
			done.Go(h.Complete)
		}
		done.Wait()
		c := newTold(moments{back: func() { all.wait() }})
		parallelfor.Go(c.view(), func(*toldView) {}).Complete()
	}
}

// manyWriters is a job with as many ranges as it has views.
type manyWriters struct{ Out []array.Writer[int] }

func (j *manyWriters) Execute(i int) {
	for k := range j.Out {
		j.Out[k].Set(i, i+k)
	}
}

// A worker binds the views of its job after a job of the same type with many more or fewer views.
func TestJobsOfOneTypeWithManyViewsAndWithFew(t *testing.T) {
	for _, n := range []int{400, 1, 400, 2, 1, 400, 3} {
		arrays := make([]*array.Array[int], n)
		var j manyWriters
		for k := range arrays {
			arrays[k] = array.New[int](4)
			j.Out = append(j.Out, arrays[k].Writer())
		}
		parallelfor.For(4, j, (*manyWriters).Execute, parallelfor.Workers(1), parallelfor.Batch(2))
		for k, a := range arrays {
			require.Equal(t, k+3, a.At(3))
		}
	}
}

// leaveOne schedules a job and does not complete it.
func leaveOne() { scheduleFor(1, none{}, nothing) }

type leavesInBatch struct{}

func (leavesInBatch) ExecuteBatch(int, int) { leaveOne() }

type leavesInReduce struct{}

func (leavesInReduce) ExecuteReduce(int, int) int { leaveOne(); return 0 }

type leavesInside struct{ leavesInBatch }

// A violation without a line in the body has the line where the body begins. If the body is a
// method that the compiler made for a struct in the job, it has the line where the loop stands.
func TestWhereAMethodBeginsThatLeavesAJob(t *testing.T) {
	checkedOnly(t)
	for name, run := range map[string]func(){
		"batches": func() { parallelfor.ForBatch(1, leavesInBatch{}, (*leavesInBatch).ExecuteBatch) },
		"a reduce": func() {
			parallelfor.Reduce(1, leavesInReduce{}, (*leavesInReduce).ExecuteReduce, plus[int])
		},
		"promoted": func() { parallelfor.ForBatch(1, leavesInside{}, (*leavesInside).ExecuteBatch) },
	} {
		v := violation(t, safety.ErrNotCompleted, run)
		require.Contains(t, v.At, "rare_test.go:", name)
	}
}

// A job that a body has scheduled runs while that body waits for another job that has begun.
func TestABodyThatWaitsForAJobThatHasBegun(t *testing.T) {
	watchdog(t)
	gate, begun := make(chan struct{}), make(chan struct{})
	first := parallelfor.Go(none{}, func(*none) { close(begun); <-gate })
	second := parallelfor.Go(none{}, func(*none) {
		<-begun
		next := parallelfor.Go(none{}, func(*none) { close(gate) })
		first.Complete()
		next.Complete()
	})
	second.Complete()
	require.True(t, first.Finished())
}
