package queue_test

import (
	"iter"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/parallelfor"
	"example.com/custody/queue"
)

// A range over a queue goes over the items of one moment. A job that is scheduled during the range
// and changes the queue neither ends the range nor changes its items, completed or not.
func TestARangeGoesOverTheItemsOfOneMoment(t *testing.T) {
	q, r := queue.New[int](), queue.NewRing[int](8)
	for i := range 3 {
		q.Enqueue(i)
		require.True(t, r.TryEnqueue(i))
	}
	for name, c := range map[string]struct {
		all    iter.Seq[int]
		change func() parallelfor.Handle
	}{
		"Queue": {q.All(), func() parallelfor.Handle {
			return parallelfor.Schedule(2, adding{q.ParallelWriter()}, (*adding).Execute)
		}},
		"Ring": {r.All(), func() parallelfor.Handle {
			return parallelfor.Schedule(3, negating{r.Writer()}, (*negating).Execute)
		}},
	} {
		for _, complete := range []bool{true, false} {
			before := slices.Collect(c.all)
			var saw []int
			var h parallelfor.Handle
			for v := range c.all {
				if saw = append(saw, v); len(saw) == 1 {
					if h = c.change(); complete {
						h.Complete()
					}
				}
			}
			h.Complete()
			require.Equal(t, before, saw, name)
		}
	}
}

type adding struct{ Out queue.ParallelWriter[int] }

func (j *adding) Execute(i int) { j.Out.Enqueue(3 + i) }

type negating struct{ Out queue.Writer[int] }

func (j *negating) Execute(i int) { *j.Out.Ptr(i) = -j.Out.At(i) }
