package parallelfor_test

import (
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// told is a container that calls a function at each phase operation.
type told struct {
	guard safety.Guard
	moments
}

// moments are the functions that a told calls; nil is none. A seal has parts if part is set.
type moments struct{ opens, seals, back, part func() }

// momentsOf returns moments that call f at the phase operation.
func momentsOf(operation string, f func()) moments {
	return map[string]moments{"opens": {opens: f}, "seals": {seals: f}, "comes back": {back: f}}[operation]
}

func newTold(m moments) *told {
	t := &told{moments: m}
	t.guard.Init(t, 0)
	return t
}

func (t *told) OpenPhase(*safety.Phase) { call(t.opens) }
func (t *told) SealPhase(p *safety.Phase) {
	call(t.seals)
	if t.part != nil {
		p.Parallel(2, func(int) { t.part() })
	}
}
func (t *told) ReturnPhase(bool) { call(t.back) }

func call(f func()) {
	if f != nil {
		f()
	}
}

type toldView struct {
	safety.Hold
}

func (t *told) view() toldView { return toldView{t.guard.Hold(safety.Write, nil)} }

// A container that waits, in OpenPhase or SealPhase, for the job of the phase or for one after it
// is reported; in ReturnPhase so is the completion of that job. The violation names the operation
// and the job. Jobs of its own the container may run and complete.
func TestContainersThatWaitForTheJobTheyAreToldOfAreReported(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	wait := map[string]func(own parallelfor.Handle){
		"its own job":     func(own parallelfor.Handle) { own.Complete() },
		"a job after it":  func(own parallelfor.Handle) { scheduleFor(1, none{}, nothing, parallelfor.After(own)).Complete() },
		"a loop after it": func(own parallelfor.Handle) { parallelfor.For(1, none{}, nothing, parallelfor.After(own)) },
		"a combination":   func(own parallelfor.Handle) { parallelfor.Combine(own).Complete() },
	}
	at := map[string]func(f func()) moments{
		"opens": func(f func()) moments { return moments{opens: f} },
		"seals": func(f func()) moments { return moments{seals: f} },
	}
	for where, container := range at {
		for how, wait := range wait {
			own := newLater()
			c := newTold(container(func() { wait(own.get()) }))
			gate := make(chan struct{})
			first := parallelfor.Go(none{}, func(*none) { <-gate })
			h := own.set(parallelfor.Go(c.view(), func(*toldView) {}, parallelfor.After(first), parallelfor.Name("lent")))
			close(gate)
			v := violation(t, safety.ErrWaitCycle, h.Complete)
			require.Equal(t, "lent", v.Job, "%s, %s", where, how)
			require.Contains(t, v.Error(), "a container that "+where+" its phase of job lent", how)
		}
		jobs := newTold(container(func() {
			parallelfor.For(10, none{}, nothing)
			scheduleFor(10, none{}, nothing).Complete()
			scheduleFor(10, none{}, nothing, parallelfor.After(scheduleFor(1, none{}, nothing))).Complete()
		}))
		parallelfor.Go(jobs.view(), func(*toldView) {}).Complete()
	}

	own := newLater()
	c := newTold(moments{back: func() { own.get().Complete() }})
	h := own.set(parallelfor.Go(c.view(), func(*toldView) {}, parallelfor.Name("lent")))
	v := violation(t, safety.ErrWaitCycle, h.Complete)
	require.Contains(t, v.Error(), "a container that comes back from job lent completes its own job")
	c = newTold(moments{back: func() { scheduleFor(10, none{}, nothing).Complete() }})
	parallelfor.Go(c.view(), func(*toldView) {}).Complete()
}

// A container is reported that closes, in a phase operation, the pool of the phase's job, also if
// the job is run in a call.
func TestContainersThatCloseThePoolOfTheJobTheyAreToldOfAreReported(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	pool := parallelfor.NewPool(2)
	defer pool.Close()
	closes := func() { pool.Close() }
	for where, m := range map[string]moments{"opens": {opens: closes}, "seals": {seals: closes}, "comes back": {back: closes}} {
		for _, run := range []func(v toldView){
			func(v toldView) {
				parallelfor.For(10, v, func(*toldView, int) {}, parallelfor.Batch(-1), parallelfor.On(pool))
			},
			func(v toldView) { parallelfor.Do(v, func(*toldView) {}, parallelfor.On(pool)) },
			func(v toldView) { parallelfor.Go(v, func(*toldView) {}, parallelfor.On(pool)).Complete() },
		} {
			v := violation(t, safety.ErrWaitCycle, func() { run(newTold(m).view()) })
			require.Contains(t, v.Error(), "a container that "+where, where)
		}
	}
}

func (t *told) added() toldView { return toldView{t.guard.Hold(safety.Append, nil)} }

// inPhases is a job with two containers that are told of its phases.
type inPhases struct{ First, Second toldView }

// waysToRun are the ways to run a job to its end.
var waysToRun = map[string]func(v inPhases, pool *parallelfor.Pool){
	"a loop": func(v inPhases, _ *parallelfor.Pool) { parallelfor.For(10, v, func(*inPhases, int) {}) },
	"a loop of a pool": func(v inPhases, pool *parallelfor.Pool) {
		parallelfor.For(1000, v, func(*inPhases, int) {}, parallelfor.On(pool), parallelfor.Batch(1))
	},
	"a loop after a job": func(v inPhases, _ *parallelfor.Pool) {
		parallelfor.For(10, v, func(*inPhases, int) {}, parallelfor.After(scheduleFor(1, none{}, nothing)))
	},
	"a job that has begun before Complete": func(v inPhases, pool *parallelfor.Pool) {
		scheduleFor(10, v, func(*inPhases, int) {}, parallelfor.On(pool)).Complete()
	},
	"a job that waits": func(v inPhases, pool *parallelfor.Pool) {
		gate := make(chan struct{})
		first := parallelfor.Go(none{}, func(*none) { <-gate })
		before := scheduleFor(10, none{}, nothing, parallelfor.After(first))
		h := scheduleFor(10, v, func(*inPhases, int) {}, parallelfor.On(pool), parallelfor.After(first))
		beside := scheduleFor(10, none{}, nothing, parallelfor.After(first))
		close(gate)
		defer h.Complete() // also if the container is told on this goroutine, which finishes the job before
		defer before.Complete()
		beside.Complete()
	},
	"an inline job": func(v inPhases, _ *parallelfor.Pool) {
		scheduleFor(10, v, func(*inPhases, int) {}, parallelfor.Inline()).Complete()
	},
}

// A container that ends its goroutine in a phase operation ends the goroutine of the call that runs
// the job, begins it or completes it. The other containers are sealed and come back, and the pool
// can be closed.
func TestContainersThatEndTheirGoroutine(t *testing.T) {
	watchdog(t)
	for _, operation := range []string{"opens", "seals", "comes back"} {
		for way, run := range waysToRun {
			for range rounds(20) {
				var seals, back atomic.Int32
				first, second := newTold(momentsOf(operation, runtime.Goexit)), newTold(moments{seals: func() { seals.Add(1) }, back: func() { back.Add(1) }})
				pool := parallelfor.NewPool(2)
				e := endingOf(func() { run(inPhases{First: first.added(), Second: second.added()}, pool) })
				pool.Close()
				require.True(t, e.goexit, "%s, %s: %v", operation, way, e)
				if operation == "opens" {
					require.Zero(t, seals.Load(), "a phase that was not opened was sealed, %s", way)
				} else {
					require.EqualValues(t, 1, seals.Load(), "%s, %s", operation, way)
				}
				require.EqualValues(t, 1, back.Load(), "%s, %s", operation, way)
				require.NotPanics(t, func() { first.guard.Dispose(); second.guard.Dispose() }, "%s, %s", operation, way)
			}
		}
	}
}

// A panic outside of the batches has no indices, and says when it happened. That of a nested job
// has the place of the nested job.
func TestAPanicOutsideOfTheBatchesHasNoIndices(t *testing.T) {
	watchdog(t)
	nested := func() {
		parallelfor.For(20, none{}, func(*none, int) { panic("boom") }, parallelfor.Batch(4), parallelfor.Name("nested"))
	}
	for name, c := range map[string]struct {
		m    moments
		text string
		end  int
	}{
		"opens":         {moments{opens: func() { panic("boom") }}, "panic in job lent, when it was opened: boom\n", 0},
		"seals":         {moments{seals: func() { panic("boom") }}, "panic in job lent, when it was sealed: boom\n", 0},
		"seals in part": {moments{part: func() { panic("boom") }}, "panic in job lent, when it was sealed: boom\n", 0},
		"a nested job":  {moments{seals: nested}, "panic in job nested, indices 0 <= i < 4: boom\n", 4},
	} {
		for _, workers := range []int{1, 2} {
			p := panicked(t, func() {
				parallelfor.For(1000, newTold(c.m).added(), func(*toldView, int) {}, parallelfor.Batch(100), parallelfor.Workers(workers), parallelfor.Name("lent"))
			})
			require.ErrorContains(t, p, c.text, "%s, %d workers", name, workers)
			require.Equal(t, []any{"boom", 0, c.end}, []any{p.Value, p.Begin, p.End}, "%s, %d workers", name, workers)
		}
	}
	view := lengthOfThat(array.New[int](1).Reader(), func() { panic("boom") })
	p := panicked(t, func() { parallelfor.For(-1, none{}, nothing, parallelfor.LengthOf(view), parallelfor.Name("long")) })
	require.ErrorContains(t, p, "panic in job long, when its length was asked for: boom\n")
}
