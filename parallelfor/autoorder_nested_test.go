package parallelfor_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/handout"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

func TestNestedJobsInAutoOrderRunOneAfterTheOther(t *testing.T) {
	watchdog(t)
	for round := range rounds(40) {
		stop := func() {}
		if round%2 == 1 {
			stop = handout.Force(uint64(round))
		}
		a, log := numbers(12), newJournal[int]()
		type views struct {
			A   array.Writer[int]
			Log appender[int]
		}
		parallelfor.ForBatch(12, views{a.Writer(), log.Appender()}, func(v *views, begin, end int) {
			own := array.New[int](end - begin)
			n := end - begin
			var h []parallelfor.Handle
			for k := range 3 {
				h = append(h, scheduleFor(n, v.A, func(w *array.Writer[int], i int) { w.Set(i, 10*w.At(i)+k) }, parallelfor.AutoOrder(), parallelfor.Workers(2)))
				h = append(h, parallelfor.ScheduleDo(note{begin + k, []appender[int]{v.Log}}, (*note).Execute, parallelfor.AutoOrder()))
				h = append(h, scheduleFor(n, own.Writer(), func(w *array.Writer[int], i int) { w.Set(i, 10*w.At(i)+k) }, parallelfor.AutoOrder()))
			}
			for _, k := range rand.New(rand.NewPCG(uint64(round), 0)).Perm(len(h)) {
				h[k].Complete()
			}
			for i := range n {
				if own.At(i) != 12 {
					panic("what the batch made itself")
				}
			}
		}, parallelfor.Batch(4), parallelfor.Workers(3))
		stop()
		for i := range 12 {
			require.Equal(t, 1000*i+12, a.At(i))
		}
		require.Equal(t, []int{0, 1, 2, 4, 5, 6, 8, 9, 10}, log.Items())
	}
}

func TestAutoOrderLendsNothingThatTheBodyDoesNotHold(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	a := numbers(4)
	v := violation(t, safety.ErrNotLent, func() {
		parallelfor.Do(a.Writer(), func(*array.Writer[int]) { scheduleFor(4, a.Writer(), nothing, parallelfor.AutoOrder()) })
	})
	require.Contains(t, v.Error(), "with a new view")
}

// A body makes a container and gives it away: the job that gets it runs after the body, so the body
// cannot run another one after that.
func TestAutoOrderThatWouldWaitForTheBodyIsReported(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	for _, before := range []int{0, 1} { // jobs in whose order the nested one is noted before
		own, given, taken := make(chan parallelfor.Handle, 1), make(chan *array.Array[int]), make(chan struct{})
		outer := parallelfor.Go(none{}, func(*none) {
			c := numbers(4)
			given <- c
			<-taken
			other := scheduleFor(4, none{}, func(*none, int) {})
			opts := []parallelfor.Option{parallelfor.AutoOrder(), parallelfor.Name("nested")}
			if before == 1 {
				opts = append(opts, parallelfor.After(other))
			}
			defer other.Complete()
			scheduleFor(4, c.Writer(), nothing, opts...).Complete()
		}, parallelfor.Name("outer"))
		own <- outer
		c := <-given
		later := scheduleFor(4, c.Writer(), nothing, parallelfor.After(<-own), parallelfor.Name("later"))
		close(taken)
		v := violation(t, safety.ErrWaitCycle, outer.Complete)
		require.Equal(t, []string{"outer", "later"}, []string{v.Job, v.OtherJob})
		require.ErrorIs(t, endingOf(later.Complete).value.(error), safety.ErrWaitCycle, "the root failure")
		c.Set(0, 1)
	}
}
