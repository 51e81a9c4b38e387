//go:build custody_explore

package parallelfor_test

import (
	"testing"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/explore"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// A batch that leaves a job completes that one, and no other, when another goroutine completes it
// meanwhile.
func TestExploreChildCompletedElsewhere(t *testing.T) {
	explore.Run(t, explore.Options{}, func(p *explore.Program) {
		d := newDigits(3)
		parallelfor.Forget[once]()
		parallelfor.Forget[struct{}]()
		counts := make([]int, 1)
		var handed atom.Uint32
		var child, other parallelfor.Handle
		p.Go("leaves a job", func() {
			defer func() {
				if v, ok := recover().(*safety.Violation); ok { // or not
					if v.Kind != safety.ErrNotCompleted || v.OtherJob == "" {
						panic(v)
					}
				}
			}()
			parallelfor.Do(struct{}{}, func(*struct{}) {
				child = parallelfor.ScheduleBatch(1, once{counts}, (*once).ExecuteBatch, parallelfor.Workers(1), parallelfor.On(d.pool))
				handed.Store(1)
			}, parallelfor.On(d.pool))
		})
		p.Go("completes it", func() {
			if handed.Load() == 0 {
				other = d.schedule(1, 1)
				return
			}
			child.Complete()
			other = d.schedule(1, 1)
		})
		p.Then(func() {
			if other.Ticket().Returned() {
				panic("a job was completed that nobody has completed")
			}
			d.holds([]int{0, 1, 0}, child, other)
		})
	}, standard(2000)...)
}
