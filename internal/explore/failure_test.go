package explore_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/internal/explore"
	"example.com/custody/internal/sched"
)

// Two locks that are taken in two orders: the report names every task, and where it waits.
func TestADeadlockNamesEveryTask(t *testing.T) {
	for name, plan := range plans(1000) {
		if name == "pct 1" {
			continue // finds it in the random walks that go first, or not
		}
		f, _ := find(func(p *explore.Program) {
			a, b := newLock(), newLock()
			p.Go("one way", func() { a.lock(); b.lock(); b.raise(); a.raise() })
			p.Go("the other", func() { b.lock(); a.lock(); a.raise(); b.raise() })
			p.Go("done", func() {})
		}, plan)
		require.NotNil(t, f, name)
		require.Equal(t, sched.Deadlock, f.Failure.Kind)
		text := f.Error()
		assert.Contains(t, text, "one way: waits in Park (explore_test.")
		assert.Contains(t, text, "the other: waits in Park (explore_test.")
		assert.Regexp(t, `helpers_test\.go:\d+`, text)
		assert.Regexp(t, `done: (ended|not started)`, text)
		assert.Regexp(t, `(?m)^ +\d+  one way +Park +#\d `, f.Story)
	}
}

func TestAWaitOfOneTaskIsADeadlock(t *testing.T) {
	f, _ := find(func(p *explore.Program) {
		p.Go("waits", func() { new(flag).wait() })
		p.Go("ends", func() {})
	}, explore.Random(1))
	require.Equal(t, sched.Deadlock, f.Failure.Kind)
	require.Contains(t, f.Error(), "waits: waits in Park")
	require.Contains(t, f.Error(), "ends: ended")
}

func TestALivelockIsStopped(t *testing.T) {
	f, stats := explore.Find(explore.Options{Steps: 300}, func(p *explore.Program) {
		w := new(word)
		for i := range 2 {
			p.Go(fmt.Sprint("spins ", i), func() {
				for w.Load() == 0 {
				}
			})
		}
	}, explore.Random(1))
	require.Equal(t, sched.Endless, f.Failure.Kind)
	require.Contains(t, f.Error(), "livelock: no end after 300 steps")
	require.Contains(t, f.Error(), "spins 0: at Load")
	require.Equal(t, 301, stats.Steps)
}

//go:noinline
func boom() { panic(errorFound) }

func TestAPanicHasItsStack(t *testing.T) {
	for _, goroutines := range []bool{false, true} {
		f, _ := explore.Find(explore.Options{Goroutines: goroutines}, func(p *explore.Program) {
			p.Go("one", boom)
			p.Go("two", func() { new(word).Load() })
		}, explore.Random(1))
		require.Equal(t, sched.Panic, f.Failure.Kind)
		require.Equal(t, errorFound, f.Failure.Value)
		require.ErrorContains(t, f, "panic: found")
		require.Contains(t, f.Error(), "explore_test.boom", "the stack")
	}
}

// Goexit is the end of a task that is a goroutine, with what it deferred.
func TestGoexitOfAGoroutine(t *testing.T) {
	deferred, went := 0, 0
	f, stats := explore.Find(explore.Options{Goroutines: true}, func(p *explore.Program) {
		w := new(word)
		p.Go("exits", func() {
			defer func() { w.Store(1); deferred++ }()
			runtime.Goexit()
		})
		p.Go("goes on", func() { w.Load(); went++ })
		p.Then(func() { w.Load() })
		p.Judge(func() error {
			if w.v.Load() != 1 {
				return errorFound
			}
			return nil
		})
	}, explore.Random(more(500)))
	require.NoError(t, errorOf(f))
	require.GreaterOrEqual(t, deferred, stats.Schedules)
	require.Equal(t, deferred, went)
}

// On coroutines it is a failure, which has its trace like others.
func TestGoexitOfACoroutine(t *testing.T) {
	if sched.Race {
		t.Skip("race builds have no coroutines")
	}
	f, _ := find(func(p *explore.Program) {
		j := &journal{}
		p.Go("exits", func() {
			j.steps("aa")
			if strings.HasPrefix(string(j.done), "aba") {
				runtime.Goexit()
			}
		})
		p.Go("other", func() { j.steps("bb") })
	}, explore.Exhaustive(9, 1000))
	require.NotNil(t, f)
	require.Contains(t, f.Error(), "exits called runtime.Goexit")
	require.NotEmpty(t, f.Story)
	require.NotEqual(t, "trace,", f.Trace)
	f, _ = find(func(p *explore.Program) { p.Go("", func() {}) }, explore.Random(10))
	require.NoError(t, errorOf(f), "the next exploration is not harmed")
}

// A Goexit of setup, as by t.FailNow, is the caller's.
func TestGoexitInSetupIsTheCallers(t *testing.T) {
	after := false
	r := run("", func(r testing.TB) {
		find(func(*explore.Program) { r.Fatal("no setup") }, explore.Random(1))
		after = true
	})
	require.Equal(t, "no setup", r.text)
	require.False(t, after)
}

// The invariant is looked at after every step, the last one of the last task too.
func TestCheckLooksAfterEveryStep(t *testing.T) {
	if sched.Race {
		t.Skip("race builds do not look")
	}
	for bad := int64(1); bad <= 3; bad++ {
		f, _ := find(func(p *explore.Program) {
			w := new(word)
			p.Go("counts", func() {
				for i := range int64(3) {
					w.Store(i + 1)
				}
			})
			p.Check(func() error {
				if w.Load() == bad { // no scheduling point here
					return fmt.Errorf("it is %d: %w", bad, errorFound)
				}
				return nil
			})
		}, explore.Random(1))
		require.NotNil(t, f, "%d", bad)
		require.Equal(t, sched.Broken, f.Failure.Kind)
		require.ErrorIs(t, f, errorFound)
	}
}

// Then comes after all that Go added, each in turn; what others have started must end with the
// last.
func TestThenComesAfter(t *testing.T) {
	f, _ := find(func(p *explore.Program) {
		j := &journal{}
		stop := new(flag)
		p.Go("", func() {
			sched.Go(func() { stop.wait(); j.steps("s") })
			j.steps("ab")
		})
		p.Go("", func() { j.steps("AB") })
		p.Then(func() { j.steps("x") })
		p.Then(func() { j.steps("y"); stop.raise() })
		p.Judge(func() error {
			if got := string(j.done); !strings.HasSuffix(got, "xys") || len(got) != 7 {
				return errors.New(got)
			}
			return nil
		})
	}, explore.Random(more(300)), explore.PCT(3, more(300)))
	require.NoError(t, errorOf(f))
	f, _ = find(func(p *explore.Program) {
		p.Go("starts", func() { sched.Go(func() { new(flag).wait() }) })
		p.Then(func() {})
	}, explore.Random(1))
	require.NotNil(t, f)
	require.Equal(t, sched.Deadlock, f.Failure.Kind, "what was started never ends")
}

// A stuck Then is stopped like every other task.
func TestThenIsScheduled(t *testing.T) {
	f, _ := explore.Find(explore.Options{Steps: 100}, func(p *explore.Program) {
		w := new(word)
		p.Go("", func() {})
		p.Then(func() {
			for w.Load() == 0 {
			}
		})
	}, explore.Random(1))
	require.Equal(t, sched.Endless, f.Failure.Kind)
	require.Contains(t, f.Error(), "then: at Load")
}

func TestSixtyFourTasksAreTheMost(t *testing.T) {
	many := func(n int) func(*explore.Program) {
		return func(p *explore.Program) {
			p.Go("starts", func() {
				for range n - 1 {
					sched.Go(func() { sched.Point(sched.OpLoad, nil) })
				}
			})
		}
	}
	f, stats := find(many(sched.MaxTasks), explore.Random(50), explore.PCT(3, 50), explore.Exhaustive(0, 1))
	require.ErrorContains(t, errorOf(f), "the search is not over", "there is nothing else wrong")
	require.Equal(t, sched.MaxTasks, stats.Tasks)
	f, _ = find(many(sched.MaxTasks+1), explore.Random(1))
	require.Equal(t, sched.Panic, f.Failure.Kind)
	require.ErrorContains(t, f, "more than 64 tasks")
	require.Panics(t, func() {
		find(func(p *explore.Program) {
			for range sched.MaxTasks + 1 {
				p.Go("", func() {})
			}
		}, explore.Random(1))
	})
}

// No task could end a wait of the function that sets a program up.
func TestSetupMustNotWait(t *testing.T) {
	require.Panics(t, func() {
		find(func(p *explore.Program) {
			p.Go("", func() {})
			new(flag).wait()
		}, explore.Random(1))
	})
	f, _ := find(func(p *explore.Program) { p.Go("", func() {}) }, explore.Random(10))
	require.NoError(t, errorOf(f), "the next exploration is not harmed")
}

func TestExplorationsDoNotNest(t *testing.T) {
	f, _ := find(func(p *explore.Program) {
		p.Go("", func() { sched.New(false).Start() })
	}, explore.Random(1))
	require.NotNil(t, f)
	require.Equal(t, sched.Panic, f.Failure.Kind)
}
