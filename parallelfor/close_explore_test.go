//go:build custody_explore

package parallelfor_test

import (
	"errors"
	"fmt"
	"testing"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/explore"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// A pool is closed while its worker ends a job and goes to sleep, and while another goroutine calls
// loops. Each loop is executed or refused, and Close returns.
func TestExploreCloseBesideALoop(t *testing.T) {
	setup := func(p *explore.Program) {
		parallelfor.Forget[once]()
		parallelfor.Forget[meets]()
		pool := parallelfor.NewPool(1)
		counts := make([]int, 6)
		p.Go("closes", func() {
			var all atom.WaitGroup
			all.Add(2)
			parallelfor.ForBatch(2, meets{&all}, (*meets).ExecuteBatch, parallelfor.Batch(1), parallelfor.Workers(2), parallelfor.On(pool))
			pool.Close()
		})
		p.Go("calls", func() {
			for i := range counts {
				orRefused(pool, counts[i:i+1])
			}
		})
	}
	explore.Run(t, explore.Options{}, setup, standard(1500)...)
}

// orRefused calls a loop of one index, which the pool may refuse only because it is closed.
func orRefused(pool *parallelfor.Pool, count []int) {
	defer func() {
		err, refused := recover().(error)
		if refused && !errors.Is(err, safety.ErrClosed) || refused != (count[0] == 0) {
			panic(fmt.Sprint("executed ", count[0], " times, and told ", err))
		}
	}()
	parallelfor.ForBatch(1, once{counts: count}, (*once).ExecuteBatch, parallelfor.On(pool))
}
