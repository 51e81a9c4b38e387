package parallelfor_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// What the start of a job calls, on whichever goroutine finishes the job before it, may wait for a
// body that waits for that one. Here this body finishes it, because the only worker of its pool is
// busy.
func TestTheStartOfAJobMayWaitForTheBodyThatFinishesTheJobBefore(t *testing.T) {
	watchdog(t)
	type start struct {
		first, around *later
		over          chan ending
	}
	opens := func(s *start) toldView {
		return newTold(moments{opens: func() { s.around.get().Complete() }}).view()
	}
	second := map[string]func(s *start){
		"a job": func(s *start) {
			parallelfor.Go(opens(s), func(*toldView) {}, parallelfor.After(s.first.get())).Complete()
		},
		"a loop in a call": func(s *start) {
			parallelfor.For(4, opens(s), func(*toldView, int) {}, parallelfor.Batch(-1), parallelfor.After(s.first.get()))
		},
		"LengthOf": func(s *start) {
			v := lengthOfThat(array.New[int](1).Reader(), func() { s.around.get().Complete() })
			scheduleFor(-1, none{}, nothing, parallelfor.LengthOf(v), parallelfor.After(s.first.get())).Complete()
		},
	}
	for name, second := range second {
		pool := parallelfor.NewPool(1)
		busy, release := held(pool)
		begun := make(chan struct{})
		s := &start{first: newLater(), around: newLater(), over: make(chan ending, 1)}
		s.first.set(scheduleFor(1, none{}, func(*none, int) {
			close(begun)
			spin(t, "a job after it", func() bool { return parallelfor.Dependents(s.first.get()) == 1 })
		}, parallelfor.On(pool)))
		s.around.set(parallelfor.Go(none{}, func(*none) { s.first.get().Complete() }))
		<-begun
		go func() { s.over <- endingOf(func() { second(s) }) }()
		s.around.get().Complete()
		require.Equal(t, ending{}, <-s.over, name)
		close(release)
		busy.Complete()
		pool.Close()
	}
}

// The start of a job that a Progress function schedules may wait for the job of that function, for
// which the function does not wait.
func TestTheStartOfAJobMayWaitForTheFunctionThatSchedulesIt(t *testing.T) {
	watchdog(t)
	own, other, once := newLater(), newLater(), sync.Once{}
	own.set(scheduleFor(1, none{}, nothing, parallelfor.Progress(func(int, int) {
		once.Do(func() {
			c := newTold(moments{opens: func() { own.get().Complete() }})
			other.set(parallelfor.Go(c.view(), func(*toldView) {}))
		})
	})))
	require.Equal(t, ending{}, endingOf(own.get().Complete))
	require.Equal(t, ending{}, endingOf(other.get().Complete))
}

// The containers of a loop that is run in a call, outside bodies and on the default pool, may close
// another pool; those of a job with a handle may not.
func TestContainersThatCloseAnotherPool(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	for _, operation := range []string{"opens", "seals", "comes back"} {
		pool := parallelfor.NewPool(1)
		closing := newTold(momentsOf(operation, pool.Close))
		violation(t, safety.ErrWaitCycle, parallelfor.Go(closing.view(), func(*toldView) {}).Complete)
		parallelfor.Do(newTold(closing.moments).view(), func(*toldView) {})
		violation(t, safety.ErrClosed, func() { parallelfor.Do(none{}, func(*none) {}, parallelfor.On(pool)) })
	}
}
