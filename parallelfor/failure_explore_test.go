//go:build custody_explore

package parallelfor_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/explore"
	"example.com/custody/parallelfor"
)

// fail is a job whose batches fail.
type fail struct {
	counts []int          `custody:"unguarded"`
	at     map[int]func() `custody:"unguarded"`
}

func (j *fail) Execute(i int) {
	j.counts[i]++
	if f := j.at[i]; f != nil {
		f()
	}
}

// Whichever worker runs the batches, the failure is that of the lowest that fails, and those below
// it have run.
func TestExplorePanic(t *testing.T) {
	setup := func(p *explore.Program) {
		parallelfor.Forget[fail]()
		pool := parallelfor.NewPool(1)
		p.Go("caller", func() {
			counts := make([]int, 4)
			defer func() {
				var panicked *parallelfor.Panic
				err, _ := recover().(error)
				if !errors.As(err, &panicked) || panicked.Value != "at 1" {
					panic(fmt.Sprintf("the loop ended with %v", err))
				}
				if counts[0] != 1 || counts[1] != 1 || counts[2] > 1 || counts[3] > 1 {
					panic(fmt.Sprint("the batches were executed ", counts))
				}
				pool.Close()
			}()
			at := map[int]func(){1: func() { panic("at 1") }, 2: func() { panic("at 2") }, 3: func() { panic("at 3") }}
			parallelfor.For(4, fail{counts, at}, (*fail).Execute, parallelfor.Batch(1), parallelfor.Workers(2), parallelfor.On(pool))
		})
	}
	explore.Run(t, explore.Options{}, setup, sure(4000)...)
}

// A body that ends its goroutine ends the caller's, after all batches below it, whichever worker
// ran it.
func TestExploreGoexit(t *testing.T) {
	setup := func(p *explore.Program) {
		parallelfor.Forget[fail]()
		pool := parallelfor.NewPool(1)
		counts := make([]int, 3)
		ended := false
		p.Go("caller", func() {
			defer func() { ended = recover() == nil }()
			parallelfor.For(3, fail{counts, map[int]func(){1: runtime.Goexit}}, (*fail).Execute, parallelfor.Batch(1), parallelfor.Workers(2), parallelfor.On(pool))
			panic("the loop returned")
		})
		p.Then(pool.Close)
		p.Judge(func() error {
			if !ended || counts[0] != 1 || counts[1] != 1 {
				return fmt.Errorf("ended: %v, the batches were executed %v", ended, counts)
			}
			return nil
		})
	}
	explore.Run(t, explore.Options{Goroutines: true}, setup, standard(1500)...)
}

// A context that ends while the loop runs makes it return its cause, or comes too late.
func TestExploreCancel(t *testing.T) {
	setup := func(p *explore.Program) {
		parallelfor.Forget[struct{}]()
		pool := parallelfor.NewPool(1)
		ctx, cancel := context.WithCancelCause(context.Background())
		cause := errors.New("enough")
		var begun atom.Bool
		p.Go("caller", func() {
			counts := make([]int, 3)
			begun.Store(true)
			err := parallelfor.ForBatchErr(ctx, 3, struct{}{}, func(_ *struct{}, begin, end int) error {
				counts[begin]++
				return nil
			}, parallelfor.Batch(1), parallelfor.Workers(2), parallelfor.On(pool))
			switch {
			case err == nil:
				if err := eachOnce(counts); err != nil {
					panic(err)
				}
			case err != cause:
				panic(fmt.Sprintf("the error is %v", err))
			}
			for _, n := range counts {
				if n > 1 {
					panic(fmt.Sprint("the batches were executed ", counts))
				}
			}
		})
		p.Go("canceller", func() {
			begun.Load()
			cancel(cause)
		})
		p.Then(pool.Close)
	}
	explore.Run(t, explore.Options{}, setup, sure(3000)...)
}
