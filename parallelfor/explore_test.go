//go:build custody_explore

package parallelfor_test

import (
	"errors"
	"fmt"
	"testing"

	"example.com/custody/array"
	"example.com/custody/internal/explore"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// once is a loop that counts in plain memory how often each of its indices was executed.
type once struct {
	counts []int `custody:"unguarded"`
}

func (j *once) ExecuteBatch(begin, end int) {
	for i := begin; i < end; i++ {
		j.counts[i]++
	}
}

func eachOnce(counts []int) error {
	for i, n := range counts {
		if n != 1 {
			return fmt.Errorf("index %d was executed %d times: %v", i, n, counts)
		}
	}
	return nil
}

// standard is what is run of a scenario of the driver, whose executions have hundreds of steps.
func standard(n int) []explore.Plan {
	return []explore.Plan{explore.PCT(2, n/2), explore.PCT(3, n), explore.Random(3 * n / 2)} // tasks overlap most in random walks
}

// sure is standard, with more schedules if CUSTODY_PCT in the environment is 2 or 3. They miss a
// fault of that depth with a probability of one in 10^9 at most. The scenarios of the engine have
// it: batches taken and stolen, completion, sleeping and waking, nested loops, cancelling, panics.
func sure(n int) []explore.Plan {
	return append(standard(n), explore.Guarantees()...)
}

// Batches are taken and stolen, each once, whichever worker comes first, and also those of workers
// that do not come. In the end no span counts as filled.
func TestExploreHand(t *testing.T) {
	for _, c := range []struct{ batches, workers, absent int }{{1, 2, 0}, {2, 2, 0}, {3, 2, 0}, {17, 2, 0}, {40, 2, 0}, {5, 3, 0}, {30, 3, 0}, {7, 4, 2}, {40, 3, 1}} {
		t.Run(fmt.Sprint(c.batches, " batches for ", c.workers, ", of whom ", c.absent, " are absent"), func(t *testing.T) {
			setup := func(p *explore.Program) {
				h := parallelfor.NewHand(c.batches, c.workers)
				counts := make([]int, c.batches)
				for w := range c.workers - c.absent {
					p.Go(fmt.Sprint("worker ", w), func() {
						for {
							begin, end, ok := h.Take(w)
							if !ok {
								return
							}
							for i := begin; i < end; i++ {
								counts[i]++
							}
						}
					})
				}
				p.Judge(func() error {
					if n := h.Filled(); n != 0 {
						return fmt.Errorf("%d spans count as filled", n)
					}
					return eachOnce(counts)
				})
			}
			explore.Run(t, explore.Options{}, setup, append(explore.Guarantees(), explore.Exhaustive(2, 200_000), explore.PCT(3, 10_000), explore.Random(10_000))...)
		})
	}
}

// A loop runs every index once, and when it returns all of them have been.
func TestExploreRun(t *testing.T) {
	for _, size := range []int{1, 2} {
		t.Run(fmt.Sprint("a pool of ", size), func(t *testing.T) {
			setup := func(p *explore.Program) {
				parallelfor.Forget[once]()
				pool := parallelfor.NewPool(size)
				counts := [2][]int{make([]int, 4), make([]int, 4)}
				p.Go("caller", func() {
					for _, c := range counts { // the second uses the memory of the first again
						parallelfor.ForBatch(4, once{counts: c}, (*once).ExecuteBatch, parallelfor.Batch(1), parallelfor.Workers(size+1), parallelfor.On(pool))
						if err := eachOnce(c); err != nil {
							panic(err)
						}
					}
					pool.Close()
				})
			}
			explore.Run(t, explore.Options{}, setup, sure(4000)...)
		})
	}
}

// Two pools work on jobs that have, one after the other, the same memory: who comes late to the one
// comes to the other, and does no harm.
func TestExploreTwoPools(t *testing.T) {
	setup := func(p *explore.Program) {
		parallelfor.Forget[once]()
		pools := [2]*parallelfor.Pool{parallelfor.NewPool(1), parallelfor.NewPool(1)}
		p.Go("caller", func() {
			done := parallelfor.ScheduleBatch(0, once{}, (*once).ExecuteBatch)
			for k := range 2 {
				counts := make([]int, 2)
				opts := []parallelfor.Option{parallelfor.Batch(1), parallelfor.Workers(2), parallelfor.On(pools[k%2])}
				if k%2 == 1 {
					opts = append(opts, parallelfor.After(done)) // its caller does not keep it
				}
				parallelfor.ForBatch(2, once{counts: counts}, (*once).ExecuteBatch, opts...)
				if err := eachOnce(counts); err != nil {
					panic(err)
				}
			}
			done.Complete()
			pools[0].Close()
			pools[1].Close()
		})
	}
	explore.Run(t, explore.Options{}, setup, standard(6000)...)
}

// Two goroutines share a pool and have each what they asked for.
func TestExploreTwoCallers(t *testing.T) {
	setup := func(p *explore.Program) {
		parallelfor.Forget[once]()
		pool := parallelfor.NewPool(1)
		for c := range 2 {
			p.Go(fmt.Sprint("caller ", c), func() {
				counts := make([]int, 3)
				parallelfor.ForBatch(3, once{counts: counts}, (*once).ExecuteBatch, parallelfor.Batch(1), parallelfor.Workers(2), parallelfor.On(pool))
				if err := eachOnce(counts); err != nil {
					panic(err)
				}
			})
		}
		p.Then(pool.Close)
	}
	explore.Run(t, explore.Options{}, setup, sure(4000)...)
}

// inner is a nested loop: each of its batches runs another loop over its own window.
type inner struct {
	A    array.Writer[int]
	pool *parallelfor.Pool `custody:"unguarded"`
}

func (j *inner) ExecuteBatch(begin, end int) {
	parallelfor.ForBatch(end-begin, write{j.A}, (*write).ExecuteBatch, parallelfor.Batch(1), parallelfor.Workers(2), parallelfor.On(j.pool))
}

// Loops inside batches share the pool of the loop outside, and no goroutine waits for ever.
func TestExploreNested(t *testing.T) {
	setup := func(p *explore.Program) {
		parallelfor.Forget[inner]()
		parallelfor.Forget[write]()
		pool := parallelfor.NewPool(1)
		a := array.New[int](4)
		p.Go("caller", func() {
			parallelfor.ForBatch(4, inner{a.Writer(), pool}, (*inner).ExecuteBatch, parallelfor.Batch(2), parallelfor.Workers(2), parallelfor.On(pool))
			for i, want := range []int{1, 2, 1, 2} {
				if a.At(i) != want {
					panic(fmt.Sprint("element ", i, " is ", a.At(i)))
				}
			}
		})
		p.Then(pool.Close)
	}
	explore.Run(t, explore.Options{}, setup, sure(2000)...)
}

// Closing a pool waits for what is scheduled on it, and refuses what comes later.
func TestExploreClose(t *testing.T) {
	setup := func(p *explore.Program) {
		parallelfor.Forget[once]()
		pool := parallelfor.NewPool(1)
		counts := make([]int, 2)
		p.Go("caller", func() {
			err := lawtest.Failure(func() error {
				parallelfor.ScheduleBatch(2, once{counts: counts}, (*once).ExecuteBatch, parallelfor.Batch(1), parallelfor.Workers(2), parallelfor.On(pool)).Complete()
				return nil
			})
			if err == nil {
				err = eachOnce(counts)
			} else if errors.Is(err, safety.ErrClosed) {
				err = nil
			}
			if err != nil {
				panic(err)
			}
		})
		p.Go("closer", pool.Close)
		p.Go("closer too", pool.Close)
	}
	explore.Run(t, explore.Options{}, setup, standard(3000)...)
}
