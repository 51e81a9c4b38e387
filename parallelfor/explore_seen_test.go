//go:build custody_explore

package parallelfor_test

import (
	"fmt"
	"io"
	"testing"

	"example.com/custody/internal/explore"
	"example.com/custody/parallelfor"
	"example.com/custody/timeline"
)

// Progress is reported by one worker at a time, never falls, and ends with the total; a graph that
// records meanwhile has each batch.
func TestExploreProgress(t *testing.T) {
	setup := func(p *explore.Program) {
		parallelfor.Forget[once]()
		pool := parallelfor.NewPool(1)
		var told []int
		p.Go("caller", func() {
			counts := make([]int, 3)
			g := parallelfor.Record()
			parallelfor.ForBatch(3, once{counts: counts}, (*once).ExecuteBatch, parallelfor.Batch(1), parallelfor.Workers(2), parallelfor.On(pool),
				parallelfor.Progress(func(done, total int) { told = append(told, done) }))
			for i := range told {
				if i > 0 && told[i] <= told[i-1] {
					panic(fmt.Sprint("told ", told))
				}
			}
			if len(told) == 0 || told[len(told)-1] != 3 {
				panic(fmt.Sprint("told ", told))
			}
			g.Stop()
			if err := timeline.Trace(io.Discard, g.Jobs()); err != nil {
				panic(err)
			}
			pool.Close()
		})
	}
	explore.Run(t, explore.Options{}, setup, standard(1500)...)
}
