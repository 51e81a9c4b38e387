package parallelfor_test

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"weak"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

type failingWith struct{ A array.Writer[int] }

func (j *failingWith) Execute(int) error { return errors.New("x") }

// A handle of a job that is over keeps nothing of later jobs.
func TestOldHandleKeepsNothingOfLaterJobs(t *testing.T) {
	if atom.Race || safety.Strict {
		t.Skip()
	}
	small := array.New[int](1)
	old := parallelfor.Schedule(1, counting{small.Writer()}, (*counting).Execute)
	old.Complete()
	big := func() weak.Pointer[array.Array[int]] {
		a := array.New[int](1000)
		h := parallelfor.ScheduleErr(context.Background(), 1, failingWith{a.Writer()}, (*failingWith).Execute)
		h.Complete()
		return weak.Make(a)
	}
	p := big()
	lawtest.Collected(t, p)
	runtime.KeepAlive(old)
}

// A lost handle is told of, also when there is a handle of a job that was over before.
func TestLostJobBesideOldHandle(t *testing.T) {
	if atom.Race || safety.Strict || !safety.Enabled {
		t.Skip()
	}
	lost := make(chan safety.Leak, 10)
	safety.OnLeak(func(l safety.Leak) { lost <- l })
	defer func() { safety.OnLeak(nil) }()
	small := array.New[int](1)
	old := parallelfor.Schedule(1, counting{small.Writer()}, (*counting).Execute)
	old.Complete()
	func() {
		h := parallelfor.Schedule(1, counting{array.New[int](1).Writer()}, (*counting).Execute, parallelfor.Name("lost"))
		for !h.Finished() {
			runtime.Gosched()
		}
	}()
	lawtest.Happens(t, "the handle is found to be lost", func() bool {
		select {
		case <-lost:
			return true
		default:
			return false
		}
	})
	runtime.KeepAlive(old)
}

// stopping is a kind whose loop stops after the first batch.
type stopping struct{}

func (stopping) PerIndex() bool { return false }

func (stopping) Loop(_ *counting, r *parallelfor.Batches) error {
	for r.Next() {
		r.Stop()
	}
	return nil
}

// token is what a context and a function hold.
type token struct{ _ [100]int }

// A handle keeps neither containers nor what the job was given, however it ended.
func TestAHandleKeepsNothingOfItsJob(t *testing.T) {
	watchdog(t)
	ctx := func(held *token) context.Context { return context.WithValue(context.Background(), stopping{}, held) }
	progress := func(held *token) parallelfor.Option {
		return parallelfor.Progress(func(int, int) { runtime.KeepAlive(held) })
	}
	schedule := func(a *array.Array[int], held *token, o ...parallelfor.Option) parallelfor.Handle {
		return parallelfor.ScheduleKind(ctx(held), 4, counting{a.Writer()}, stopping{}, append(o, parallelfor.Batch(1))...)
	}
	for name, of := range map[string]func(a *array.Array[int], held *token) parallelfor.Handle{
		"stopped": func(a *array.Array[int], held *token) parallelfor.Handle { return schedule(a, held) },
		"its ticket was asked for": func(a *array.Array[int], held *token) parallelfor.Handle {
			h := parallelfor.Schedule(4, counting{a.Writer()}, (*counting).Execute)
			require.NotNil(t, h.Ticket())
			return h
		},
		"failed": func(a *array.Array[int], held *token) parallelfor.Handle {
			return parallelfor.ScheduleErr(ctx(held), 4, failingWith{a.Writer()}, (*failingWith).Execute)
		},
		"watched": func(a *array.Array[int], held *token) parallelfor.Handle { return schedule(a, held, progress(held)) },
		"inline": func(a *array.Array[int], held *token) parallelfor.Handle {
			return schedule(a, held, parallelfor.Inline())
		},
		"inline, in a function that a job calls": func(a *array.Array[int], held *token) (h parallelfor.Handle) {
			parallelfor.For(4, none{}, nothing, parallelfor.Progress(func(int, int) {
				runtime.KeepAlive(held)
				if h == (parallelfor.Handle{}) {
					h = parallelfor.Schedule(4, counting{a.Writer()}, (*counting).Execute, parallelfor.Inline())
					h.Complete()
				}
			}))
			return h
		},
		"after another": func(a *array.Array[int], held *token) parallelfor.Handle {
			return schedule(a, held, parallelfor.After(schedule(a, held)))
		},
		"ended by its context": func(a *array.Array[int], held *token) parallelfor.Handle {
			ctx, cancel := context.WithCancel(ctx(held))
			cancel()
			return parallelfor.ScheduleErr(ctx, 4, failingWith{a.Writer()}, (*failingWith).Execute)
		},
	} {
		t.Run(name, func(t *testing.T) {
			run := func() (parallelfor.Handle, weak.Pointer[array.Array[int]], weak.Pointer[token]) {
				a, held := array.New[int](10), new(token)
				h := of(a, held)
				h.Complete()
				return h, weak.Make(a), weak.Make(held)
			}
			h, a, held := run()
			lawtest.Collected(t, a)
			lawtest.Collected(t, held)
			runtime.KeepAlive(h)
		})
	}
}
