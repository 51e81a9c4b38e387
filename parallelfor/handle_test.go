package parallelfor_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

func nothing[V any](*V, int) {}

func TestTheZeroHandleIsComplete(t *testing.T) {
	var h parallelfor.Handle
	require.True(t, h.Finished())
	require.NoError(t, h.Err())
	h.Complete()
	h.Complete()
	ran := false
	scheduleFor(1, none{}, func(*none, int) { ran = true }, parallelfor.After(h, h), parallelfor.After()).Complete()
	require.True(t, ran)
}

func TestCombineOfNoneAndOfOne(t *testing.T) {
	watchdog(t)
	h := parallelfor.Combine()
	h.Complete()
	require.True(t, h.Finished())
	a := numbers(10)
	one := parallelfor.Combine(scheduleFor(10, a.Writer(), func(w *array.Writer[int], i int) { w.Set(i, 7) }))
	one.Complete()
	require.Equal(t, 7, a.At(9), "completing the combination gave custody back")
}

func TestACombinationFailsLikeTheFirstOfItsJobsThatFailed(t *testing.T) {
	watchdog(t)
	var hs []parallelfor.Handle
	for k := range 6 {
		hs = append(hs, scheduleFor(1, none{}, func(*none, int) {
			if k >= 2 {
				panic(k)
			}
		}))
	}
	require.Equal(t, 2, panicked(t, parallelfor.Combine(hs...).Complete).Value)
	require.Equal(t, 5, panicked(t, parallelfor.Combine(hs[5], hs[0], hs[3]).Complete).Value)
}

func TestAChainOfTenThousandJobsRunsInOrder(t *testing.T) {
	watchdog(t)
	links := 10_000
	if parallelfor.Raced {
		links = 1000
	}
	a := array.New[int](1)
	h, c := parallelfor.Handle{}, parallelfor.Handle{}
	for k := range links {
		h = parallelfor.ScheduleDo(step{a.Writer(), k}, (*step).Execute, parallelfor.After(h))
		c = parallelfor.Combine(c)
	}
	h.Complete()
	c.Complete()
	require.Equal(t, links, a.At(0))
}

// step counts on when it comes at its turn.
type step struct {
	At   array.Writer[int]
	Turn int
}

func (s *step) Execute() {
	if s.At.At(0) == s.Turn {
		s.At.Set(0, s.Turn+1)
	}
}

func TestAFanOfTwoThousandJobs(t *testing.T) {
	watchdog(t)
	in := numbers(10)
	var ran atomic.Int32
	root := scheduleFor(4, in.Writer(), func(w *array.Writer[int], i int) { w.Set(i, -1) })
	leaves := make([]parallelfor.Handle, 2000)
	for k := range leaves {
		leaves[k] = scheduleFor(1, in.Reader(), func(r *array.Reader[int], i int) {
			if r.At(i) == -1 {
				ran.Add(1)
			}
		}, parallelfor.After(root))
	}
	parallelfor.Combine(leaves...).Complete()
	require.EqualValues(t, len(leaves), ran.Load())
	in.Set(0, 0)
}

func TestCompletingALateJobReturnsCustodyOfEarlierOnes(t *testing.T) {
	watchdog(t)
	a, b, c := numbers(5), numbers(5), numbers(5)
	set := func(w *array.Writer[int], i int) { w.Set(i, w.At(i)+1) }
	first := scheduleFor(5, a.Writer(), set)
	second := scheduleFor(5, b.Writer(), set, parallelfor.After(first))
	other := scheduleFor(5, c.Writer(), set)
	third := scheduleFor(5, a.Writer(), set, parallelfor.After(second))
	third.Complete()
	require.Equal(t, []int{2, 3, 4, 5, 6}, values(a))
	require.Equal(t, []int{1, 2, 3, 4, 5}, values(b))
	if safety.Enabled {
		violation(t, safety.ErrInFlight, func() { c.At(0) })
	}
	other.Complete()
	require.Equal(t, 1, c.At(0))
	first.Complete()
}

func TestCompletingAnEarlyJobDoesNotReturnLaterOnes(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	a, b := numbers(5), numbers(5)
	first := scheduleFor(5, a.Writer(), nothing)
	second := scheduleFor(5, b.Writer(), nothing, parallelfor.After(first))
	first.Complete()
	a.Set(0, 1)
	violation(t, safety.ErrInFlight, func() { b.At(0) })
	second.Complete()
	b.Set(0, 1)
}

func TestHavingFinishedIsNotCustody(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	a := numbers(5)
	h := scheduleFor(5, a.Writer(), nothing, parallelfor.Name("done"))
	spin(t, "the job to finish", h.Finished)
	v := violation(t, safety.ErrInFlight, func() { a.At(0) })
	require.Equal(t, "done", v.OtherJob)
	require.Contains(t, v.Error(), "has finished but was not completed")
	require.Contains(t, v.Scheduled, "helpers_test.go")
	v = violation(t, safety.ErrConflict, func() { parallelfor.For(5, a.Reader(), nothing, parallelfor.Name("next")) })
	require.Equal(t, []string{"next", "done"}, []string{v.Job, v.OtherJob})
	h.Complete()
	a.Set(0, 1)
}

func TestErrIsNilBeforeTheJobFinishedAndItsErrorAfter(t *testing.T) {
	watchdog(t)
	release := make(chan struct{})
	h := parallelfor.ScheduleErr(context.Background(), 1, errLoop[none]{none{}, func(*none, int) error {
		<-release
		return errIndex
	}}, (*errLoop[none]).Execute)
	require.NoError(t, h.Err())
	require.False(t, h.Finished())
	close(release)
	h.Complete()
	require.ErrorIs(t, h.Err(), errIndex)
	fine := scheduleFor(1, none{}, nothing)
	fine.Complete()
	require.NoError(t, fine.Err())
	kept := scheduleFor(1, none{}, nothing)
	require.NotNil(t, kept.Ticket())
	kept.Complete()
	require.NoError(t, kept.Err())
}

// errLoop is a body that can fail as a job.
type errLoop[V any] struct {
	Views V
	Body  func(v *V, i int) error `custody:"unguarded"`
}

func (l *errLoop[V]) Execute(i int) error { return l.Body(&l.Views, i) }

func TestConflictingRunsOfUnorderedGoroutinesAreViolationsAndNothingElse(t *testing.T) {
	checkedOnly(t)
	if parallelfor.Raced {
		t.Skip("loops that are not ordered are races, and reported as such")
	}
	watchdog(t)
	a := array.New[int](4)
	done := make(chan any, 4)
	for range 4 {
		go func() {
			var wrong any
			for range rounds(20_000) {
				e := recovered(func() { parallelfor.For(4, a.Writer(), nothing, parallelfor.Sequential()) })
				if e == nil {
					continue
				}
				if _, ok := e.(*safety.Violation); !ok {
					wrong = e
				}
			}
			done <- wrong
		}()
	}
	for range 4 {
		require.Nil(t, <-done)
	}
}

// recovered runs f here and returns what it panicked with.
func recovered(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}
