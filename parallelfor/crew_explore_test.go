//go:build custody_explore

package parallelfor_test

import (
	"fmt"
	"testing"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/explore"
	"example.com/custody/parallelfor"
)

// Two loops at a time get all the workers that they asked for, though more than are woken at once:
// the bodies of both wait for each other.
func TestExploreGangs(t *testing.T) {
	setup := func(p *explore.Program) {
		parallelfor.Forget[meets]()
		pool := parallelfor.NewPool(5)
		var all atom.WaitGroup
		all.Add(12)
		for c := range 2 {
			p.Go(fmt.Sprint("caller ", c), func() {
				parallelfor.ForBatch(6, meets{&all}, (*meets).ExecuteBatch, parallelfor.Batch(1), parallelfor.Workers(6), parallelfor.On(pool))
			})
		}
		p.Then(pool.Close)
	}
	explore.Run(t, explore.Options{}, setup, standard(2000)...)
}

// Nor do the worker goroutines that they count on come to a job that did not ask for its workers.
func TestExploreGangBesideAnother(t *testing.T) {
	setup := func(p *explore.Program) {
		parallelfor.Forget[meets]()
		parallelfor.Forget[hangs]()
		pool := parallelfor.NewPool(1)
		p.Go("caller", func() {
			var all, done atom.WaitGroup
			all.Add(2)
			done.Add(1)
			h := parallelfor.ScheduleBatch(1, hangs{&done}, (*hangs).ExecuteBatch, parallelfor.On(pool))
			parallelfor.ForBatch(2, meets{&all}, (*meets).ExecuteBatch, parallelfor.Batch(1), parallelfor.Workers(2), parallelfor.On(pool))
			done.Done()
			h.Complete()
		})
		p.Then(pool.Close)
	}
	explore.Run(t, explore.Options{}, setup, standard(2000)...)
}

// Nor do they count on worker goroutines that would be started in place of blocked ones, which come
// back meanwhile.
func TestExploreGangBesideBlocked(t *testing.T) {
	const workers = 6 // more than one of them wakes
	setup := func(p *explore.Program) {
		parallelfor.Forget[meets]()
		pool := parallelfor.NewPool(1)
		for range workers {
			parallelfor.Block(pool)
		}
		p.Go("caller", func() {
			var all atom.WaitGroup
			all.Add(workers)
			parallelfor.ForBatch(workers, meets{&all}, (*meets).ExecuteBatch, parallelfor.Batch(1), parallelfor.Workers(workers), parallelfor.On(pool))
		})
		p.Go("others", func() {
			for range workers {
				parallelfor.Unblock(pool)
			}
		})
		p.Then(pool.Close)
	}
	explore.Run(t, explore.Options{}, setup, standard(1000)...)
}

// meets is a loop whose bodies wait for each other.
type meets struct {
	all *atom.WaitGroup `custody:"unguarded"`
}

func (j *meets) ExecuteBatch(begin, end int) {
	j.all.Add(begin - end)
	j.all.Wait()
}

// All worker goroutines come to a job that wants them, though no goroutine wakes more than a few:
// those that are started for it, and those that sleep or spin when the next one comes.
func TestExploreLargeCrew(t *testing.T) {
	const size = 6
	setup := func(p *explore.Program) {
		parallelfor.Forget[meets]()
		pool := parallelfor.NewPool(size)
		p.Go("caller", func() {
			for range 2 {
				var all atom.WaitGroup
				all.Add(size + 1)
				parallelfor.ForBatch(size+1, meets{&all}, (*meets).ExecuteBatch, parallelfor.Batch(1), parallelfor.Workers(size+1), parallelfor.On(pool))
			}
			pool.Close()
		})
	}
	explore.Run(t, explore.Options{}, setup, explore.PCT(2, 300), explore.Random(700))
}

// tells is a job that tells its owner that it runs, who does not wait for it in any other way.
type tells struct {
	ran *atom.WaitGroup `custody:"unguarded"`
}

func (j *tells) ExecuteBatch(begin, end int) { j.ran.Done() }

// hangs is a job that waits for others.
type hangs struct {
	until *atom.WaitGroup `custody:"unguarded"`
}

func (j *hangs) ExecuteBatch(begin, end int) { j.until.Wait() }

// A goroutine that waits for a job which runs after another one comes to it when that has ended,
// although it sleeps by then. No other goroutine does, because the only worker waits for the job.
func TestExploreRouse(t *testing.T) {
	setup := func(p *explore.Program) {
		parallelfor.Forget[once]()
		parallelfor.Forget[hangs]()
		pool := parallelfor.NewPool(1)
		var waited atom.WaitGroup
		waited.Add(1)
		counts := make([]int, 2)
		var busy, first, second parallelfor.Handle
		var scheduled atom.WaitGroup
		scheduled.Add(1)
		p.Go("waiter", func() {
			busy = parallelfor.ScheduleBatch(1, hangs{&waited}, (*hangs).ExecuteBatch, parallelfor.On(pool))
			first = parallelfor.ScheduleBatch(1, once{counts: counts[:1]}, (*once).ExecuteBatch, parallelfor.On(pool))
			second = parallelfor.ScheduleBatch(1, once{counts: counts[1:]}, (*once).ExecuteBatch, parallelfor.On(pool), parallelfor.After(first))
			scheduled.Done()
			second.Complete()
			waited.Done()
			busy.Complete()
		})
		p.Go("other", func() {
			scheduled.Wait()
			first.Complete()
		})
		p.Then(func() {
			if err := eachOnce(counts); err != nil {
				panic(err)
			}
			pool.Close()
		})
	}
	explore.Run(t, explore.Options{}, setup, standard(3000)...)
}

// A job that no goroutine completes runs, although no worker was woken for it because another
// goroutine spun, and stopped.
func TestExploreStopSpinning(t *testing.T) {
	setup := func(p *explore.Program) {
		parallelfor.Forget[tells]()
		pool := parallelfor.NewPool(1)
		p.Go("waiter", func() { parallelfor.SpinAndStop(pool) })
		p.Go("owner", func() {
			var ran atom.WaitGroup
			ran.Add(1)
			h := parallelfor.ScheduleBatch(1, tells{&ran}, (*tells).ExecuteBatch, parallelfor.On(pool))
			ran.Wait()
			h.Complete()
		})
		p.Then(pool.Close)
	}
	explore.Run(t, explore.Options{}, setup, sure(4000)...)
}
