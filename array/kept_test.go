package array_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/arraylaw"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// A slice of AvailableBuffer that a body uses again after it has appended is refused: it lies where
// the first items lie now.
func TestABufferThatIsUsedAgainIsRefused(t *testing.T) {
	rows, list := array.NewStream[[2]int](safety.Named("rows")), array.NewList[[2]int](safety.Named("list"))
	rows.Resize(2)
	two := func(buf [][2]int, i int) [][2]int { return append(buf[:0], [2]int{i}, [2]int{i, 1}) }
	for container, f := range map[string]func(){
		`array.Stream[[2]int] "rows"`: func() {
			parallelfor.ForBatch(2, rows.ParallelWriter(), func(w *array.StreamParallelWriter[[2]int], begin, end int) {
				buf := w.AvailableBuffer()
				for i := begin; i < end; i++ {
					w.AppendAll(i, two(buf, i))
				}
			}, parallelfor.Batch(2))
		},
		`array.List[[2]int] "list"`: func() {
			parallelfor.Do(list.ParallelWriter(), func(w *array.ParallelWriter[[2]int]) {
				buf := w.AvailableBuffer()
				w.AppendAll(two(buf, 1))
				for range 64 { // the next one is in another chunk
					w.Append([2]int{})
				}
				w.AppendAll(two(buf, 2))
			})
		},
		`array.Stream[[2]int] "rows", `: func() {
			parallelfor.Do(rows.ParallelWriter(), func(w *array.StreamParallelWriter[[2]int]) {
				parallelfor.Do(w.Row(0), func(r *array.StreamRow[[2]int]) {
					buf := r.AvailableBuffer()
					r.AppendAll(two(buf, 1))
					r.AppendAll(two(buf, 2)[:1])
				})
			})
		},
	} {
		v := arraylaw.Breaks(t, safety.ErrArgument, f, container)
		require.Contains(t, v.Error(), "AvailableBuffer", container)
		require.Contains(t, container, v.Container)
		require.Contains(t, v.At, "kept_test.go", container)
	}
	rows.Clear()
	rows.Resize(2)
	empty := array.NewList[struct{}]()
	parallelfor.Do(empty.ParallelWriter(), func(w *array.ParallelWriter[struct{}]) {
		buf := append(w.AvailableBuffer(), struct{}{})
		w.AppendAll(buf)
		w.AppendAll(buf) // items without a size lie nowhere
	})
	require.Equal(t, 2, empty.Len())
	parallelfor.ForBatch(2, rows.ParallelWriter(), func(w *array.StreamParallelWriter[[2]int], begin, end int) {
		for i := begin; i < end; i++ {
			w.AppendAll(i, two(w.AvailableBuffer(), i))
			w.AppendAll(i, two(make([][2]int, 0, 2), i))
		}
	}, parallelfor.Batch(2))
	require.Equal(t, [][2]int{{1}, {1, 1}, {1}, {1, 1}}, rows.At(1))
}
