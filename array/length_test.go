package array_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/arraylaw"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// lengths are views of all sorts, and where a body leaves how long they were.
type lengths struct {
	Read  array.Reader[int]
	Write array.Writer[int]
	Rows  array.Writer[int]
	Parts array.OffsetWriter[int]
	Seen  array.Writer[int] // of four elements
}

func (l *lengths) Execute(i int) {
	copy(l.Seen.Row(i), []int{l.Read.Len(), l.Write.Len(), l.Rows.Len(), l.Parts.Len()})
}

func TestWritersKnowHowManyIndicesTheyServe(t *testing.T) {
	read, write, rows, parts := array.New[int](5), array.New[int](7), array.New[int](11), array.New[int](9)
	offsets, seen := array.Of([]int{0, 2, 4, 9}), array.New[int](12)
	job := lengths{read.Reader(), write.Writer(), array.ByRows(rows.Writer(), 3), array.ByOffsets(parts.Writer(), offsets.Reader()), array.ByRows(seen.Writer(), 4)}
	parallelfor.For(3, job, (*lengths).Execute, parallelfor.Batch(1), parallelfor.Workers(3))
	for i := range 3 {
		require.Equal(t, []int{5, 7, 3, 3}, seen.Slice()[4*i:4*i+4], "whatever the batch owns")
	}
}

func TestAWriterWithoutOffsetsServesNoIndex(t *testing.T) {
	a, none := array.New[int](4), array.New[int](0)
	n := -1
	parallelfor.Do(array.ByOffsets(a.Writer(), none.Reader()), func(w *array.OffsetWriter[int]) { n = w.Len() })
	require.Zero(t, n)
}

func TestTheLengthOfAWriterOutsideJobsIsAViolation(t *testing.T) {
	a := array.New[int](4)
	w := a.Writer()
	arraylaw.Breaks(t, safety.ErrStaleView, func() { w.Len() })
	p := array.ByOffsets(a.Writer(), array.Of([]int{0, 1}).Reader())
	arraylaw.Breaks(t, safety.ErrStaleView, func() { p.Len() })
}
