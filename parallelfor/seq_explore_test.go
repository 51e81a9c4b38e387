//go:build custody_explore

package parallelfor_test

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"example.com/custody/array"
	"example.com/custody/internal/explore"
	"example.com/custody/parallelfor"
)

// The results of a MapSeq come in the order of the items, whichever goroutine executes their jobs,
// and up to the first failure. A range that ends early leaves no job behind.
func TestExploreMapSeq(t *testing.T) {
	for _, c := range []struct {
		fails, breaks int
		want          string
	}{
		{-1, -1, "[0 2 4 6 8] <nil>"},
		{3, -1, "[0 2 4] the index failed"},
		{4, 2, "[0 2] <nil>"},
	} {
		setup := func(p *explore.Program) {
			pool := parallelfor.NewPool(1)
			var running atomic.Int64
			p.Go("caller", func() {
				var got []int
				var failed error
				double := func(i int) (int, error) {
					running.Add(1)
					defer running.Add(-1)
					if i == c.fails {
						return 0, errIndex
					}
					return 2 * i, nil
				}
				for v, err := range parallelfor.MapSeqErr(context.Background(), infallibly(slices.Values([]int{0, 1, 2, 3, 4})), double, parallelfor.On(pool)) {
					if failed = err; err == nil {
						got = append(got, v)
					}
					if len(got) == c.breaks {
						break
					}
				}
				if s := fmt.Sprint(got, failed); s != c.want || running.Load() != 0 {
					panic(fmt.Sprintf("the results are %s, and %d calls run", s, running.Load()))
				}
				pool.Close()
			})
		}
		explore.Run(t, explore.Options{}, setup, standard(1500)...)
	}
}

// A ForSeq leaves what the sequential loop leaves, also if an item fails while the job of a later
// chunk waits.
func TestExploreForSeq(t *testing.T) {
	for _, fails := range []int{-1, 2} {
		setup := func(p *explore.Program) {
			pool := parallelfor.NewPool(1)
			list := array.NewList[int]()
			p.Go("caller", func() {
				err := parallelfor.ForSeqErr(context.Background(), infallibly(slices.Values([]int{0, 1, 2, 3, 4})), list.ParallelWriter(), func(w *array.ParallelWriter[int], i, _ int) error {
					w.Append(i)
					if i == fails {
						return errIndex
					}
					return nil
				}, parallelfor.On(pool))
				want := []int{0, 1, 2, 3, 4}
				if fails >= 0 {
					want = want[:fails+1]
				}
				if (err != nil) != (fails >= 0) || !slices.Equal(list.Slice(), want) {
					panic(fmt.Sprint("the list is ", list.Slice(), ", ", err))
				}
				pool.Close()
			})
		}
		explore.Run(t, explore.Options{}, setup, standard(1500)...)
	}
}
