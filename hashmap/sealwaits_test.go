package hashmap

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

type (
	mergeJob struct {
		W ParallelMerger[int, int]
		N int // of indices
	}
	writeJob    struct{ W ParallelWriter[int, int] }
	multiAddJob struct{ W MultiParallelWriter[int, int] }
)

// A fold of one part is called after the fold of another one, so there are keys in several parts.
func (j *mergeJob) Execute(i int)    { j.W.Merge(i%min(j.N/2, 70), i) }
func (j *writeJob) Execute(i int)    { j.W.Set(i%7, i) }
func (j *multiAddJob) Execute(i int) { j.W.Add(i%7, i) }

// sealed is a job that calls a function of the program when it is sealed.
type sealed struct {
	schedule func(opts ...parallelfor.Option) parallelfor.Handle
	run      func(opts ...parallelfor.Option)
}

// sealer makes a job that calls f when it is sealed.
type sealer func(f func()) sealed

func sealedBy[J any](n int, j J, body func(j *J, i int)) sealed {
	return sealed{
		func(opts ...parallelfor.Option) parallelfor.Handle { return parallelfor.Schedule(n, j, body, opts...) },
		func(opts ...parallelfor.Option) { parallelfor.For(n, j, body, opts...) },
	}
}

// sealing makes jobs that call f, once, when they are sealed, by the function that calls it.
var sealing = map[string]func(n int, f func()) sealed{
	"fold": func(n int, f func()) sealed {
		return sealedBy(n, mergeJob{New[int, int]().ParallelMerger(func(old, v int) int { f(); return old + v }), n}, (*mergeJob).Execute)
	},
	"fold after one that ends its goroutine": func(n int, f func()) sealed {
		ended := atom.Uint64{}
		return sealedBy(n, mergeJob{New[int, int]().ParallelMerger(func(old, v int) int {
			if ended.Add(1) == 1 {
				runtime.Goexit()
			}
			f()
			return old + v
		}), n}, (*mergeJob).Execute)
	},
	"Hash": func(n int, f func()) sealed {
		return sealedBy(n, writeJob{NewWith[int, int](pryingAs(&f, nil)).ParallelWriter()}, (*writeJob).Execute)
	},
	"Equal": func(n int, f func()) sealed {
		return sealedBy(n, writeJob{NewWith[int, int](pryingAs(nil, &f)).ParallelWriter()}, (*writeJob).Execute)
	},
	"Hash of a MultiMap": func(n int, f func()) sealed {
		return sealedBy(n, multiAddJob{NewMultiWith[int, int](pryingAs(&f, nil)).ParallelWriter()}, (*multiAddJob).Execute)
	},
	"Equal of a MultiMap": func(n int, f func()) sealed {
		return sealedBy(n, multiAddJob{NewMultiWith[int, int](pryingAs(nil, &f)).ParallelWriter()}, (*multiAddJob).Execute)
	},
}

// pryingAs returns a prying that calls these functions.
func pryingAs(hash, equal *func()) prying {
	p := newPrying()
	if hash != nil {
		p.hash = hash
	}
	if equal != nil {
		p.equal = equal
	}
	return p
}

type idle struct{}

func (*idle) Execute(int) {}

func body(f func()) func(*struct{}, int) { return func(*struct{}, int) { f() } }

// inVain are waits for a job that cannot finish before they have returned.
var inVain = map[string]func(h parallelfor.Handle){
	"Complete": parallelfor.Handle.Complete,
	"Combine":  func(h parallelfor.Handle) { parallelfor.Combine(h).Complete() },
	"a job after it": func(h parallelfor.Handle) {
		parallelfor.Schedule(1, idle{}, (*idle).Execute, parallelfor.After(h)).Complete()
	},
	"a loop after it": func(h parallelfor.Handle) { parallelfor.For(1, idle{}, (*idle).Execute, parallelfor.After(h)) },
	"Inline after it": func(h parallelfor.Handle) {
		parallelfor.Schedule(1, idle{}, (*idle).Execute, parallelfor.After(h), parallelfor.Inline()).Complete()
	},
	"a body of a loop": func(h parallelfor.Handle) { parallelfor.For(1, struct{}{}, body(h.Complete)) },
	"a goroutine": func(h parallelfor.Handle) {
		parallelfor.Go(struct{}{}, func(*struct{}) { h.Complete() }).Complete()
	},
}

// about are how the job that is sealed is related to the job that is waited for. Each makes both,
// gives f the latter once it is known, and returns it.
var about = map[string]func(s sealer, f func(h parallelfor.Handle), opts ...parallelfor.Option) parallelfor.Handle{
	"its own job": func(s sealer, f func(h parallelfor.Handle), opts ...parallelfor.Option) parallelfor.Handle {
		var h parallelfor.Handle
		known := make(chan struct{})
		h = s(func() { <-known; f(h) }).schedule(opts...)
		close(known)
		return h
	},
	"the job of the body that runs it": func(s sealer, f func(h parallelfor.Handle), opts ...parallelfor.Option) parallelfor.Handle {
		return around(func(h parallelfor.Handle) { s(func() { f(h) }).run(opts...) })
	},
	"the job of the body that runs it after another": func(s sealer, f func(h parallelfor.Handle), opts ...parallelfor.Option) parallelfor.Handle {
		return around(func(h parallelfor.Handle) {
			gate := make(chan struct{})
			before := parallelfor.Go(struct{}{}, func(*struct{}) { <-gate })
			defer before.Complete()
			close(gate)
			s(func() { f(h) }).run(append(opts, parallelfor.After(before))...)
		})
	},
	"the job whose Progress function runs it": func(s sealer, f func(h parallelfor.Handle), opts ...parallelfor.Option) parallelfor.Handle {
		var h parallelfor.Handle
		known, once := make(chan struct{}), sync.Once{}
		h = parallelfor.Schedule(1, idle{}, (*idle).Execute, parallelfor.Progress(func(int, int) {
			<-known
			once.Do(func() { s(func() { f(h) }).run(opts...) })
		}))
		close(known)
		return h
	},
}

// around returns a job whose body calls f with it.
func around(f func(h parallelfor.Handle)) (h parallelfor.Handle) {
	known := make(chan struct{})
	h = parallelfor.Schedule(1, holding{array.New[int](1).Writer(), func() { <-known; f(h) }}, (*holding).Execute)
	close(known)
	return h
}

type holding struct {
	W array.Writer[int]
	F func() `custody:"unguarded"`
}

func (j *holding) Execute(int) { j.F() }

// A function of the program that is called when a job is sealed is reported if it waits for a job
// that cannot finish before the function has returned, in whatever way it waits.
func TestAFunctionCalledWhenAJobIsSealedThatWaitsForItIsReported(t *testing.T) {
	lawtest.CheckedOnly(t)
	for _, s := range shapes {
		for called, of := range sealing {
			for whose, about := range about {
				for how, wait := range inVain {
					what := fmt.Sprint(called, ", ", how, ", ", whose, s)
					if strings.Contains(called, "ends") && s.n < usual.few {
						continue // nothing is called after it
					}
					once, found := sync.Once{}, make(chan any, 1)
					h := about(func(f func()) sealed { return of(s.n, f) }, func(h parallelfor.Handle) {
						once.Do(func() { reports(found, func() { wait(h) }) })
					}, parallelfor.Workers(s.workers))
					err, _ := endsWith(t, what, h.Complete).(error)
					v, _ := lawtest.Arrives(t, what, found).(error)
					require.ErrorIs(t, v, safety.ErrWaitCycle, what)
					if !strings.Contains(called, "ends") { // which fails the job first
						require.ErrorIs(t, err, safety.ErrWaitCycle, what)
					}
				}
			}
		}
	}
}

// reports calls f, and sends what it panics with.
func reports(found chan<- any, f func()) {
	defer func() {
		v := recover()
		if found <- v; v != nil {
			panic(v)
		}
	}()
	f()
}

// A function that is called when a job is sealed must not close the job's pool, also if the job is
// run in a call.
func TestAFunctionCalledWhenAJobIsSealedThatClosesItsPoolIsReported(t *testing.T) {
	lawtest.CheckedOnly(t)
	for called, of := range sealing {
		if strings.Contains(called, "ends") {
			continue
		}
		for _, scheduled := range []bool{true, false} {
			what := fmt.Sprint(called, ", scheduled ", scheduled)
			pool, once := parallelfor.NewPool(2), sync.Once{}
			j := of(20, func() { once.Do(pool.Close) })
			v := endsWith(t, what, func() {
				if scheduled {
					j.schedule(parallelfor.On(pool)).Complete()
				} else {
					j.run(parallelfor.On(pool))
				}
			})
			err, _ := v.(error)
			require.ErrorIs(t, err, safety.ErrWaitCycle, what)
			require.Contains(t, err.Error(), "a container that seals its phase of", what)
			pool.Close()
		}
	}
}

// A function that is called when a job is sealed may wait for jobs that need not wait for that job.
func TestWhatAFunctionCalledWhenAJobIsSealedMayWaitFor(t *testing.T) {
	for _, s := range shapes {
		for called, of := range sealing {
			if strings.Contains(called, "ends") {
				continue
			}
			for how, wait := range inVain {
				what := fmt.Sprint(called, ", ", how, s)
				once := sync.Once{}
				j := of(s.n, func() { once.Do(func() { wait(parallelfor.Schedule(3, idle{}, (*idle).Execute)) }) })
				require.Nil(t, endsWith(t, what, func() {
					j.run(parallelfor.Workers(s.workers))
					j.schedule(parallelfor.Workers(s.workers)).Complete()
				}), what)
			}
		}
	}
}
