//go:build custody_explore

package parallelfor_test

import (
	"runtime"
	"testing"

	"example.com/custody/internal/explore"
	"example.com/custody/parallelfor"
)

// An inline job runs after another one that is completed meanwhile, whichever goroutine works on
// that.
func TestExploreInline(t *testing.T) {
	explore.Run(t, explore.Options{}, func(p *explore.Program) {
		d := newDigits(2)
		h := d.schedule(0, 1)
		p.Go("runs one after it", func() {
			second := d.schedule(0, 2, parallelfor.After(h), parallelfor.Inline())
			if !second.Finished() {
				panic("it has not run")
			}
			d.schedule(0, 3, parallelfor.After(second), parallelfor.Inline()).Complete()
		})
		p.Go("completes it", func() {
			h.Complete()
			d.schedule(1, 1).Complete()
			d.schedule(1, 2, parallelfor.After(h), parallelfor.Inline()).Complete()
		})
		p.Then(func() { d.holds([]int{123, 12}, h) })
	}, standard(2000)...)
}

// leaves is a job that ends the goroutine that it runs on.
type leaves struct{}

func (*leaves) Execute(int) { runtime.Goexit() }

// When a body of the job before it ends the goroutine of its caller, an inline job is completed all
// the same.
func TestExploreInlineAfterWhatEndsTheGoroutine(t *testing.T) {
	explore.Run(t, explore.Options{Goroutines: true}, func(p *explore.Program) {
		d := newDigits(1)
		parallelfor.Forget[leaves]()
		h := parallelfor.Schedule(1, leaves{}, (*leaves).Execute, parallelfor.On(d.pool))
		var handed parallelfor.Handle
		p.Go("runs one after it", func() { handed = d.schedule(0, 1, parallelfor.After(h), parallelfor.Inline()) })
		p.Go("completes it", func() {
			h.Complete()
			panic("it did not end the goroutine")
		})
		p.Then(func() {
			if handed == (parallelfor.Handle{}) { // no other goroutine can complete it
				d.all[0].Set(0, 0)
			}
			d.pool.Close()
		})
	}, standard(2000)...)
}
