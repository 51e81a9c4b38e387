//go:build custody_explore

package parallelfor_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/explore"
	"example.com/custody/parallelfor"
)

// ends are the ways in which a batch ends: it goes on to the next, fails, or stops the loop.
type ends [3]byte

const (
	goesOn = iota
	fails
	stops
)

// Batches 0 and 1 fail or stop the loop while batch 2 asks for its context and waits for its end.
// The context ends, whichever comes first, and the loop ends as the sequential one (X1).
func TestExploreContext(t *testing.T) {
	type views struct {
		Worker parallelfor.Worker
		Ends   ends
	}
	errs := []error{errors.New("0"), errors.New("1")}
	for name, how := range map[string]ends{
		"0 fails": {fails}, "1 fails": {goesOn, fails}, "both fail": {fails, fails}, "0 stops": {stops},
		"1 stops": {goesOn, stops}, "0 stops, 1 fails": {stops, fails}, "0 fails, 1 stops": {fails, stops},
	} {
		t.Run(name, func(t *testing.T) {
			lowest := 0
			for how[lowest] == goesOn {
				lowest++
			}
			setup := func(p *explore.Program) {
				parallelfor.Forget[views]()
				pool := parallelfor.NewPool(2)
				p.Go("caller", func() {
					at, err := parallelfor.FindErr(context.Background(), 3, views{Ends: how}, func(v *views, i int) (bool, error) {
						ctx := v.Worker.Context()
						if i == 2 {
							for ctx.Err() == nil {
								atom.Yield()
							}
							c := context.Cause(ctx)
							for k, e := range how[:2] {
								if e == fails && c == errs[k] || e == stops && c == context.Canceled {
									return false, ctx.Err()
								}
							}
							panic(fmt.Sprint("the cause is ", c))
						}
						if i <= lowest && ctx.Err() != nil {
							panic(fmt.Sprint("the context of batch ", i, " has ended"))
						}
						if how[i] == fails {
							return false, errs[i]
						}
						return how[i] == stops, nil
					}, parallelfor.Batch(1), parallelfor.Workers(3), parallelfor.On(pool))
					if how[lowest] == fails && err != errs[lowest] || how[lowest] == stops && (err != nil || at != lowest) {
						panic(fmt.Sprint("the loop returns ", at, ", ", err))
					}
				})
				p.Then(pool.Close)
			}
			explore.Run(t, explore.Options{}, setup, sure(2000)...)
		})
	}
}

// endsByHand is a context that ends when the test closes over. It calls no function of AfterFunc:
// the goroutine that runs one is not the explorer's, so the test does it.
type endsByHand struct {
	context.Context
	over chan struct{}
}

func (c *endsByHand) Done() <-chan struct{} { return c.over }

func (c *endsByHand) Err() error {
	select {
	case <-c.over:
		return context.Canceled
	default:
		return nil
	}
}

func (*endsByHand) AfterFunc(func()) (stop func() bool) { return func() bool { return true } }

// The loop's context ends while batches ask for theirs and wait for their ends. Every context ends,
// also one that is added to the list after the function of the loop's context has read it (X2).
func TestExploreContextOfTheLoop(t *testing.T) {
	setup := func(p *explore.Program) {
		parallelfor.Forget[parallelfor.Worker]()
		pool := parallelfor.NewPool(2)
		ctx := &endsByHand{context.Background(), make(chan struct{})}
		var first atomic.Bool
		var lapse func()
		var asked atom.WaitGroup
		asked.Add(1)
		p.Go("caller", func() {
			err := parallelfor.ForErr(ctx, 3, parallelfor.Worker{}, func(w *parallelfor.Worker, _ int) error {
				own := w.Context()
				if f := parallelfor.LapseOf(*w); f != nil && first.CompareAndSwap(false, true) {
					lapse = f
					asked.Done()
				}
				for own.Err() == nil {
					atom.Yield()
				}
				return context.Cause(own)
			}, parallelfor.Batch(1), parallelfor.Workers(3), parallelfor.On(pool))
			if err != context.Canceled {
				panic(fmt.Sprint("the error is ", err))
			}
		})
		p.Go("ends the context", func() {
			asked.Wait()
			close(ctx.over)
			lapse()
		})
		p.Then(pool.Close)
	}
	explore.Run(t, explore.Options{}, setup, sure(3000)...)
}
