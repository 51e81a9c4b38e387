package parallelfor_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// refused requires that f panics with the violation of using a job or a pool on the wrong side of a
// bubble's edge.
func refused(t *testing.T, f func()) {
	t.Helper()
	v, is := endingOf(f).value.(*safety.Violation)
	require.True(t, is)
	require.ErrorIs(t, v, safety.ErrArgument)
	require.Contains(t, v.Error(), "synctest bubble")
}

// In a bubble no goroutine waits for an unfinished job from outside, and no job runs after it. When
// it has finished it may be completed in the bubble.
func TestAJobFromOutsideOfABubble(t *testing.T) {
	a := array.New[int](1)
	let := make(chan struct{})
	h := parallelfor.Go(a.Writer(), func(w *array.Writer[int]) { <-let; w.Set(0, 1) })
	lawtest.Within(t, func() {
		synctest.Test(t, func(t *testing.T) {
			refused(t, h.Complete)
			refused(t, func() { parallelfor.Schedule(1, napJob{a.Writer()}, (*napJob).Execute, parallelfor.After(h)) })
			refused(t, func() { parallelfor.For(1, a.Writer(), func(*array.Writer[int], int) {}, parallelfor.After(h)) })
			refused(t, func() { parallelfor.Schedule(1, napJob{a.Writer()}, (*napJob).Execute, parallelfor.AutoOrder()) })
			refused(t, func() { parallelfor.Combine(h) })
		})
	})
	close(let)
	for !h.Finished() {
		time.Sleep(time.Millisecond)
	}
	inBubble(t, time.Hour, func(t *testing.T) {
		j := parallelfor.Schedule(1, napJob{a.Writer()}, (*napJob).Execute, parallelfor.After(h))
		j.Complete()
		h.Complete()
	})
	require.Equal(t, 2, a.At(0))
}

// Outside a bubble no goroutine waits for an unfinished job of the bubble, and no job runs after
// it.
func TestAJobOfABubbleIsNotWaitedForOutside(t *testing.T) {
	a := array.New[int](1)
	var h parallelfor.Handle
	now, seen := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(seen)
		<-now
		e := endingOf(h.Complete)
		assert.ErrorIs(t, e.value.(error), safety.ErrArgument)
		e = endingOf(func() { parallelfor.Schedule(1, napJob{a.Writer()}, (*napJob).Execute, parallelfor.After(h)) })
		assert.ErrorIs(t, e.value.(error), safety.ErrArgument)
	}()
	synctest.Test(t, func(t *testing.T) {
		h = parallelfor.Schedule(1, napJob{a.Writer()}, (*napJob).Execute)
		synctest.Wait()
		close(now)
		<-seen
		h.Complete()
	})
	h.Complete()
	require.Equal(t, 1, a.At(0))
}

// A pool that was made in a bubble takes no job from outside and is not closed outside; one that
// was made outside is not closed in a bubble. A job of the bubble on that pool has goroutines of
// its own.
func TestPoolsOnTheOtherSideOfABubble(t *testing.T) {
	outside := parallelfor.NewPool(1)
	inBubble(t, time.Hour, func(t *testing.T) {
		for range 3 {
			h := parallelfor.Schedule(1, napJob{array.New[int](1).Writer()}, (*napJob).Execute, parallelfor.On(outside))
			defer h.Complete()
		}
		refused(t, outside.Close)
		time.Sleep(time.Hour)
	})
	outside.Close()

	var p *parallelfor.Pool
	now, seen := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(seen)
		<-now
		for _, f := range []func(){
			p.Close,
			func() { parallelfor.Do(struct{}{}, func(*struct{}) {}, parallelfor.On(p)) },
		} {
			assert.ErrorIs(t, endingOf(f).value.(error), safety.ErrArgument)
		}
	}()
	synctest.Test(t, func(t *testing.T) {
		p = parallelfor.NewPool(1)
		close(now)
		<-seen
		p.Close()
	})
}

// Goroutines of several bubbles and of none use jobs, pools and memory of the same types at the
// same time. No goroutine wakes one on another side (B1, B2, B3): the runtime would end the
// program.
func TestBubblesBesideEachOther(t *testing.T) {
	var crews sync.WaitGroup
	var done atomic.Int64
	for range 2 {
		crews.Go(func() { loops(&done) })
	}
	t.Run("bubbles", func(t *testing.T) {
		for range 4 {
			t.Run("", func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					loops(&done)
					p := parallelfor.NewPool(2)
					loops(&done, parallelfor.On(p))
					p.Close()
				})
			})
		}
	})
	crews.Wait()
	require.EqualValues(t, 10*rounds(400), done.Load())
}

// loops runs and schedules loops, nested and ordered. The bodies of some take time.
func loops(done *atomic.Int64, opts ...parallelfor.Option) {
	opts = append(opts, parallelfor.Batch(1), parallelfor.Workers(3))
	a := array.New[int](8)
	for i := range rounds(400) {
		h := parallelfor.Schedule(8, incJob{a.Writer()}, (*incJob).Execute, opts...)
		if i%3 == 0 {
			h = parallelfor.Schedule(8, incJob{a.Writer()}, (*incJob).Execute, append(opts, parallelfor.After(h))...)
		}
		if i%5 == 0 {
			parallelfor.For(3, struct{}{}, func(*struct{}, int) { _ = spend(1, 2000) }, opts...)
		}
		h.Complete()
		parallelfor.For(3, struct{}{}, func(*struct{}, int) {}, opts...)
		done.Add(1)
	}
}

type incJob struct{ W array.Writer[int] }

func (j *incJob) Execute(i int) { j.W.Set(i, j.W.At(i)+spend(i, 50)&1) }
