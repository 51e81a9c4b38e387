//go:build custody_explore

package explore_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/explore"
	"example.com/custody/internal/sched"
)

// Signal calls the one that has waited longest, Broadcast all.
func TestCondCallsInOrder(t *testing.T) {
	program := func(call func(*atom.Cond)) func(*explore.Program) {
		return func(p *explore.Program) {
			var mu atom.Mutex
			c := atom.NewCond(&mu)
			var came []int
			for i := range 2 {
				p.Go(fmt.Sprint("waits ", i), func() {
					mu.Lock()
					came = append(came, i)
					c.Wait()
					if came[0] != i && call == nil {
						panic("called out of order")
					}
					mu.Unlock()
				})
			}
			p.Go("calls", func() {
				for n := 0; n < 2; atom.Yield() {
					mu.Lock()
					n = len(came)
					mu.Unlock()
				}
				if call == nil {
					c.Signal()
				} else {
					call(c)
				}
			})
		}
	}
	f := fails(t, sched.Deadlock, program(nil)) // the one that came second
	require.Contains(t, f.Error(), "waits in Wait")
	require.Regexp(t, `waits \d: ended`, f.Error())
	holds(t, program((*atom.Cond).Broadcast))
	holds(t, program(func(c *atom.Cond) { c.Signal(); c.Signal() }))
	fails(t, sched.Deadlock, program((*atom.Cond).Signal))
}

// Every Wait of a Cond ends that a Broadcast follows, also outside executions.
func TestCondInAndOut(t *testing.T) {
	inAndOut(t, func() ([]func(), func() error) {
		var mu atom.Mutex
		c := atom.NewCond(&mu)
		up, went := false, 0
		wait := func() {
			mu.Lock()
			for !up {
				c.Wait()
			}
			went++
			mu.Unlock()
		}
		return []func(){wait, wait, func() { mu.Lock(); up = true; mu.Unlock(); c.Broadcast() }}, func() error {
			if went != 2 {
				return fmt.Errorf("%d went on", went)
			}
			return nil
		}
	})
}

// A call that no task waits for yet is lost: a task that looks first and then waits, without
// holding the lock in between, may wait for ever.
func TestALostWakeUpOfACond(t *testing.T) {
	program := func(held bool) func(*explore.Program) {
		return func(p *explore.Program) {
			var mu atom.Mutex
			var ready atom.Bool
			c := atom.NewCond(&mu)
			p.Go("waits", func() {
				mu.Lock()
				for !ready.Load() {
					c.Wait()
				}
				mu.Unlock()
			})
			p.Go("calls", func() {
				if held {
					mu.Lock()
					defer mu.Unlock()
				}
				ready.Store(true)
				c.Broadcast()
			})
		}
	}
	holds(t, program(true))
	f := fails(t, sched.Deadlock, program(false))
	require.Contains(t, f.Error(), "waits: waits in Wait")
	require.Contains(t, f.Error(), "calls: ended")
}

func TestALostWakeUpOfAParker(t *testing.T) {
	program := func(early bool) func(*explore.Program) {
		return func(p *explore.Program) {
			var ready, sleeps atom.Bool
			parker := atom.NewParker()
			p.Go("sleeps", func() {
				if early {
					sleeps.Store(true)
				}
				if ready.Load() {
					return
				}
				sleeps.Store(true)
				parker.Park()
			})
			p.Go("wakes", func() {
				ready.Store(true)
				if sleeps.Load() {
					parker.Unpark()
				}
			})
		}
	}
	holds(t, program(true))
	f := fails(t, sched.Deadlock, program(false))
	require.Contains(t, f.Error(), "sleeps: waits in Park")
}

// A Parker keeps one token, and no more.
func TestAParkerKeepsOneToken(t *testing.T) {
	inAndOut(t, func() ([]func(), func() error) {
		p := atom.NewParker()
		n := 0
		return []func(){
				func() { n = 1; p.Unpark() },
				func() { p.Park(); n++ },
			}, func() error {
				if n != 2 {
					return errors.New("Park came before Unpark")
				}
				return nil
			}
	})
	f := fails(t, sched.Deadlock, func(p *explore.Program) {
		k := atom.NewParker()
		p.Go("wakes", func() { k.Unpark(); k.Unpark() })
		p.Go("sleeps", func() { k.Park(); k.Park() })
	})
	require.Contains(t, f.Error(), "sleeps: waits in Park")
}

func TestAWaitGroupWaits(t *testing.T) {
	inAndOut(t, func() ([]func(), func() error) {
		var wg atom.WaitGroup
		var word atom.Int64
		wg.Add(2)
		done, seen := [3]bool{}, false
		return []func(){
				func() { word.Add(1); done[0] = true; wg.Done() },
				func() {
					wg.Go(func() { word.Add(1); done[2] = true })
					done[1] = true
					wg.Done()
				},
				func() { wg.Wait(); seen = done[0] && done[1] && done[2] },
			}, func() error {
				if !seen {
					return errors.New("Wait returned too early")
				}
				return nil
			}
	})
	f := fails(t, sched.Deadlock, func(p *explore.Program) {
		var wg atom.WaitGroup
		wg.Add(2)
		p.Go("does", wg.Done)
		p.Go("waits", wg.Wait)
	})
	require.Contains(t, f.Error(), "waits: waits in Wait")
	fails(t, sched.Panic, func(p *explore.Program) {
		p.Go("", new(atom.WaitGroup).Done)
	})
}

func TestOnceIsOnce(t *testing.T) {
	inAndOut(t, func() ([]func(), func() error) {
		var once atom.Once
		var word atom.Int64
		n, seen := 0, [3]int{}
		task := func(i int) func() {
			return func() {
				once.Do(func() { word.Add(1); n++ })
				seen[i] = n
			}
		}
		return []func(){task(0), task(1), task(2)}, func() error {
			if seen != [3]int{1, 1, 1} {
				return fmt.Errorf("they saw %v", seen)
			}
			return nil
		}
	})
	// A function that panics was called all the same.
	inAndOut(t, func() ([]func(), func() error) {
		var once atom.Once
		var calls, panics atom.Int64
		task := func() {
			defer func() {
				if recover() != nil {
					panics.Add(1)
				}
			}()
			once.Do(func() { calls.Add(1); panic("no") })
		}
		return []func(){task, task}, func() error {
			if calls.Load() != 1 || panics.Load() != 1 {
				return errors.New("it was called again")
			}
			return nil
		}
	})
}

// Under an execution a Sleep takes no time, a Spin ends, and a Yield lets others go.
func TestNothingTakesTime(t *testing.T) {
	start := time.Now()
	holds(t, func(p *explore.Program) {
		var w atom.Bool
		p.Go("waits", func() {
			for !w.Load() {
				atom.Sleep(time.Hour)
			}
			looks := 0
			for s := (atom.Spin{}); s.More(); looks++ {
			}
			if looks != 0 {
				panic("the condition of the loop is the only look")
			}
		})
		p.Go("", func() { w.Store(true); atom.Yield() })
	})
	require.Less(t, time.Since(start), time.Hour)
}
