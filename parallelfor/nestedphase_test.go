package parallelfor_test

import (
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/hashmap"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/queue"
	"example.com/custody/safety"
)

// loopsIn are ways to run a job in a call. The goroutine that opens or seals its containers may be
// another one than that of the call.
var loopsIn = map[string]func(t *testing.T, v toldView){
	"a loop": func(_ *testing.T, v toldView) {
		parallelfor.For(10, v, func(*toldView, int) {}, parallelfor.Batch(-1))
	},
	"a loop that another goroutine opens": func(t *testing.T, v toldView) {
		begun, gate := make(chan struct{}), make(chan struct{})
		before := parallelfor.Go(none{}, func(*none) { close(begun); <-gate })
		defer before.Complete()
		<-begun // not by the call
		go func() {
			defer close(gate)
			spin(t, "a job after it", func() bool { return parallelfor.Dependents(before) == 1 })
		}()
		parallelfor.Do(v, func(*toldView) {}, parallelfor.After(before))
	},
	"a loop that another goroutine seals": func(_ *testing.T, v toldView) {
		parallelfor.Do(v, func(*toldView) { runtime.Goexit() })
	},
}

// A container of a job that is run in a call is reported if it waits, in a phase operation, for the
// job whose body or Progress function has called, whichever goroutine runs the operation.
func TestContainersThatWaitForTheJobAroundTheirOwnAreReported(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	around := map[string]func(run func(h parallelfor.Handle)) parallelfor.Handle{
		"a body": func(run func(h parallelfor.Handle)) parallelfor.Handle {
			own := newLater()
			return own.set(parallelfor.Go(none{}, func(*none) { run(own.get()) }))
		},
		"a Progress function": func(run func(h parallelfor.Handle)) parallelfor.Handle {
			own, once := newLater(), sync.Once{}
			return own.set(scheduleFor(1, none{}, nothing, parallelfor.Progress(func(int, int) {
				once.Do(func() { run(own.get()) })
			})))
		},
	}
	wait := map[string]func(h parallelfor.Handle){
		"Complete":         parallelfor.Handle.Complete,
		"a loop after it":  func(h parallelfor.Handle) { parallelfor.For(1, none{}, nothing, parallelfor.After(h)) },
		"a body of a loop": func(h parallelfor.Handle) { parallelfor.For(1, none{}, func(*none, int) { h.Complete() }) },
	}
	for _, operation := range []string{"opens", "seals", "comes back"} {
		for in, loop := range loopsIn {
			for where, around := range around {
				for how, wait := range wait {
					at := operation + " " + in + " in " + where + ": " + how
					found, once := make(chan any, 1), sync.Once{}
					h := around(func(h parallelfor.Handle) {
						loop(t, newTold(momentsOf(operation, func() {
							once.Do(func() {
								e := endingOn(func() { wait(h) })
								if found <- e; e != nil {
									panic(e)
								}
							})
						})).view())
					})
					endingOf(h.Complete)
					err, _ := (<-found).(error)
					require.ErrorIs(t, err, safety.ErrWaitCycle, at)
				}
			}
		}
	}
}

// endingOn runs f on the calling goroutine and returns what it panics with.
func endingOn(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

// Phase operations of the library's containers run no function of a user, except for folds and
// Hashers, for which maps ask themselves. So they are not registered; those of a container of
// another package are.
func TestWhichContainersPhasesMayCallTheirUsers(t *testing.T) {
	foreign := func(h parallelfor.Handle) bool {
		defer h.Complete()
		return h.Ticket().Foreign()
	}
	gate := make(chan struct{})
	c, l, q, own := counter.New(), array.NewList[int](), queue.New[int](), newTold(moments{})
	m := hashmap.New[int, int]()
	h := []parallelfor.Handle{
		parallelfor.Go(c.ParallelWriter(), func(*counter.ParallelWriter) { <-gate }),
		parallelfor.Go(l.ParallelWriter(), func(*array.ParallelWriter[int]) { <-gate }),
		parallelfor.Go(q.ParallelWriter(), func(*queue.ParallelWriter[int]) { <-gate }),
		parallelfor.Go(m.ParallelWriter(), func(*hashmap.ParallelWriter[int, int]) { <-gate }),
		parallelfor.Go(own.view(), func(*toldView) { <-gate }),
	}
	close(gate)
	for i, h := range h {
		require.Equal(t, i == 4, foreign(h), i)
	}
}

// A ReturnPhase is reported if it waits for the job whose Progress function has made its container
// come back.
func TestAReturnPhaseThatWaitsForTheProgressFunctionAroundItIsReported(t *testing.T) {
	lawtest.CheckedOnly(t)
	watchdog(t)
	own := newLater()
	c := newTold(moments{back: func() { own.get().Complete() }})
	other := parallelfor.Go(c.view(), func(*toldView) {})
	watched := own.set(scheduleFor(1, none{}, nothing, parallelfor.Progress(func(int, int) { other.Complete() })))
	violation(t, safety.ErrWaitCycle, watched.Complete)
}
