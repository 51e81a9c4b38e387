//go:build custody_explore

package parallelfor_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/explore"
	"example.com/custody/parallelfor"
)

// Batch 0 or 1, or both, fail while batch 2 asks for its context and waits for its end. The context
// ends, whichever comes first, and the loop returns the error of the sequential one (X1).
func TestExploreContext(t *testing.T) {
	type views struct {
		Worker parallelfor.Worker
		Fails  [3]bool
	}
	errs := []error{errors.New("0"), errors.New("1"), errors.New("2")}
	for name, fails := range map[string][3]bool{"0": {true}, "1": {1: true}, "0 and 1": {true, true}} {
		t.Run(name, func(t *testing.T) {
			setup := func(p *explore.Program) {
				parallelfor.Forget[views]()
				pool := parallelfor.NewPool(2)
				p.Go("caller", func() {
					err := parallelfor.ForErr(context.Background(), 3, views{Fails: fails}, func(v *views, i int) error {
						ctx := v.Worker.Context()
						if i == 2 {
							for ctx.Err() == nil {
								atom.Yield()
							}
							if c := context.Cause(ctx); c != errs[0] && c != errs[1] {
								panic(fmt.Sprint("it was told ", c))
							}
							return ctx.Err()
						}
						if i == 0 && ctx.Err() != nil {
							panic("the context of batch 0 has ended")
						}
						if v.Fails[i] {
							return errs[i]
						}
						return nil
					}, parallelfor.Batch(1), parallelfor.Workers(3), parallelfor.On(pool))
					want := errs[1]
					if fails[0] {
						want = errs[0]
					}
					if err != want {
						panic(fmt.Sprint("the error is ", err))
					}
				})
				p.Then(pool.Close)
			}
			explore.Run(t, explore.Options{}, setup, sure(3000)...)
		})
	}
}
