package parallelfor_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// later is a handle that a function gets once it is set.
type later struct {
	known chan struct{}
	h     parallelfor.Handle
}

func newLater() *later { return &later{known: make(chan struct{})} }

func (l *later) set(h parallelfor.Handle) parallelfor.Handle {
	l.h = h
	close(l.known)
	return h
}

func (l *later) get() parallelfor.Handle {
	<-l.known
	return l.h
}

// waitsInProgress returns the violation of a job whose Progress function calls wait, once, with the
// job's own handle.
func waitsInProgress(t *testing.T, wait func(own parallelfor.Handle)) *safety.Violation {
	t.Helper()
	own, once := newLater(), sync.Once{}
	pool := parallelfor.NewPool(2)
	h := own.set(scheduleFor(2, none{}, nothing, parallelfor.Batch(1), parallelfor.Name("watched"), parallelfor.On(pool),
		parallelfor.Progress(func(done, total int) { once.Do(func() { wait(own.get()) }) })))
	v := violation(t, safety.ErrWaitCycle, h.Complete)
	pool.Close()
	return v
}

// A Progress function is reported if it waits for a job that cannot finish before the function has
// returned, in whatever way it waits.
func TestAProgressFunctionThatWaitsForItsOwnJobIsReported(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	after := parallelfor.After
	for name, wait := range map[string]func(own parallelfor.Handle){
		"its own job":      func(own parallelfor.Handle) { own.Complete() },
		"a combination":    func(own parallelfor.Handle) { parallelfor.Combine(own).Complete() },
		"a job after it":   func(own parallelfor.Handle) { scheduleFor(1, none{}, nothing, after(own)).Complete() },
		"a loop after it":  func(own parallelfor.Handle) { parallelfor.For(1, none{}, nothing, after(own)) },
		"a body of a loop": func(own parallelfor.Handle) { parallelfor.For(1, none{}, func(*none, int) { own.Complete() }) },
		"a goroutine":      func(own parallelfor.Handle) { parallelfor.Go(none{}, func(*none) { own.Complete() }).Complete() },
		"Inline after it": func(own parallelfor.Handle) {
			scheduleFor(1, none{}, nothing, after(own), parallelfor.Inline()).Complete()
		},
		"a body of a nested loop": func(own parallelfor.Handle) {
			parallelfor.For(1, none{}, func(*none, int) {
				parallelfor.For(1, none{}, func(*none, int) { own.Complete() })
			})
		},
		"a pool": func(parallelfor.Handle) { parallelfor.NewPool(1).Close() },
	} {
		t.Run(name, func(t *testing.T) {
			watchdog(t)
			v := waitsInProgress(t, wait)
			require.Contains(t, v.Error(), "watched")
		})
	}
	v := waitsInProgress(t, parallelfor.Handle.Complete)
	require.Equal(t, []string{"watched", "watched"}, []string{v.Job, v.OtherJob})
	require.Contains(t, v.Error(), "Progress")
}

// A job that AutoOrder orders after the watched job runs after it.
func TestAProgressFunctionThatWaitsForAJobInTheLedgersOrderIsReported(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	a := array.New[int](2)
	var after parallelfor.Handle
	wait := func() {
		after = scheduleFor(2, a.Writer(), func(w *array.Writer[int], i int) { w.Set(i, 1) }, parallelfor.AutoOrder())
		after.Complete()
	}
	once := sync.Once{}
	h := scheduleFor(2, a.Writer(), func(w *array.Writer[int], i int) { w.Set(i, 2) }, parallelfor.Name("watched"),
		parallelfor.Progress(func(done, total int) { once.Do(wait) }))
	violation(t, safety.ErrWaitCycle, h.Complete)
	violation(t, safety.ErrWaitCycle, after.Complete)
	require.Equal(t, []int{2, 2}, a.Slice())
}

// Two jobs are reported if the Progress function of each waits for the other job. So are a body
// that waits for a job and a Progress function of that job that waits for the body's job.
func TestProgressFunctionsThatWaitInACircleAreReported(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	one, two, once := newLater(), newLater(), [2]sync.Once{}
	in := func(o *sync.Once, other *later) parallelfor.Option {
		return parallelfor.Progress(func(done, total int) { o.Do(func() { other.get().Complete() }) })
	}
	one.set(scheduleFor(1, none{}, nothing, in(&once[0], two)))
	two.set(scheduleFor(1, none{}, nothing, in(&once[1], one)))
	ends := make(chan ending, 2)
	for _, l := range []*later{one, two} {
		go func() { ends <- endingOf(l.get().Complete) }()
	}
	for range 2 {
		require.ErrorIs(t, (<-ends).value.(error), safety.ErrWaitCycle)
	}

	one, two, once = newLater(), newLater(), [2]sync.Once{}
	one.set(scheduleFor(1, none{}, nothing, in(&once[0], two)))
	two.set(scheduleFor(1, none{}, func(*none, int) { one.get().Complete() }))
	for _, l := range []*later{one, two} {
		go func() { ends <- endingOf(l.get().Complete) }()
	}
	for range 2 {
		require.ErrorIs(t, (<-ends).value.(error), safety.ErrWaitCycle)
	}
}

// A Progress function may wait for a job that need not wait for its own, and may call what never
// waits.
func TestWhatAProgressFunctionMayCall(t *testing.T) {
	watchdog(t)
	a, own, once := array.New[int](100), newLater(), sync.Once{}
	set := func(w *array.Writer[int], i int) { w.Set(i, i) }
	before := scheduleFor(100, a.Writer(), set)
	var after parallelfor.Handle
	h := own.set(scheduleFor(10, none{}, nothing, parallelfor.After(before), parallelfor.Progress(func(done, total int) {
		once.Do(func() {
			h := own.get()
			before.Complete()
			scheduleFor(100, a.Writer(), set).Complete()
			parallelfor.For(100, a.Writer(), func(w *array.Writer[int], i int) { w.Set(i, w.At(i)+1) })
			parallelfor.Go(none{}, func(*none) {}).Complete()
			after = parallelfor.Combine(h, scheduleFor(1, none{}, nothing, parallelfor.After(h)))
			if h.Finished() || h.Err() != nil || after.Err() != nil {
				t.Error("it has finished, or failed, before its function has returned")
			}
			if b := array.New[int](1); b.Len() != 1 {
				t.Error(b.Len())
			}
		})
	})))
	h.Complete()
	after.Complete()
	require.Equal(t, 100, a.At(99))
}

// lengthThat is a view whose Len calls Do first.
type lengthThat struct {
	safety.Hold
	Do func() `custody:"unguarded"`
}

func lengthOfThat(r array.Reader[int], do func()) lengthThat {
	return lengthThat{lawtest.ClaimOf(&r).Guard.Hold(safety.Read, nil), do}
}

func (l *lengthThat) Len() int {
	l.Do()
	return 1
}

// A Len that waits for its own job is reported, also if it is called within a body of another job.
func TestALengthThatWaitsForItsOwnJobIsReported(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	a := array.New[int](1)
	schedule := func(own *later, opts ...parallelfor.Option) parallelfor.Handle {
		view := lengthOfThat(a.Reader(), func() { own.get().Complete() })
		return scheduleFor(-1, none{}, nothing, append(opts, parallelfor.LengthOf(view), parallelfor.Name("long"))...)
	}
	ready, own := make(chan struct{}), newLater()
	first := scheduleFor(1, none{}, func(*none, int) { <-ready }, parallelfor.Workers(1))
	own.set(schedule(own, parallelfor.After(first)))
	close(ready)
	v := violation(t, safety.ErrWaitCycle, own.get().Complete)
	require.Equal(t, []string{"long", "long"}, []string{v.Job, v.OtherJob})
	require.Contains(t, v.Error(), "Len")

	ready, own = make(chan struct{}), newLater() // Len is not called before own is set
	first = scheduleFor(1, none{}, func(*none, int) { <-ready }, parallelfor.Workers(1))
	first = scheduleFor(1, none{}, nothing, parallelfor.After(first))
	own.set(schedule(own, parallelfor.After(first)))
	close(ready)
	parallelfor.For(1, none{}, func(*none, int) { first.Complete() })
	violation(t, safety.ErrWaitCycle, own.get().Complete)
	a.Set(0, 1)
}
