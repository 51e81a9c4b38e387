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

// unasked is a context that cannot be asked.
type unasked struct{ context.Context }

func (unasked) Done() <-chan struct{} { panic("asked") }

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
	// refused returns a handle whose exec a job was to use again that is refused.
	refused := func(schedule func()) (old parallelfor.Handle) {
		parallelfor.ForgetAutoOrder()
		for range 5 {
			old = parallelfor.Schedule(4, counting{array.New[int](4).Writer()}, (*counting).Execute)
			old.Complete()
		}
		require.Panics(t, schedule)
		return old
	}
	for name, of := range map[string]func(a *array.Array[int], held *token) parallelfor.Handle{
		"a later job conflicts": func(a *array.Array[int], held *token) parallelfor.Handle {
			holds := parallelfor.Schedule(1, a.Writer(), func(*array.Writer[int], int) {})
			defer holds.Complete()
			if !safety.Enabled {
				return holds
			}
			return refused(func() { parallelfor.Schedule(4, counting{a.Writer()}, (*counting).Execute) })
		},
		"the context of a later job panics": func(a *array.Array[int], held *token) parallelfor.Handle {
			return refused(func() {
				parallelfor.ScheduleErr(unasked{ctx(held)}, 4, counting{a.Writer()}, func(*counting, int) error { return nil })
			})
		},
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

// Jobs that run after those of the frame before keep nothing of the frames before that, whatever
// becomes of the jobs and whichever handles are completed.
func TestFramesKeepNothingOfEarlierFrames(t *testing.T) {
	if atom.Explored {
		t.Skip("memory is kept in this build, to find uses of it after its end")
	}
	watchdog(t)
	n := 8 * rounds(1000)
	var all [3]*array.Array[int]
	for i := range all {
		all[i] = array.New[int](1)
	}
	schedule := func(i int, opts ...parallelfor.Option) parallelfor.Handle {
		return parallelfor.Schedule(1, counting{all[i].Writer()}, (*counting).Execute, opts...)
	}
	after := parallelfor.After
	fails := func(*counting, int) error { return errors.New("wrong") }
	for name, frame := range map[string]func(last parallelfor.Handle) parallelfor.Handle{
		"one at a time": func(last parallelfor.Handle) parallelfor.Handle {
			h := schedule(0, after(last))
			h.Complete()
			return h
		},
		"the next is scheduled first": func(last parallelfor.Handle) parallelfor.Handle {
			h := schedule(0, after(last))
			last.Complete()
			return h
		},
		"three completed together": func(last parallelfor.Handle) parallelfor.Handle {
			h := schedule(0, after(last))
			parallelfor.Combine(schedule(1), schedule(2), h).Complete()
			return h
		},
		"a call that the ledger orders": func(last parallelfor.Handle) parallelfor.Handle {
			h := schedule(0, after(last))
			parallelfor.For(1, counting{all[1].Writer()}, (*counting).Execute, after(h), parallelfor.AutoOrder())
			return h
		},
		"a call that the ledger orders after them": func(last parallelfor.Handle) parallelfor.Handle {
			h := schedule(0, after(last))
			parallelfor.For(1, counting{all[0].Writer()}, (*counting).Execute, parallelfor.AutoOrder())
			return h
		},
		"a body that ends its goroutine": func(last parallelfor.Handle) parallelfor.Handle {
			h := schedule(0, after(last))
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				parallelfor.ScheduleDo(none{}, func(*none) { runtime.Goexit() }, after(h), parallelfor.Inline()).Complete()
			}()
			<-ended
			return h
		},
		"a call that fails": func(last parallelfor.Handle) parallelfor.Handle {
			h := schedule(0, after(last))
			_ = parallelfor.ForErr(context.Background(), 1, counting{all[1].Writer()}, fails, after(h))
			return h
		},
		"a schedule that is refused": func(last parallelfor.Handle) parallelfor.Handle {
			h := schedule(0, after(last))
			func() {
				defer func() { _ = recover() }()
				parallelfor.Schedule(-2, counting{all[1].Writer()}, (*counting).Execute, after(h))
			}()
			h.Complete()
			return h
		},
		"a wait that would not end": func(last parallelfor.Handle) parallelfor.Handle {
			h := schedule(0, after(last))
			var own parallelfor.Handle
			ready := make(chan struct{})
			own = parallelfor.ScheduleDo(none{}, func(*none) {
				<-ready
				if safety.Enabled {
					defer func() { _ = recover() }()
					own.Complete()
				}
			}, after(h))
			close(ready)
			own.Complete()
			return h
		},
	} {
		t.Run(name, func(t *testing.T) {
			var h parallelfor.Handle
			require.Less(t, lawtest.Kept(func() {
				for range n {
					h = frame(h)
				}
			}), keptBytes/4)
			h.Complete()
		})
	}
	t.Run("a loop over a source", func(t *testing.T) {
		kept := 0
		items := func(yield func(int) bool) {
			for range n {
				if !yield(1) {
					return
				}
			}
			kept = lawtest.Kept(func() {
				for range n {
					yield(1)
				}
			})
		}
		parallelfor.ForSeq(items, none{}, func(*none, int, int) {}, parallelfor.Batch(1))
		require.Less(t, kept, keptBytes/4)
	})
}

// The work of a job that was refused keeps nothing of it, and that of a short job of a pool, or of
// one that a body has completed, not the pool.
func TestSparesKeepNoRefusedJobAndNoPool(t *testing.T) {
	if atom.Explored {
		t.Skip("memory is kept in this build, to find uses of it after its end")
	}
	if safety.Enabled {
		lawtest.Collected(t, func() (p weak.Pointer[array.Array[int]]) {
			a := array.New[int](1000)
			p = weak.Make(a)
			defer func() { _ = recover() }()
			parallelfor.Schedule(1001, tooLong{a.Writer()}, (*tooLong).Execute)
			return p
		}())
	}
	lawtest.Collected(t, func() weak.Pointer[parallelfor.Pool] {
		p := parallelfor.NewPool(1)
		for range 100 { // until the loop is known to be short
			parallelfor.Schedule(1, counting{array.New[int](1).Writer()}, (*counting).Execute, parallelfor.On(p)).Complete()
		}
		p.Close()
		return weak.Make(p)
	}())
	lawtest.Collected(t, func() weak.Pointer[parallelfor.Pool] {
		p := parallelfor.NewPool(1)
		for range 100 {
			parallelfor.Do(completing{p}, (*completing).Execute)
		}
		p.Close()
		return weak.Make(p)
	}())
}

type completing struct {
	Pool *parallelfor.Pool `custody:"unguarded"`
}

func (j *completing) Execute() {
	parallelfor.Schedule(1, none{}, func(*none, int) {}, parallelfor.On(j.Pool)).Complete()
}

type tooLong struct{ A array.Writer[int] }

func (*tooLong) Execute(int) {}
