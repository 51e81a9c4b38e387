//go:build custody_explore

package explore_test

//lint:file-ignore SA2001 locks that are given back at once are what is tested

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/explore"
	"example.com/custody/internal/sched"
)

// standard is every strategy, a little.
func standard() []explore.Plan {
	return []explore.Plan{explore.Random(more(2000)), explore.PCT(2, more(2000)), explore.PCT(3, more(2000))}
}

// holds explores a program in which nothing may fail.
func holds(t *testing.T, setup func(*explore.Program)) explore.Stats {
	t.Helper()
	f, stats := find(setup, standard()...)
	require.NoError(t, errorOf(f))
	return stats
}

// fails explores a program that must fail in a way.
func fails(t *testing.T, kind sched.Reason, setup func(*explore.Program)) *explore.Finding {
	t.Helper()
	f, stats := explore.Find(explore.Options{Steps: 1000}, setup, standard()...)
	require.NotNil(t, f, "%v", stats)
	require.Equal(t, kind, f.Failure.Kind, "%v", f)
	return f
}

// inAndOut runs tasks that use atom's types inside executions, and outside of any on goroutines.
func inAndOut(t *testing.T, made func() (tasks []func(), judge func() error)) {
	t.Helper()
	holds(t, func(p *explore.Program) {
		tasks, judge := made()
		for i, f := range tasks {
			p.Go(fmt.Sprint("task ", i), f)
		}
		p.Judge(judge)
	})
	for range 20 {
		tasks, judge := made()
		var wg atom.WaitGroup
		for _, f := range tasks {
			wg.Go(f)
		}
		wg.Wait()
		require.NoError(t, judge())
	}
}

// among counts how many are in a place at a time, without synchronising.
type among struct{ now, most int }

//go:norace
func (a *among) enter() { a.now++; a.most = max(a.most, a.now) }

//go:norace
func (a *among) leave() { a.now-- }

func TestAMutexExcludes(t *testing.T) {
	inAndOut(t, func() ([]func(), func() error) {
		var mu atom.Mutex
		var word atom.Int64
		sum, tried := 0, 0
		task := func() {
			mu.Lock()
			s := sum
			word.Add(1) // an occasion to be interrupted
			sum = s + 1
			mu.Unlock()
			if mu.TryLock() {
				s := sum
				word.Add(1)
				sum, tried = s+1, tried+1
				mu.Unlock()
			}
		}
		return []func(){task, task, task}, func() error {
			if sum != 3+tried {
				return fmt.Errorf("the sum is %d after 3 and %d turns", sum, tried)
			}
			return nil
		}
	})
	f := fails(t, sched.Deadlock, func(p *explore.Program) {
		var mu atom.Mutex
		mu.Lock() // in setup
		p.Go("waits", mu.Lock)
	})
	require.Contains(t, f.Error(), "waits: waits in Lock")
	f = fails(t, sched.Panic, func(p *explore.Program) {
		p.Go("", func() { new(atom.Mutex).Unlock() })
	})
	require.Contains(t, f.Error(), "nobody holds")
}

// A mutex that is locked when the execution begins keeps its tasks out.
func TestAMutexThatIsLockedBefore(t *testing.T) {
	var mu atom.Mutex
	mu.Lock()
	f := fails(t, sched.Deadlock, func(p *explore.Program) {
		p.Go("waits", func() { mu.Lock(); mu.Unlock() })
	})
	require.Contains(t, f.Error(), "waits in Lock")
	mu.Unlock()
	holds(t, func(p *explore.Program) {
		p.Go("", func() { mu.Lock(); mu.Unlock() })
		p.Go("", func() { mu.Lock(); mu.Unlock() })
	})
}

func TestTryLockFailsOnlyWhenLocked(t *testing.T) {
	failed, got := 0, 0
	holds(t, func(p *explore.Program) {
		var mu atom.Mutex
		p.Go("", func() { mu.Lock(); mu.Unlock() })
		p.Go("", func() {
			if mu.TryLock() {
				got++
				mu.Unlock()
			} else {
				failed++
			}
		})
	})
	assert.Positive(t, failed)
	assert.Positive(t, got)
}

// Locks taken in two orders; the report names all.
func TestLockOrderInversion(t *testing.T) {
	f := fails(t, sched.Deadlock, func(p *explore.Program) {
		var a, b atom.Mutex
		p.Go("one way", func() { a.Lock(); b.Lock(); b.Unlock(); a.Unlock() })
		p.Go("the other", func() { b.Lock(); a.Lock(); a.Unlock(); b.Unlock() })
	})
	require.Regexp(t, `one way: waits in Lock \(explore_test\.TestLockOrderInversion.*atoms_test\.go:\d+\)`, f.Error())
	require.Regexp(t, `the other: waits in Lock \(explore_test\.TestLockOrderInversion.*atoms_test\.go:\d+\)`, f.Error())
}

func TestAnRWMutexExcludesWriters(t *testing.T) {
	together := 0
	inAndOut(t, func() ([]func(), func() error) {
		var mu atom.RWMutex
		var word atom.Int64
		var readers, writers among
		sum := 0
		write := func() {
			mu.Lock()
			writers.enter()
			s := sum
			word.Add(1)
			sum = s + 1
			writers.leave()
			mu.Unlock()
		}
		read := func() {
			mu.RLock()
			readers.enter()
			s := sum
			word.Add(1)
			if s != sum {
				panic("somebody wrote meanwhile")
			}
			readers.leave()
			mu.RUnlock()
		}
		return []func(){write, read, read, write}, func() error {
			if sum != 2 || writers.most != 1 {
				return fmt.Errorf("the sum is %d, %d wrote at a time", sum, writers.most)
			}
			if readers.most == 2 {
				together++
			}
			return nil
		}
	})
	require.Positive(t, together, "readers are let in together")
	for _, wrong := range []func(mu *atom.RWMutex){(*atom.RWMutex).Unlock, (*atom.RWMutex).RUnlock} {
		fails(t, sched.Panic, func(p *explore.Program) {
			p.Go("", func() { wrong(new(atom.RWMutex)) })
		})
	}
}

// A reader that locks twice waits for ever when a writer has come in between, as with the real one.
func TestAReaderMustNotLockTwice(t *testing.T) {
	f := fails(t, sched.Deadlock, func(p *explore.Program) {
		var mu atom.RWMutex
		p.Go("reads", func() { mu.RLock(); mu.RLock(); mu.RUnlock(); mu.RUnlock() })
		p.Go("writes", func() { mu.Lock(); mu.Unlock() })
	})
	require.Contains(t, f.Error(), "reads: waits in Lock")
	require.Contains(t, f.Error(), "writes: waits in Lock")
}

// Readers that wait for a writer go before the next writer, which would otherwise wait for what
// they do.
func TestReadersGoBeforeTheNextWriter(t *testing.T) {
	holds(t, func(p *explore.Program) {
		var mu atom.RWMutex
		var waits, read flag
		mu.Lock()
		p.Go("reads", func() {
			waits.set(true) // no scheduling point from here to where it waits in line, save that of RLock
			mu.RLock()
			read.raise()
			mu.RUnlock()
		})
		p.Go("writes", func() {
			waits.wait()
			atom.Yield() // the reader goes on, and waits
			mu.Unlock()
			mu.Lock()
			read.wait() // holding what the reader would need
			mu.Unlock()
		})
	})
}

// A TryLock that succeeds excludes as a Lock does, and one that fails leaves the mutex as it is.
func TestAnRWMutexIsTried(t *testing.T) {
	var tried [4]atomic.Bool
	inAndOut(t, func() ([]func(), func() error) {
		var mu atom.RWMutex
		var word atom.Int64
		var readers, writers among
		write := func() {
			ok := mu.TryLock()
			if tried[which(0, ok)].Store(true); ok {
				writers.enter()
				word.Add(1)
				writers.leave()
				mu.Unlock()
			}
		}
		read := func() {
			ok := mu.TryRLock()
			if tried[which(2, ok)].Store(true); ok {
				readers.enter()
				if word.Add(0); writers.now > 0 {
					panic("a writer is inside")
				}
				readers.leave()
				mu.RUnlock()
			}
		}
		locked := func() {
			l := mu.RLocker()
			l.Lock()
			readers.enter()
			word.Add(0)
			readers.leave()
			l.Unlock()
		}
		return []func(){write, read, locked, write}, func() error {
			if writers.most > 1 {
				return fmt.Errorf("%d wrote at a time", writers.most)
			}
			if !mu.TryLock() {
				return fmt.Errorf("the mutex is left locked")
			}
			return nil
		}
	})
	for k := range tried {
		require.True(t, tried[k].Load(), k)
	}
}

func which(k int, ok bool) int {
	if ok {
		k++
	}
	return k
}
