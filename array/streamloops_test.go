package array_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/arraylaw"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// Loops over the rows of a stream are scheduled before their number is known.
func TestLoopsOverAStreamThatAnEarlierJobFills(t *testing.T) {
	s, sums := array.NewStream[int](), array.NewList[int]()
	first := parallelfor.Schedule(30, digits{s.ParallelWriter()}, (*digits).Execute)
	double := parallelfor.Schedule(-1, rowDoubling{s.Writer()}, (*rowDoubling).Execute, parallelfor.LengthOf(s.Writer()), parallelfor.After(first), parallelfor.Batch(7))
	sum := parallelfor.Schedule(-1, rowSums{s.Reader(), sums.ParallelWriter()}, (*rowSums).Execute, parallelfor.LengthOf(s.Reader()), parallelfor.After(double))
	all := parallelfor.ScheduleDo(totals{s.Writer()}, (*totals).Execute, parallelfor.After(sum))
	all.Complete()
	for i, v := range sums.All() {
		require.Equal(t, i%4*i*2, v)
	}
	require.Equal(t, 30, sums.Len())
	require.Equal(t, 1, s.At(1)[0], "the single job owns every row")

	lawtest.CheckedOnly(t)
	first = parallelfor.Schedule(40, digits{s.ParallelWriter()}, (*digits).Execute)
	h := parallelfor.Schedule(42, rowDoubling{s.Writer()}, (*rowDoubling).Execute, parallelfor.After(first), parallelfor.Batch(6), parallelfor.Name("late"))
	v := arraylaw.Breaks(t, safety.ErrLength, h.Complete)
	require.Equal(t, "late", v.Job)
	require.Equal(t, 40, v.Length)
	v = arraylaw.Breaks(t, safety.ErrLength, func() { parallelfor.For(41, rowDoubling{s.Writer()}, (*rowDoubling).Execute) })
	require.Equal(t, []int{41, 40}, []int{v.N, v.Length})
}

type rowDoubling struct{ Rows array.StreamWriter[int] }

func (j *rowDoubling) Execute(i int) {
	for k := range j.Rows.At(i) {
		j.Rows.At(i)[k] *= 2
	}
}

type rowSums struct {
	In  array.StreamReader[int]
	Out array.ParallelWriter[int]
}

func (j *rowSums) Execute(i int) {
	sum := 0
	for _, v := range j.In.At(i) {
		sum += v
	}
	if len(j.In.At(i)) != j.In.Count(i) {
		panic("other counts")
	}
	j.Out.Append(sum)
}

type totals struct{ Rows array.StreamWriter[int] }

func (j *totals) Execute() {
	for i, r := range j.Rows.All() {
		for k := range r {
			r[k] = i
		}
	}
}

// A batch passes on the rows that it may write: index 0 of the nested loop is the first of them.
func TestABatchLendsRowsOnToBeWritten(t *testing.T) {
	s := array.NewStream[int]()
	parallelfor.For(50, digits{s.ParallelWriter()}, (*digits).Execute)
	parallelfor.ForBatch(50, s.Writer(), func(w *array.StreamWriter[int], begin, end int) {
		parallelfor.For(end-begin, *w, func(w *array.StreamWriter[int], k int) {
			for j := range w.At(k) {
				w.At(k)[j] += 1000 * begin
			}
			if w.Len() != end-begin {
				panic("another length")
			}
		}, parallelfor.Batch(3))
		for range w.All() {
			break
		}
	}, parallelfor.Batch(10))
	for i, r := range s.All() {
		for _, v := range r {
			require.Equal(t, 1000*(i/10*10)+i, v)
		}
	}
	parallelfor.Do(s.Reader(), func(r *array.StreamReader[int]) {
		for range r.All() {
			break
		}
		parallelfor.Do(*r, func(r *array.StreamReader[int]) {
			n := 0
			for i, row := range r.All() {
				require.Equal(t, row, r.At(i))
				n += len(row)
			}
			require.Equal(t, []int{50, n, n, 51}, []int{r.Len(), r.Total(), len(r.Items()), len(r.Offsets())})
		})
	})
}
