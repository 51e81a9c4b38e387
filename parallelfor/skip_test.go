package parallelfor_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// sparse is a job with something to do in some batches only.
type sparse struct {
	Batches array.Writer[int]
	Out     array.ParallelWriter[int]
	Met     counter.ParallelWriter
}

// sparsely is a kind that passes over the other batches.
type sparsely struct {
	busy     func(batch int) bool
	perIndex bool
}

func (k sparsely) PerIndex() bool { return k.perIndex }

func (k sparsely) Loop(j *sparse, r *parallelfor.Batches) error {
	idle := func(batch int) bool { return !k.busy(batch) }
	r.SkipWhile(idle) // there is no batch yet
	for r.Next() {
		j.Met.Inc()
		if k.busy(r.Batch()) {
			for i := r.Begin(); i < r.End(); i++ {
				j.Batches.Set(i, r.Batch()+1)
				j.Out.Append(i)
			}
		}
		r.SkipWhile(idle)
	}
	return nil
}

// Batches that are passed over are not executed, all others once, whatever the batches, in
// the order of the sequential loop.
func TestBatchesThatArePassedOver(t *testing.T) {
	for _, n := range []int{1, 64, 1000} {
		for _, batch := range []int{1, 3, 7, 1000} {
			for name, busy := range map[string]func(batch int) bool{
				"none": func(int) bool { return false }, "all": func(int) bool { return true },
				"a few": func(batch int) bool { return batch%17 == 3 }, "most": func(batch int) bool { return batch%5 != 1 },
				"the last": func(c int) bool { return c == (n-1)/batch },
			} {
				want, order := make([]int, n), []int(nil)
				for i := range n {
					if busy(i / batch) {
						want[i] = i/batch + 1
						order = append(order, i)
					}
				}
				for _, workers := range []int{1, 2, 5} {
					for _, perIndex := range []bool{false, true} {
						what := fmt.Sprintf("%d indices in batches of %d, %s busy, %d workers, %v", n, batch, name, workers, perIndex)
						a, out, met := array.New[int](n), array.NewList[int](), counter.New()
						job := sparse{a.Writer(), out.ParallelWriter(), met.ParallelWriter()}
						require.NoError(t, parallelfor.RunKind(context.Background(), n, job, sparsely{busy, perIndex}, parallelfor.Batch(batch), parallelfor.Workers(workers)))
						require.Equal(t, want, a.Slice(), what)
						require.Equal(t, order, append([]int(nil), out.Slice()...), what)
						if name == "none" && workers == 1 && !parallelfor.Raced && !safety.Strict {
							require.LessOrEqual(t, met.Value(), int64(1), what)
						}
						require.LessOrEqual(t, met.Value(), int64(n), what)
					}
				}
			}
		}
	}
}

// A batch that has failed is not passed over for another one.
func TestAPanicWhileBatchesArePassedOver(t *testing.T) {
	a, out, met := array.New[int](100), array.NewList[int](), counter.New()
	job := sparse{a.Writer(), out.ParallelWriter(), met.ParallelWriter()}
	var caught *parallelfor.Panic
	func() {
		defer func() { caught, _ = recover().(*parallelfor.Panic) }()
		_ = parallelfor.RunKind(context.Background(), 100, job, sparsely{busy: func(batch int) bool {
			if batch == 40 {
				panic("no")
			}
			return batch%2 == 0
		}}, parallelfor.Batch(1), parallelfor.Workers(2))
	}()
	require.NotNil(t, caught)
	require.Equal(t, "no", caught.Value)
	for i, v := range a.Slice()[:30] {
		require.Equal(t, i%2 == 0, v != 0, "batches below the failure ran")
	}
}
