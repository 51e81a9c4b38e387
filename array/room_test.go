package array_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
)

// Loops that append where there is room leave what the sequential loop leaves, and keep nothing
// alive behind it when they fail, whichever worker ran which batches.
func TestLoopsThatAppendWhereThereIsRoom(t *testing.T) {
	const n = 3000
	boom := errors.New("boom")
	for _, workers := range []int{1, 2, 5} {
		for _, room := range []int{0, 10, n, 3 * n} {
			for _, fails := range []int{-1, 0, 7, n - 1} {
				what := fmt.Sprintf("%d workers, room for %d, %d fails", workers, room, fails)
				list, stream := array.NewList[*[4]int](), array.NewStream[*[4]int]()
				begun := [4]int{-1}
				list.Append(&begun)
				list.Grow(room)
				stream.Grow(n, room)
				for range 2 {
					var want []int
					for i := range n {
						if want = append(want, i); i == fails {
							break
						}
					}
					type views struct {
						List   array.ParallelWriter[*[4]int]
						Stream array.StreamParallelWriter[*[4]int]
					}
					err := parallelfor.ForErr(context.Background(), n, views{list.ParallelWriter(), stream.ParallelWriter()}, func(v *views, i int) error {
						p := &[4]int{i}
						v.List.Append(p)
						v.Stream.AppendAll(i, append(v.Stream.AvailableBuffer(), p, &begun)[:1])
						if i == fails {
							return boom
						}
						return nil
					}, parallelfor.Workers(workers), parallelfor.Batch(16))
					require.Equal(t, fails >= 0, err != nil, what)
					require.Equal(t, append([]int{-1}, want...), values(list.Slice()), what)
					require.Equal(t, want, values(stream.Items()), what)
					require.Equal(t, n, stream.Len(), what)
					list.Resize(1)
					stream.Clear()
				}
				require.NotContains(t, present(array.Behind(list)), true, what)
				require.NotContains(t, present(array.BehindItems(stream)), true, what)
			}
		}
	}
}

func values(list []*[4]int) (v []int) {
	for _, p := range list {
		v = append(v, p[0])
	}
	return v
}

// present says of which pointers there are any.
func present(list []*[4]int) (p []bool) {
	for _, v := range list {
		p = append(p, v != nil)
	}
	return p
}
